import Foundation
import Testing

@testable import Recordings

struct RecordingFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        arguments: [
            ([0x0E, 0x20, 0x8B, 0x08, 0, 0, 0, 0] + Array(".FIT".utf8), .fit),
            (Array("{\"at\":".utf8), .jsonl),
            ([0xEF, 0xBB, 0xBF] + Array("\r\n {".utf8), .jsonl),
            (Array("<?xml version=\"1.0\"?><!-- a --><TrainingCenterDatabase xmlns=".utf8), .tcx),
            ([0xEF, 0xBB, 0xBF] + Array("<?xml version=\"1.0\"?>\n<gpx creator=".utf8), .gpx),
            (
                Array("<?xml version=\"1.0\"?><!DOCTYPE HealthData [<!ELEMENT".utf8),
                .appleHealth
            ),
            (Array("<?xml version=\"1.0\"?><svg>".utf8), .xml),
            ([0x50, 0x4B, 0x03, 0x04, 0], .zip),
            ([0x1F, 0x8B, 0x08], .gzip),
            (Array("btsnoop\0".utf8), .btsnoop),
            ([0x0A, 0x0D, 0x0D, 0x0A, 0], .pcapng),
            ([0xD4, 0xC3, 0xB2, 0xA1], .pcap),
            (Array("time,heart rate\n".utf8), nil),
            (Array("<html>".utf8), nil),
            ([0, 1, 2, 3], nil),
            ([], nil),
        ] as [([UInt8], RecordingFile.Format?)])
    func `the format is found in the first bytes`(bytes: [UInt8], format: RecordingFile.Format?) {
        #expect(RecordingFile.format(startingWith: bytes) == format)
    }

    @Test func `a session log is read whatever its name`() throws {
        let entries = [
            SessionEntry(
                Date(timeIntervalSinceReferenceDate: 0),
                .header(SessionHeader(id: UUID(), activity: ActivityDescription())))
        ]
        let file = try folder.file("activity.fit", logBytes(entries))
        #expect(try RecordingFile.read(file).list == entries)
    }

    @Test(arguments: [
        ("", "the file is empty"), ("PK\u{3}\u{4}", "is taken into the store by workout import"),
        ("<HealthData ", "take it into the store: workout import FILE"),
        ("<gpx ", "GPX file, which is not yet readable"),
        ("hello", "no known format"), ("btsnoop\0", "the header is cut"),
    ])
    func `what cannot be read is named, with what to do`(content: String, message: String) throws {
        let file = try folder.file("file.bin", content)
        #expect { try RecordingFile.read(file) } throws: { error in
            "\(error)".hasPrefix("cannot read \(file.path): ") && "\(error)".contains(message)
        }
    }

    @Test func `a folder, a missing file and a pipe are refused, the pipe without waiting`() throws {
        let directory = folder.url
        #expect(throws: RecordingError.directory(path: directory.path)) { try RecordingFile.read(directory) }
        let lost = folder.url.appending(path: "none.fit")
        #expect { try RecordingFile.read(lost) } throws: {
            "\($0)".contains("No such file or directory; check the name")
        }
        let pipe = folder.url.appending(path: "pipe")
        try #require(mkfifo(pipe.path, 0o600) == 0)
        #expect(throws: RecordingError.notRegular(path: pipe.path)) { try RecordingFile.read(pipe) }
    }

    @Test func `a session that a file does not hold is refused with how many there are`() throws {
        let file = folder.url.appending(path: "run.fit")
        let second = FITBytes.run(start: FITBytes.start + 4000)
        try Data(FITBytes.run().file() + second.file()).write(to: file)
        #expect(try RecordingFile.read(file, workout: 2).start == FITRecordingTests.start + 4000)
        #expect { try RecordingFile.read(file, workout: 3) } throws: {
            "\($0)".contains("there is no session 3 in \(file.path): it holds 2 workouts")
        }
    }

    @Test func `a log that becomes shorter while it is played says so`() throws {
        let entries = SessionLogFileTests.minute
        let file = try folder.file("log.jsonl", logBytes(entries))
        let recording = try RecordingFile.read(file)
        #expect(Array(recording.entries) == entries)
        #expect(recording.entries.failure == nil)
        _ = try folder.file("log.jsonl", logBytes(Array(entries.dropLast(4))))
        #expect(Array(recording.entries).count < entries.count)
        #expect("\(try #require(recording.entries.failure))".contains("became shorter"))
    }
}
