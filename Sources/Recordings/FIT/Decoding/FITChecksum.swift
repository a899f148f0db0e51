/// The CRC of FIT files: 16 bits, polynomial 0x8005 reflected (0xA001), initial value 0, no final inversion. Also known
/// as CRC-16/ARC. FIT Protocol, "CRC".
///
/// It processes sixteen bytes per step (slicing: Kounavis and Berry, "A Systematic Approach to Building High
/// Performance Software-based CRC Generators", 2005), because the check would otherwise cost more than the decoding.
struct FITChecksum: Equatable {
    private(set) var value: UInt16 = 0

    /// `tables[256 * k + b]` is the contribution of byte `b` to the CRC if `k` bytes follow it.
    private static let tables: [UInt16] = {
        var tables = [UInt16](repeating: 0, count: 256 * 16)
        for byte in 0..<256 {
            var crc = UInt16(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0xA001 : crc >> 1 }
            tables[byte] = crc
        }
        for index in 256..<tables.count {
            let shorter = tables[index - 256]
            tables[index] = (shorter >> 8) ^ tables[Int(shorter & 0xFF)]
        }
        return tables
    }()

    mutating func update(_ bytes: ByteView) {
        value = Self.tables.withUnsafeBufferPointer { tables in
            // `k` is below 16 and the byte below 256, so the index is always in bounds.
            @inline(__always) func table(_ k: Int, _ byte: UInt64) -> UInt16 {
                tables[unchecked: k &* 256 &+ Int(truncatingIfNeeded: byte & 0xFF)]
            }
            var crc = value
            var at = 0
            while at &+ 16 <= bytes.count {
                let low = bytes.uint64(at: at) ^ UInt64(crc)
                let high = bytes.uint64(at: at &+ 8)
                let a = table(15, low) ^ table(14, low >> 8) ^ table(13, low >> 16) ^ table(12, low >> 24)
                let b = table(11, low >> 32) ^ table(10, low >> 40) ^ table(9, low >> 48) ^ table(8, low >> 56)
                let c = table(7, high) ^ table(6, high >> 8) ^ table(5, high >> 16) ^ table(4, high >> 24)
                let d = table(3, high >> 32) ^ table(2, high >> 40) ^ table(1, high >> 48) ^ table(0, high >> 56)
                crc = a ^ b ^ c ^ d
                at &+= 16
            }
            while at < bytes.count {
                crc = (crc >> 8) ^ table(0, UInt64(crc ^ UInt16(bytes.uint8(at: at))))
                at &+= 1
            }
            return crc
        }
    }
}

extension UnsafeBufferPointer where Element == UInt16 {
    /// An element whose index is known to be in bounds; debug builds check it.
    @inline(__always)
    fileprivate subscript(unchecked index: Int) -> UInt16 {
        assert(index >= 0 && index < count)
        return baseAddress.unsafelyUnwrapped[index]
    }
}
