import Foundation
import MadeEntries
import Testing

@testable import Recordings
@testable import SessionLog

struct RecordingFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        arguments: [
            ([0x0E, 0x20, 0x8B, 0x08, 0, 0, 0, 0] + Array(".FIT".utf8), "fit"),
            (Array("{\"at\":".utf8), "jsonl"),
            ([0xEF, 0xBB, 0xBF] + Array("\r\n {".utf8), "jsonl"),
            (Array("btsnoop\0".utf8), "btsnoop"),
            ([0x0A, 0x0D, 0x0D, 0x0A, 0], "pcapng"),
            ([0xD4, 0xC3, 0xB2, 0xA1], "pcap"),
            (Array("<?xml version=\"1.0\"?><svg>".utf8), nil),
            ([0x50, 0x4B, 0x03, 0x04, 0], nil),
            ([0x1F, 0x8B, 0x08], nil),
            ([0, 1, 2, 3], nil),
            ([], nil),
        ] as [([UInt8], String?)])
    func `the format is recognized by the first bytes`(bytes: [UInt8], format: String?) {
        #expect(RecordingFile.format(startingWith: FileStart(bytes))?.name == format)
    }

    @Test(
        arguments: [
            ("<?xml version=\"1.0\"?><!-- <gpx> --><TrainingCenterDatabase xmlns=", "TrainingCenterDatabase"),
            ("\u{FEFF}<?xml version=\"1.0\"?>\n<gpx creator=", "gpx"), ("<g:gpx>", "gpx"), ("<gpx/>", "gpx"),
            ("<?xml version=\"1.0\"?><!DOCTYPE HealthData [<!ELEMENT", "HealthData"),
            ("<!-- never closed <gpx>", nil), ("<", nil), ("time,hr\n", nil), ("", nil),
        ] as [(String, String?)])
    func `the root of an XML file is found after its prolog`(text: String, root: String?) {
        #expect(FileStart(Array(text.utf8)).xmlRoot == root)
    }

    @Test func `a custom format reads what it recognizes, and takes precedence if listed first`() throws {
        struct Pulse: RecordingFormat {
            let name = "pulse"
            let title = "pulse files"
            let endings = ["pulse"]
            func recognizes(_ start: FileStart) -> Bool { start.holds(Array("pulse:".utf8)) }
            func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
                let entries = RecordedEntries(reading: { () throws(RecordingError) in
                    var left = try source.open().start(64).dropFirst(6)
                    return { () throws(RecordingError) in
                        left.popFirst().map {
                            SessionEntry(
                                Date(timeIntervalSinceReferenceDate: Double($0)),
                                .metadata(["pulse": .number(Double($0))]))
                        }
                    }
                })
                return [Recording(entries: entries, file: RecordingSummary(format: name), start: nil, end: nil)]
            }
        }
        let source = RecordingSource(path: "mine", bytes: Array("pulse:ab".utf8))
        let all = try RecordingFile.readAll(source, formats: [Pulse()] + RecordingFile.formats)
        #expect(all.count == 1)
        for _ in 0..<2 { #expect(all[0].entries.map(\.date.timeIntervalSinceReferenceDate) == [97, 98]) }
        #expect { try RecordingFile.readAll(source) } throws: { "\($0)".contains("supported: FIT, ") }
    }

    @Test func `a single recording in an archive is read, and named as outside`() throws {
        let run = FITBytes.run().file()
        let plain = folder.url.appending(path: "run.fit")
        try Data(run).write(to: plain)
        func archive(_ files: [String: [UInt8]]) throws -> URL {
            var zip = ZipBuilder()
            for (name, bytes) in files.sorted(by: { $0.key < $1.key }) { zip.add(name, bytes) }
            let url = folder.url.appending(path: "export.zip")
            try Data(zip.finished()).write(to: url)
            return url
        }
        let one = try archive(["a/": [], "a/run.fit": run, "a/photo.jpg": [0xFF, 0xD8], "__MACOSX/a/._run.fit": run])
        #expect(try RecordingFile.read(one).list == RecordingFile.read(plain).list)
        #expect(try RecordingFile.identity(one) == RecordingFile.identity(plain))
        #expect(throws: RecordingError.severalRecordings(path: one.path)) {
            try RecordingFile.read(archive(["a.fit": run, "b.fit": run]))
        }
        #expect(throws: RecordingError.notReadable(path: one.path, content: .zip)) {
            try RecordingFile.read(archive(["photo.jpg": [0xFF, 0xD8]]))
        }
        #expect(throws: RecordingError.notReadable(path: one.path, content: .appleHealth)) {
            try RecordingFile.read(archive(["a.fit": run, "export.xml": Array("<HealthData>".utf8)]))
        }
    }

    @Test func `a rewritten session log is the same log`() throws {
        let entries = SessionLogFileTests.minute
        var writer = try #require(SessionLogFormat().writer())
        var bytes: [UInt8] = []
        try writer.write(RecordedEntries(entries)) { bytes += $0 }
        #expect(try bytes == logBytes(entries))
        #expect(writer.leftOut == [])
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
        ("", "the file is empty"), ("PK\u{3}\u{4}", "the end of the archive is missing"),
        ("<HealthData ", "import it: workout import FILE"),
        ("hello", "unknown format; supported: "), ("btsnoop\0", "the header is cut"),
    ])
    func `an unreadable file is named with a remedy`(content: String, message: String) throws {
        let file = try folder.file("file.bin", content)
        #expect { try RecordingFile.read(file) } throws: { error in
            "\(error)".hasPrefix("cannot read \(file.path): ") && "\(error)".contains(message)
        }
    }

    @Test func `a folder, a missing file and a pipe are rejected without waiting`() throws {
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

    @Test func `a missing session is an error with the number of sessions`() throws {
        let file = folder.url.appending(path: "run.fit")
        let second = FITBytes.run(start: FITBytes.start + 4000)
        try Data(FITBytes.run().file() + second.file()).write(to: file)
        #expect(try RecordingFile.read(file, workout: 2).start == FITRecordingTests.start + 4000)
        #expect { try RecordingFile.read(file, workout: 3) } throws: {
            "\($0)".contains("no session 3 in \(file.path): it holds 2 workouts")
        }
    }

    @Test func `a log truncated while it is played is an error`() throws {
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
