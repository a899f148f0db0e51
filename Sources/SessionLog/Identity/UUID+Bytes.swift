package import Foundation

extension UUID {
    package var bytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }

    /// Returns whether its hexadecimal digits, in capitals and without hyphens, begin with these.
    package func begins(with digits: String) -> Bool { uuidString.filter { $0 != "-" }.hasPrefix(digits) }

    /// Returns nil unless there are 16 bytes.
    package init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == MemoryLayout<uuid_t>.size else { return nil }
        self.init(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }

    /// Creates a UUID of version 8, "custom" (RFC 9562, section 5.8), from these bits in order. Version and variant
    /// replace six of them.
    package init(version8 high: UInt64, _ low: UInt64) {
        let high = high & 0xFFFF_FFFF_FFFF_0FFF | 0x8000
        let low = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        func byte(_ word: UInt64, _ shift: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> shift) }
        self.init(
            uuid: (
                byte(high, 56), byte(high, 48), byte(high, 40), byte(high, 32), byte(high, 24), byte(high, 16),
                byte(high, 8), byte(high, 0), byte(low, 56), byte(low, 48), byte(low, 40), byte(low, 32),
                byte(low, 24), byte(low, 16), byte(low, 8), byte(low, 0)
            ))
    }
}
