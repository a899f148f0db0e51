/// The header at the start of every FIT file: 12 bytes, or 14 with a CRC of its own. FIT Protocol, "File Header".
struct FITHeader {
    /// The bytes needed to recognise a header.
    static let minimumSize = 12
    /// `.FIT` at offset 8, as a little-endian number.
    private static let signature: UInt32 = 0x5449_462E

    /// Size of the header in bytes.
    let size: Int
    /// Bytes of messages between the header and the CRC of the file. Zero if the device never wrote the number.
    let dataSize: Int
    /// Whether the CRC of the header confirms `dataSize`.
    let isTrusted: Bool
    /// What is wrong with the header, and what the decoder did about it.
    let fault: String?

    static func isPresent(in bytes: ByteView, at: Int) -> Bool {
        at + minimumSize <= bytes.count && bytes.uint32(at: at + 8) == signature
    }

    /// Returns whether a header with a valid size begins at `at`. Stricter than `isPresent`, to find a header among
    /// other bytes.
    static func isSound(in bytes: ByteView, at: Int) -> Bool {
        isPresent(in: bytes, at: at) && (bytes.uint8(at: at) == 12 || bytes.uint8(at: at) == 14)
    }

    /// Returns how many bytes from `at` on are needed to read the header with certainty.
    static func needed(for bytes: ByteView, at: Int) -> Int {
        at < bytes.count ? max(14, Int(bytes.uint8(at: at))) + 3 : 14
    }

    /// Reads the header at `at`, which must be present.
    init(_ bytes: ByteView, at: Int) {
        let stated = Int(bytes.uint8(at: at))
        dataSize = Int(bytes.uint32(at: at + 4))
        let hasChecksum = at + 14 <= bytes.count
        let stored = hasChecksum ? bytes.uint16(at: at + 12) : 0
        var checksum = FITChecksum()
        checksum.update(bytes[at..<at + 12])
        let isRight = hasChecksum && checksum.value == stored

        // Messages begin with a definition, which shows where the header really ends.
        func endsAt(_ size: Int) -> Bool {
            guard at + size + 3 <= bytes.count else { return false }
            let kind = bytes.uint8(at: at + size) & 0xD0
            return kind == 0x40 && bytes.uint8(at: at + size + 1) == 0 && bytes.uint8(at: at + size + 2) <= 1
        }
        switch stated {
        case 12 where endsAt(14) && !endsAt(12):
            (size, isTrusted) = (14, false)
            fault = "the header states 12 bytes but has 14; 14 were read"
        case 12:
            (size, isTrusted, fault) = (12, false, nil)
        case 14 where isRight:
            (size, isTrusted, fault) = (14, true, nil)
        case 14 where stored == 0:
            (size, isTrusted, fault) = (14, false, nil)
        case 14 where endsAt(12) && !endsAt(14):
            (size, isTrusted) = (12, false)
            fault = "the header states 14 bytes but has 12; 12 were read"
        case 14:
            (size, isTrusted) = (14, false)
            fault = "the header's CRC is wrong; the header was used anyway"
        default:
            let candidates = (stated > 14 ? [stated] : []) + [14, 12]
            size = candidates.first(where: endsAt) ?? (stated > 14 ? stated : 14)
            isTrusted = false
            fault = "the header states \(stated) bytes, which is impossible; \(size) were read"
        }
    }
}
