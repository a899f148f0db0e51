/// Writes zip archives by hand, correct and faulty ones.
struct ZipBuilder {
    enum Packing { case stored, deflated }

    struct Options: Sendable {
        var packing = Packing.deflated
        /// Sizes and checksum after the data instead of before, as written by a program that cannot go back.
        var hasDataDescriptor = false
        var isZip64 = false
        var flags: UInt16 = 0
        var method: UInt16?
        var checksumError: UInt32 = 0
        var sizeError = 0
    }

    var bytes: [UInt8] = []
    private var directory: [UInt8] = []
    private var latestEntry: [UInt8] = []
    private var count: UInt16 = 0

    mutating func add(_ name: String, _ content: [UInt8], _ options: Options = Options()) {
        let offset = bytes.count
        let packed = options.packing == .stored ? content : Self.deflated(content)
        let method = options.method ?? (options.packing == .stored ? 0 : 8)
        let flags = options.flags | (options.hasDataDescriptor ? 8 : 0) | 0x800
        let checksum = Self.checksum(content) ^ options.checksumError
        let size = UInt64(content.count + options.sizeError)
        let packedSize = UInt64(packed.count)
        let zip64 = Self.half(1) + Self.half(24) + Self.long(size) + Self.long(packedSize) + Self.long(UInt64(offset))

        bytes += Self.word(0x0403_4B50) + Self.half(45) + Self.half(flags) + Self.half(method) + Self.word(0)
        for value in options.hasDataDescriptor ? [0, 0, 0] : [checksum, UInt32(packedSize), UInt32(size)] {
            bytes += Self.word(value)
        }
        bytes += Self.half(UInt16(name.utf8.count)) + Self.half(0) + Array(name.utf8) + packed
        if options.hasDataDescriptor {
            bytes +=
                Self.word(0x0807_4B50) + Self.word(checksum) + Self.word(UInt32(packedSize)) + Self.word(UInt32(size))
        }

        let earlier = directory.count
        directory += Self.word(0x0201_4B50) + Self.half(45) + Self.half(45) + Self.half(flags) + Self.half(method)
        directory += Self.word(0) + Self.word(checksum)
        directory +=
            Self.word(options.isZip64 ? .max : UInt32(packedSize)) + Self.word(options.isZip64 ? .max : UInt32(size))
        directory += Self.half(UInt16(name.utf8.count)) + Self.half(options.isZip64 ? UInt16(zip64.count) : 0)
        directory += Self.half(0) + Self.half(0) + Self.half(0) + Self.word(0)
        directory += Self.word(options.isZip64 ? .max : UInt32(offset)) + Array(name.utf8)
        if options.isZip64 { directory += zip64 }
        latestEntry = Array(directory[earlier...])
        count += 1
    }

    /// Lists the last file again: two names for the same bytes.
    mutating func listAgain() {
        directory += latestEntry
        count += 1
    }

    func finished(isZip64: Bool = false, comment: String = "") -> [UInt8] {
        let start = bytes.count
        var result = bytes + directory
        if isZip64 {
            let record = result.count
            result +=
                Self.word(0x0606_4B50) + Self.long(44) + Self.half(45) + Self.half(45) + Self.word(0) + Self.word(0)
            result += Self.long(UInt64(count)) + Self.long(UInt64(count)) + Self.long(UInt64(directory.count))
            result += Self.long(UInt64(start))
            result += Self.word(0x0706_4B50) + Self.word(0) + Self.long(UInt64(record)) + Self.word(1)
        }
        result += Self.word(0x0605_4B50) + Self.half(0) + Self.half(0)
        result += Self.half(isZip64 ? .max : count) + Self.half(isZip64 ? .max : count)
        result += Self.word(isZip64 ? .max : UInt32(directory.count)) + Self.word(isZip64 ? .max : UInt32(start))
        result += Self.half(UInt16(comment.utf8.count)) + Array(comment.utf8)
        return result
    }

    /// One block of literals in the fixed code of RFC 1951, section 3.2.6, which is valid but compresses nothing.
    private static func deflated(_ content: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        func put(_ value: UInt32, _ length: UInt32) {
            bits |= value << bitCount
            bitCount += length
            while bitCount >= 8 {
                result.append(UInt8(truncatingIfNeeded: bits))
                bits >>= 8
                bitCount -= 8
            }
        }
        func code(_ value: UInt32, _ length: UInt32) {
            for bit in (0..<length).reversed() { put(value >> bit & 1, 1) }
        }
        put(1, 1)
        put(1, 2)
        for byte in content {
            if byte < 144 { code(0x30 + UInt32(byte), 8) } else { code(0x190 + UInt32(byte) - 144, 9) }
        }
        code(0, 7)
        if bitCount > 0 { put(0, 8 - bitCount) }
        return result
    }

    private static func checksum(_ content: [UInt8]) -> UInt32 {
        var crc: UInt32 = .max
        for byte in content {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }

    private static func half(_ value: UInt16) -> [UInt8] { [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)] }
    private static func word(_ value: UInt32) -> [UInt8] {
        half(UInt16(truncatingIfNeeded: value)) + half(UInt16(value >> 16))
    }
    private static func long(_ value: UInt64) -> [UInt8] {
        word(UInt32(truncatingIfNeeded: value)) + word(UInt32(value >> 32))
    }
}
