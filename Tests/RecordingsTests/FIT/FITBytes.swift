@testable import Recordings
@testable import SessionLog

/// Writes FIT files for tests, correct and faulty ones.
struct FITBytes {
    struct Field {
        var number: UInt8
        var type: UInt8
        /// Replaces the size that the definition states. The values don't change.
        var size: Int?
        var count = 1
    }

    struct DeveloperField {
        var number: UInt8
        var size: UInt8
        var index: UInt8
    }

    /// The messages so far, without header and CRC.
    var data: [UInt8] = []
    var isBigEndian = false
    private var definitions: [UInt8: [Field]] = [:]

    static let epoch = 631_065_600.0
    static let sizes: [UInt8: Int] = [
        0x00: 1, 0x01: 1, 0x02: 1, 0x83: 2, 0x84: 2, 0x85: 4, 0x86: 4, 0x07: 1, 0x88: 4, 0x89: 8, 0x0A: 1, 0x8B: 2,
        0x8C: 4, 0x0D: 1, 0x8E: 8, 0x8F: 8, 0x90: 8,
    ]

    mutating func define(
        _ local: UInt8, _ number: UInt16, _ fields: [Field], developer: [DeveloperField] = []
    ) {
        data += [0x40 | local | (developer.isEmpty ? 0 : 0x20), 0, isBigEndian ? 1 : 0]
        append(UInt64(number), size: 2)
        data.append(UInt8(fields.count))
        for field in fields {
            let size = field.size ?? (Self.sizes[field.type] ?? 1) * field.count
            data += [field.number, UInt8(size), field.type]
        }
        if !developer.isEmpty {
            data.append(UInt8(developer.count))
            for field in developer { data += [field.number, field.size, field.index] }
        }
        definitions[local] = fields
    }

    /// A data message: one number per element, in the order of the definition, followed by developer bytes.
    mutating func message(
        _ local: UInt8, _ values: [Int64], developer: [UInt8] = [], compressedOffset: UInt8? = nil
    ) {
        if let compressedOffset {
            data.append(0x80 | local << 5 | compressedOffset)
        } else {
            data.append(local)
        }
        var next = values.makeIterator()
        for field in definitions[local] ?? [] {
            let size = Self.sizes[field.type] ?? 1
            if let stated = field.size {
                for _ in 0..<stated { append(UInt64(bitPattern: next.next() ?? 0), size: 1) }
            } else {
                for _ in 0..<field.count { append(UInt64(bitPattern: next.next() ?? 0), size: size) }
            }
        }
        data += developer
    }

    mutating func append(_ value: UInt64, size: Int) {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
        data += isBigEndian ? bytes.reversed() : bytes
    }

    /// The whole file.
    func file(
        headerSize: UInt8 = 14, statedHeaderSize: UInt8? = nil, headerChecksum: UInt16? = nil, dataSize: Int? = nil,
        checksum: UInt16? = nil
    ) -> [UInt8] {
        let size = UInt32(dataSize ?? data.count)
        var bytes: [UInt8] = [statedHeaderSize ?? headerSize, 0x20, 0x54, 0x08]
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * UInt32($0))) }
        bytes += Array(".FIT".utf8)
        if headerSize == 14 {
            let own = headerChecksum ?? Self.checksum(bytes)
            bytes += [UInt8(own & 0xFF), UInt8(own >> 8)]
        }
        bytes += data
        let whole = checksum ?? Self.checksum(bytes)
        return bytes + [UInt8(whole & 0xFF), UInt8(whole >> 8)]
    }

    /// Bit by bit, to check the fast implementation.
    static func checksum(_ bytes: [UInt8]) -> UInt16 {
        bytes.reduce(0) { crc, byte in
            (0..<8).reduce(crc ^ UInt16(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xA001 : crc >> 1 }
        }
    }
}

extension FITBytes {
    /// 2024-01-01T00:00:00Z.
    static let start: Int64 = 1_073_001_600

    static let fileID = [
        Field(number: 0, type: 0x00), Field(number: 1, type: 0x84), Field(number: 2, type: 0x84),
        Field(number: 3, type: 0x8C), Field(number: 4, type: 0x86),
    ]
    static let event = [
        Field(number: 253, type: 0x86), Field(number: 0, type: 0x00), Field(number: 1, type: 0x00),
    ]
    static let record = [
        Field(number: 253, type: 0x86), Field(number: 3, type: 0x02), Field(number: 5, type: 0x86),
        Field(number: 6, type: 0x84),
    ]
    static let session = [
        Field(number: 253, type: 0x86), Field(number: 2, type: 0x86), Field(number: 5, type: 0x00),
        Field(number: 6, type: 0x00), Field(number: 7, type: 0x86), Field(number: 8, type: 0x86),
    ]
    static let lap = [Field(number: 253, type: 0x86), Field(number: 2, type: 0x86), Field(number: 7, type: 0x86)]

    /// A run of `count` seconds: start event, one record a second (140, 141, … bpm; 3 m a second), a lap, stop event,
    /// session.
    static func run(count: Int64 = 10, start: Int64 = start, isBigEndian: Bool = false) -> FITBytes {
        var bytes = FITBytes()
        bytes.isBigEndian = isBigEndian
        bytes.define(0, 0, fileID)
        bytes.message(0, [4, 1, 2697, 123_456, start])
        bytes.define(1, 21, event)
        bytes.message(1, [start, 0, 0])
        bytes.define(2, 20, record)
        for second in 0..<count {
            bytes.message(2, [start + second, 140 + second % 20, 300 * second, 3000])
        }
        bytes.define(3, 19, lap)
        bytes.message(3, [start + count, start, count * 1000])
        bytes.message(1, [start + count, 0, 4])
        bytes.define(4, 18, session)
        bytes.message(4, [start + count, start, 1, 0, count * 1000, count * 1000])
        return bytes
    }
}

/// The decoder's results, in words.
struct FITTranscript: FITMessageReader, Equatable {
    var lines: [String] = []
    private var developerFields: [[FITDeveloperField]] = Array(repeating: [], count: 16)

    mutating func define(local: Int, number: UInt16, developerFields: [FITDeveloperField]) {
        self.developerFields[local] = developerFields
    }

    mutating func read(_ message: FITMessage) {
        var line = "\(message.byte) \(message.number) \(message.timestamp.map(String.init) ?? "-")"
        for field in FITProfile.message(message.number)?.fields ?? [] {
            if let array = message.array(field) {
                line += " \(field.name)=\((0..<array.count).map { array[$0].map(String.init) ?? "-" })"
                if array.type == .string { line += "\"\(message.string(field) ?? "")\"" }
            } else if let value = message[field] {
                line += " \(field.name)=\(value)"
            }
        }
        for field in developerFields[message.local] {
            line += " \(field.name)=\(message.value(of: field).map { "\($0)" } ?? "-")\(field.units)"
        }
        lines.append(line)
    }

    /// Decodes bytes in pieces of these lengths, repeated.
    static func of(_ bytes: [UInt8], pieces: [Int] = [.max]) -> (FITTranscript, [RecordingWarning], isFIT: Bool?) {
        var transcript = FITTranscript()
        var decoder = FITDecoder()
        bytes.withUnsafeBytes { bytes in
            var at = 0
            var piece = 0
            while at < bytes.count {
                let end =
                    pieces[piece % pieces.count] < bytes.count - at ? at + pieces[piece % pieces.count] : bytes.count
                decoder.read(UnsafeRawBufferPointer(rebasing: bytes[at..<end]), into: &transcript)
                at = end
                piece += 1
            }
        }
        decoder.finish(into: &transcript)
        return (transcript, decoder.warnings.all, decoder.isFIT)
    }
}
