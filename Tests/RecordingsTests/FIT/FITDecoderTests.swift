import Testing

@testable import Recordings
@testable import SessionLog

struct FITDecoderTests {
    @Test func `a valid file has no warnings`() {
        let (transcript, warnings, isFIT) = FITTranscript.of(FITBytes.run().file())
        #expect(isFIT == true)
        #expect(warnings.isEmpty)
        #expect(transcript.lines.count == 1 + 2 + 10 + 1 + 1)
        #expect(transcript.lines[2].hasSuffix("20 1073001600 heart_rate=140 distance=0 speed=3000"))
    }

    @Test func `both byte orders decode alike`() {
        func values(_ bytes: FITBytes) -> [Substring] {
            FITTranscript.of(bytes.file()).0.lines.map { $0[$0.firstIndex(of: " ")!...] }
        }
        #expect(values(FITBytes.run(isBigEndian: true)) == values(FITBytes.run()))
    }

    @Test(arguments: [12, 14] as [UInt8])
    func `headers of 12 and 14 bytes are read`(_ size: UInt8) {
        let (transcript, warnings, _) = FITTranscript.of(FITBytes.run().file(headerSize: size))
        #expect(transcript.lines.count == 15)
        #expect(warnings.isEmpty)
    }

    @Test func `a header CRC of zero means that there is none`() {
        #expect(FITTranscript.of(FITBytes.run().file(headerChecksum: 0)).1.isEmpty)
    }

    @Test func `the fast CRC equals the slow one`() {
        for count in 0..<100 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + count) }
            var checksum = FITChecksum()
            bytes.withUnsafeBytes { buffer in
                guard let view = ByteView(buffer) else { return }
                checksum.update(view[0..<count / 3])
                checksum.update(view[count / 3..<count])
            }
            #expect(checksum.value == FITBytes.checksum(bytes))
        }
        // The check value for CRC-16/ARC in catalogues of CRCs.
        #expect(FITBytes.checksum(Array("123456789".utf8)) == 0xBB3D)
    }

    @Test func `a compressed timestamp continues from the last one, also when its five bits wrap around`() {
        var bytes = FITBytes()
        bytes.define(0, 20, [FITBytes.Field(number: 253, type: 0x86), FITBytes.Field(number: 3, type: 0x02)])
        bytes.define(1, 20, [FITBytes.Field(number: 3, type: 0x02)])
        let start = FITBytes.start & ~31 + 30
        bytes.message(0, [start, 100])
        for offset in [31, 0, 5, 5, 4] as [UInt8] { bytes.message(1, [101], compressedOffset: offset) }
        let times = FITTranscript.of(bytes.file()).0.lines.map { Int64($0.split(separator: " ")[2])! - start }
        #expect(times == [0, 1, 2, 7, 7, 38])
    }

    @Test func `a compressed timestamp without an earlier one leaves the message without time`() {
        var bytes = FITBytes()
        bytes.define(1, 20, [FITBytes.Field(number: 3, type: 0x02)])
        bytes.message(1, [101], compressedOffset: 3)
        let (transcript, warnings, _) = FITTranscript.of(bytes.file())
        #expect(transcript.lines.first?.hasSuffix("20 - heart_rate=101") == true)
        #expect(warnings.count == 1)
    }

    static let invalid: [(type: UInt8, value: Int64)] = [
        (0x00, 0xFF), (0x01, 0x7F), (0x02, 0xFF), (0x83, 0x7FFF), (0x84, 0xFFFF), (0x85, 0x7FFF_FFFF),
        (0x86, 0xFFFF_FFFF), (0x88, 0xFFFF_FFFF), (0x89, -1), (0x0A, 0), (0x8B, 0), (0x8C, 0), (0x0D, 0xFF),
        (0x8E, Int64.max), (0x8F, -1), (0x90, 0),
    ]

    @Test(arguments: invalid, [false, true])
    func `a type's invalid value is not a value`(_ invalid: (type: UInt8, value: Int64), _ isBigEndian: Bool) {
        var bytes = FITBytes()
        bytes.isBigEndian = isBigEndian
        bytes.define(0, 20, [FITBytes.Field(number: 7, type: invalid.type)])
        bytes.message(0, [invalid.value])
        // 64.0 for floating-point types, 66 for others.
        let some: Int64 = invalid.type == 0x88 ? 0x4280_0000 : invalid.type == 0x89 ? 0x4050_0000_0000_0000 : 66
        bytes.message(0, [some])
        let lines = FITTranscript.of(bytes.file()).0.lines
        #expect(!lines[0].contains("power"))
        #expect(lines[1].hasSuffix("power=66") || lines[1].hasSuffix("power=64"))
    }

    @Test func `text ends at its zero or with the field`() {
        var bytes = FITBytes()
        bytes.define(0, 0, [FITBytes.Field(number: 8, type: 0x07, count: 4)])
        bytes.message(0, "Edge".utf8.map(Int64.init))
        bytes.message(0, [0x41, 0x42, 0, 0x43])
        bytes.message(0, [0, 0, 0, 0])
        let lines = FITTranscript.of(bytes.file()).0.lines
        #expect(lines[0].hasSuffix("\"Edge\""))
        #expect(lines[1].hasSuffix("\"AB\""))
        #expect(lines[2].hasSuffix("\"\""))
    }

    @Test func `a field whose size is not a multiple of its type's is left out, and the rest is read`() {
        var bytes = FITBytes()
        bytes.define(
            0, 20,
            [
                FITBytes.Field(number: 253, type: 0x86), FITBytes.Field(number: 5, type: 0x86, size: 3),
                FITBytes.Field(number: 3, type: 0x02),
            ])
        bytes.message(0, [FITBytes.start, 1, 2, 3, 150])
        bytes.message(0, [FITBytes.start + 1, 1, 2, 3, 151])
        let (transcript, warnings, _) = FITTranscript.of(bytes.file())
        #expect(transcript.lines.map { $0.suffix(14) } == ["heart_rate=150", "heart_rate=151"])
        #expect(
            warnings == [
                RecordingWarning(
                    byte: 14 + 6 + 3,
                    message: "field distance of message record has a size of 3, no multiple of the 4 bytes of uint32; "
                        + "it is left out")
            ])
    }

    @Test func `developer fields have the names that the file defines`() {
        var bytes = Self.developerFile(native: nil)
        bytes.message(1, [FITBytes.start, 140], developer: [0, 0, 0x48, 0x41])
        bytes.message(1, [FITBytes.start, 140], developer: [0xFF, 0xFF, 0xFF, 0xFF])
        let lines = FITTranscript.of(bytes.file()).0.lines
        #expect(lines[1].hasSuffix("heart_rate=140 Form=12.5W"))
        #expect(lines[2].hasSuffix("heart_rate=140 Form=-W"))
    }

    @Test func `a developer field can override a native one`() {
        var bytes = Self.developerFile(native: 7)
        bytes.message(1, [FITBytes.start, 140], developer: [0, 0, 0x48, 0x43])
        #expect(FITTranscript.of(bytes.file()).0.lines[1].contains("power=200"))
    }

    /// A `field_description` of a 32-bit real "Form" in watts, and records with that field.
    static func developerFile(native: Int64?) -> FITBytes {
        var bytes = FITBytes()
        bytes.define(
            0, 206,
            [
                FITBytes.Field(number: 0, type: 0x02), FITBytes.Field(number: 1, type: 0x02),
                FITBytes.Field(number: 2, type: 0x02), FITBytes.Field(number: 3, type: 0x07, count: 5),
                FITBytes.Field(number: 8, type: 0x07, count: 2), FITBytes.Field(number: 14, type: 0x84),
                FITBytes.Field(number: 15, type: 0x02),
            ])
        let name = "Form".utf8.map(Int64.init) + [0]
        bytes.message(0, [0, 9, 0x88] + name + [0x57, 0, native == nil ? 0xFFFF : 20, native ?? 0xFF])
        bytes.define(
            1, 20, [FITBytes.Field(number: 253, type: 0x86), FITBytes.Field(number: 3, type: 0x02)],
            developer: [FITBytes.DeveloperField(number: 9, size: 4, index: 0)])
        return bytes
    }

    @Test func `an undescribed developer field is skipped`() {
        var bytes = FITBytes()
        bytes.define(
            1, 20, [FITBytes.Field(number: 3, type: 0x02)],
            developer: [FITBytes.DeveloperField(number: 9, size: 2, index: 0)])
        bytes.message(1, [140], developer: [1, 2])
        bytes.message(1, [141], developer: [1, 2])
        let (transcript, warnings, _) = FITTranscript.of(bytes.file())
        #expect(transcript.lines.map { $0.suffix(14) } == ["heart_rate=140", "heart_rate=141"])
        #expect(warnings.count == 1)
    }

    @Test func `chained files are read as one, each with its own definitions`() {
        let first = FITBytes.run().file()
        let second = FITBytes.run(start: FITBytes.start + 100).file(headerSize: 12)
        let (transcript, warnings, _) = FITTranscript.of(first + second)
        #expect(transcript.lines.count == 30)
        #expect(warnings.isEmpty)
    }

    @Test func `a local type can be redefined`() {
        var bytes = FITBytes()
        bytes.define(0, 20, [FITBytes.Field(number: 3, type: 0x02), FITBytes.Field(number: 7, type: 0x84)])
        bytes.message(0, [140, 200])
        bytes.define(0, 20, [FITBytes.Field(number: 3, type: 0x02)])
        bytes.message(0, [141])
        #expect(FITTranscript.of(bytes.file()).0.lines[1].hasSuffix("20 - heart_rate=141"))
    }
}
