import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

struct FITDamageTests {
    private let run = FITBytes.run()

    @Test func `a file truncated inside a message keeps the messages before`() {
        let file = run.file()
        let (transcript, warnings, _) = FITTranscript.of(Array(file.prefix(file.count - 20)))
        #expect(transcript.lines.count == 14)
        #expect(warnings.map(\.byte) == [file.count - 20])
        #expect(warnings.first?.message.contains("20 bytes before the end") == true)
    }

    @Test func `a file truncated between messages keeps them`() {
        let file = run.file()
        // Without the session message (19 bytes) and the CRC.
        let (transcript, warnings, _) = FITTranscript.of(Array(file.prefix(file.count - 21)))
        #expect(transcript.lines.count == 14)
        #expect(warnings.first?.message.contains("after a whole message") == true)
    }

    @Test(arguments: [1, 2])
    func `a file without its CRC is otherwise complete`(_ missing: Int) {
        let file = run.file()
        let (transcript, warnings, _) = FITTranscript.of(Array(file.dropLast(missing)))
        #expect(transcript.lines.count == 15)
        #expect(
            warnings == [
                RecordingWarning(byte: file.count - 2, message: "the file ends without its CRC; everything was kept")
            ])
    }

    @Test func `a wrong CRC is reported, and everything is kept`() {
        let (transcript, warnings, _) = FITTranscript.of(run.file(checksum: 0x1234))
        #expect(transcript.lines.count == 15)
        #expect(warnings.count == 1)
        #expect(warnings.first?.message.hasPrefix("the CRC is 0x1234") == true)
    }

    @Test func `a wrong header CRC is reported, and everything is kept`() {
        let (transcript, warnings, _) = FITTranscript.of(run.file(headerChecksum: 0x1234))
        #expect(transcript.lines.count == 15)
        #expect(
            warnings == [
                RecordingWarning(byte: 0, message: "the header's CRC is wrong; the header was used anyway")
            ])
    }

    @Test(arguments: [(12, 14), (14, 12), (14, 0), (14, 13), (12, 13), (14, 200), (12, 255)] as [(UInt8, UInt8)])
    func `a wrong header size is detected from the start of the messages`(_ real: UInt8, _ stated: UInt8) {
        let (transcript, warnings, _) = FITTranscript.of(run.file(headerSize: real, statedHeaderSize: stated))
        #expect(transcript.lines.count == 15)
        #expect(!warnings.isEmpty)
    }

    @Test func `a data size of zero means up to the end`() {
        let (transcript, warnings, _) = FITTranscript.of(run.file(dataSize: 0))
        #expect(transcript.lines.count == 15)
        #expect(warnings.map(\.byte).first == 4)
    }

    @Test func `a data size beyond the end loses nothing`() {
        let (transcript, warnings, _) = FITTranscript.of(run.file(dataSize: run.data.count + 1000))
        #expect(transcript.lines.count == 15)
        #expect(
            warnings.map(\.message) == ["the file is whole, but ends 1000 bytes before the end that its header gives"])
    }

    @Test func `a data size that is too short loses nothing if the header has no CRC`() {
        // Before the lap's definition.
        let size = run.data.count - 19 - 24 - 7 - 13 - 15
        let (transcript, warnings, _) = FITTranscript.of(run.file(headerSize: 12, dataSize: size))
        #expect(transcript.lines.count == 15)
        #expect(warnings.first?.message.contains("after the end that the header states") == true)
    }

    @Test func `garbage after the end is left out`() {
        let file = run.file()
        let (transcript, warnings, _) = FITTranscript.of(file + Array(repeating: 0xAA, count: 1000))
        #expect(transcript.lines.count == 15)
        #expect(
            warnings == [
                RecordingWarning(byte: file.count, message: "1000 bytes after the end of the file were left out")
            ])
    }

    @Test func `a file after garbage after a file is found`() {
        let file = run.file()
        let (transcript, warnings, _) = FITTranscript.of(file + Array(repeating: 0, count: 77) + file)
        #expect(transcript.lines.count == 30)
        #expect(warnings == [RecordingWarning(byte: file.count, message: "77 bytes between two files were skipped")])
    }

    @Test func `a message without definition is skipped up to the next valid one`() {
        var bytes = FITBytes.run(count: 5)
        bytes.data += [0x0F, 1, 2, 3, 4, 5, 6, 7]
        for second in 5..<8 { bytes.message(2, [FITBytes.start + Int64(second), 150, 0, 0]) }
        let (transcript, warnings, _) = FITTranscript.of(bytes.file())
        #expect(transcript.lines.count == 10 + 3)
        #expect(warnings.count == 1)
        #expect(
            warnings.first?.message
                == "a message of local type 15 comes before its definition; 8 bytes were skipped up to the next message"
        )
    }

    @Test func `bytes lost in the middle affect only the messages around them`() {
        let whole = FITBytes.run(count: 100)
        for (at, count) in [(600, 6), (601, 1), (602, 11), (603, 5), (604, 7), (605, 30)] {
            var bytes = whole
            bytes.data.removeSubrange(at..<at + count)
            let (transcript, warnings, _) = FITTranscript.of(bytes.file())
            #expect(!warnings.isEmpty)
            #expect(transcript.lines.count >= 105 - 8, "\(count) bytes at \(at)")
        }
    }

    @Test func `other files are recognized by their first bytes`() {
        #expect(FITTranscript.of([]).isFIT == false)
        #expect(FITTranscript.of(Array("<?xml version=\"1.0\"?><gpx></gpx>".utf8)).isFIT == false)
        #expect(FITTranscript.of(Array(run.file().prefix(11))).isFIT == false)
        #expect(FITTranscript.of(Array(run.file().prefix(12))).isFIT == true)
    }

    @Test func `every prefix of a file gives its complete messages`() throws {
        let file = FITBytes.run(count: 20).file()
        var last = 0
        for count in 12...file.count {
            let (transcript, warnings, isFIT) = FITTranscript.of(Array(file.prefix(count)))
            #expect(isFIT == true)
            #expect(transcript.lines.count >= last)
            #expect(warnings.isEmpty == (count == file.count))
            last = transcript.lines.count
            _ = try FITFile.read(bytes: Array(file.prefix(count)))
        }
        #expect(last == 25)
    }

    @Test func `an entirely wrong file does not fill the memory with warnings`() {
        let rubbish = Array(repeating: run.file(checksum: 1), count: 1000).flatMap { $0 }
        let (_, warnings, _) = FITTranscript.of(rubbish)
        #expect(warnings.count == RecordingWarnings<FITFault>.limit + 1)
        #expect(warnings.last?.message == "800 further warnings are left out")
    }

    /// A run with an unknown message before its `hrv` messages and records; the message's field 253 is no time.
    @Test(
        arguments: [
            // A time of 16 bits, the same in a field of 32 bits, two numbers, and bytes.
            (FITBytes.Field(number: 253, type: 0x84), [0x1234]),
            (FITBytes.Field(number: 253, type: 0x86), [0x1234]),
            (FITBytes.Field(number: 253, type: 0x86, count: 2), [5, 3]),
            (FITBytes.Field(number: 253, type: 0x86, size: 2), [1, 2]),
            (FITBytes.Field(number: 253, type: 0x0D, count: 3), [1, 2, 3]),
        ] as [(FITBytes.Field, [Int64])])
    func `a message without a time costs nothing`(_ field: FITBytes.Field, _ values: [Int64]) throws {
        for (number, stray) in [(89, 0x1234), (104, 0x1234)] as [(UInt16, Int64)] {
            var bytes = FITBytes()
            bytes.define(0, 0, FITBytes.fileID)
            bytes.message(0, [4, 1, 2697, 123_456, FITBytes.start])
            bytes.define(2, 20, FITBytes.record)
            bytes.define(3, 78, [FITBytes.Field(number: 0, type: 0x84, count: 2)])
            bytes.define(7, number, [field, FITBytes.Field(number: 0, type: 0x84)])
            for second in 0..<Int64(20) {
                bytes.message(2, [FITBytes.start + second, 140, 300 * second, 3000])
                bytes.message(7, values + [stray])
                bytes.message(3, [800 + second, 810])
            }
            let recording = try FITFile.read(bytes: bytes.file())[0]
            #expect(recording.file.records == 20)
            #expect(recording.file.rrIntervalsInMilliseconds.count == 40)
            #expect(recording.end == FITRecordingTests.start + 19)
            #expect(!recording.file.warnings.contains { $0.message.contains("makes no sense") })
        }
    }

    @Test func `a known message with an odd time is kept if others follow it`() {
        var bytes = FITBytes()
        bytes.define(1, 21, FITBytes.event)
        bytes.define(2, 20, FITBytes.record)
        bytes.define(3, 78, [FITBytes.Field(number: 0, type: 0x84, count: 2)])
        bytes.message(2, [FITBytes.start, 140, 0, 3000])
        bytes.message(1, [0x1234, 3, 3])
        bytes.message(3, [800, 810])
        bytes.message(3, [820, 830])
        bytes.message(2, [FITBytes.start + 1, 140, 0, 3000])
        let (transcript, warnings, _) = FITTranscript.of(bytes.file())
        #expect(transcript.lines.count == 5)
        #expect(warnings.isEmpty)
    }
}
