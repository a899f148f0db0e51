import Foundation
import MadeEntries
import Testing

@testable import SessionLog

struct SessionLogWriterTests {
    private let folder: TemporaryFolder
    private let log: URL

    init() throws {
        folder = try TemporaryFolder()
        log = folder.url.appending(path: "log.jsonl")
    }

    private static func entries(_ count: Int, seed: UInt64 = 21) -> [SessionEntry] {
        var random = RandomEntries(seed: seed)
        return (0..<count).map { random.entry(ofKind: $0 % RandomEntries.kinds) }
    }

    private func bytes(_ url: URL) throws -> [UInt8] { Array(try Data(contentsOf: url)) }

    @Test func `flushed entries are in the file, and appended ones wait`() throws {
        let entries = Self.entries(6)
        var writer = try SessionLogWriter(log)
        for entry in entries[..<4] { try writer.append(entry) }
        #expect(try bytes(log).isEmpty)
        #expect(writer.pendingByteCount > 0)
        try writer.flush()
        #expect(writer.pendingByteCount == 0)
        #expect(try bytes(log) == logBytes(Array(entries[..<4])))
        for entry in entries[4...] { try writer.append(entry) }
        try writer.close()
        #expect(try bytes(log) == logBytes(entries))
        let mode = try #require(FileManager.default.attributesOfItem(atPath: log.path)[.posixPermissions] as? Int)
        #expect(mode & 0o077 == 0, "health data is its owner's alone")
    }

    @Test func `a log truncated at any byte continues after its last complete line`() throws {
        let before = Self.entries(14)
        let after = SessionEntry(Date(timeIntervalSinceReferenceDate: 8e8), .state(.ended))
        let whole = try logBytes(before)
        for end in 0...whole.count {
            let file = try folder.file("cut.jsonl", Array(whole[..<end]))
            var writer = try SessionLogWriter(file)
            let repair = writer.repair
            try writer.append(after)
            try writer.close(durable: false)

            let lines = whole[..<end].filter { $0 == 0x0A }.count
            let lacksLineFeed = end < whole.count && whole[end] == 0x0A
            let kept = lacksLineFeed ? lines + 1 : lines
            #expect(try bytes(file) == logBytes(before[..<kept] + [after]), "cut at \(end)")
            let isWhole = end == 0 || whole[end - 1] == 0x0A
            #expect((repair == nil) == isWhole)
        }
    }

    @Test func `a second writer is rejected until the first one closes`() throws {
        let first = try SessionLogWriter(log)
        #expect(throws: SessionLogError.locked(path: log.path)) { try openAndClose(log) }
        try first.close()
        try openAndClose(log)
    }

    @Test func `consecutive writers do not interleave`() throws {
        let entries = Self.entries(20)
        for entry in entries {
            var writer = try SessionLogWriter(log)
            try writer.append(entry)
            try writer.close(durable: false)
        }
        #expect(try bytes(log) == logBytes(entries))
    }

    @Test(arguments: [
        "Dear diary, today I ran.", "Dear diary,\ntoday I ran.\n", "{\"at\":1}", "{\"key\": [1,\n2]}\n", "{\"key\":",
        "\n\nnotes", "{\"at\":0,\"state\":\"running\"}\n", "garbage\n{\"at\":0,\"state\":\"running\"}\n", "<gpx/>\n",
    ])
    func `a file that is not a log is rejected and left unchanged`(text: String) throws {
        let file = try folder.file("notes.txt", text)
        #expect {
            try openAndClose(file)
        } throws: { error in
            guard case SessionLogError.notALog = error else { return false }
            return "\(error)".contains("this one was not changed")
        }
        #expect(try bytes(file) == Array(text.utf8))
    }

    @Test func `a log of a newer version is rejected and left unchanged`() throws {
        let text = "{\"at\":0,\"log\":2}\n{\"at\":0,\"sta"
        let file = try folder.file("new.jsonl", text)
        #expect(throws: SessionLogError.newerVersion(2, line: 1, byte: 0)) { try openAndClose(file) }
        #expect(try bytes(file) == Array(text.utf8))
    }

    @Test func `a log edited by hand continues: byte order mark, empty lines, no final line feed`() throws {
        let header = Self.entries(1)
        let line = try logBytes(header).dropLast()
        let file = try folder.file("edited.jsonl", SessionLogDecoder.byteOrderMark + [0x0A] + line)
        var writer = try SessionLogWriter(file)
        #expect(writer.repair?.message == "the last line was whole and got its line feed")
        try writer.append(SessionEntry(Date(timeIntervalSinceReferenceDate: 0), .activityEnded))
        try writer.close()
        #expect(try decoded(bytes(file)).entries.map(\.content) == [header[0].content, .activityEnded])
    }

    @Test func `zeros left by a power loss are removed`() throws {
        let header = try logBytes(Self.entries(1))
        let file = try folder.file("zeros.jsonl", header + [UInt8](repeating: 0, count: 200_000))
        try openAndClose(file)
        #expect(try bytes(file) == header)
        let empty = try folder.file("empty.jsonl", [UInt8](repeating: 0, count: 4096))
        try openAndClose(empty)
        #expect(try bytes(empty).isEmpty)
    }

    @Test func `an entry that cannot be written does not affect the others`() throws {
        let date = Date(timeIntervalSinceReferenceDate: 0)
        var writer = try SessionLogWriter(log)
        try writer.append(SessionEntry(date, .state(.running)))
        #expect(throws: SessionLogError.notFinite(key: "rr")) {
            try writer.append(SessionEntry(date, .beats(BeatReading(intervalsInMilliseconds: [.nan]))))
        }
        try writer.append(SessionEntry(date, .state(.ended)))
        try writer.close()
        #expect(try decoded(bytes(log)).entries.count == 2)
    }

    @Test func `a folder, a missing folder and a device are rejected with a reason`() throws {
        let directory = folder.url
        #expect { try openAndClose(directory) } throws: {
            "\($0)".contains("Is a directory; choose a file in this folder")
        }
        let lost = folder.url.appending(path: "none/log.jsonl")
        #expect { try openAndClose(lost) } throws: { "\($0)".contains("No such file or directory; check the name") }
        let null = URL(fileURLWithPath: "/dev/null")
        #expect { try openAndClose(null) } throws: { "\($0)".contains("not a regular file") }
    }

    /// On a network file system, a write that must not wait fails with EAGAIN in the middle of a log.
    @Test func `a log is replaced through a temporary file`() throws {
        let writer = try SessionLogWriter(log)
        var flags: [Int] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            guard (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")) == log.path,
                let text = try? String(contentsOfFile: "/proc/self/fdinfo/\(name)", encoding: .utf8),
                let octal = text.firstMatch(of: #/flags:\s*([0-7]+)/#)?.1
            else { continue }
            flags.append(try #require(Int(octal, radix: 8)))
        }
        try writer.close(durable: false)
        #expect(!flags.isEmpty && flags.allSatisfy { $0 & Int(O_NONBLOCK) == 0 })
    }

    /// In a separate process, because its standard streams are closed.
    @Test func `output of a program without standard streams does not get into its log`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let log = folder.url.appending(path: "log.jsonl")
            for stream in STDIN_FILENO...STDERR_FILENO { close(stream) }
            var writer = try SessionLogWriter(log)
            for stream in STDIN_FILENO...STDERR_FILENO { write(stream, "hello\n", 6) }
            try writer.append(SessionEntry(Date(timeIntervalSinceReferenceDate: 0), .state(.running)))
            try writer.close()
            let isWhole = try decoded(Array(Data(contentsOf: log))).entries.count == 1
            if !isWhole { exit(1) }
        }
    }

    private func openAndClose(_ url: URL) throws {
        let writer = try SessionLogWriter(url)
        try writer.close(durable: false)
    }

    /// In a separate process, because the limit that simulates a full disk applies to the whole process.
    @Test func `a full disk leaves complete lines, and the rest is written when there is space`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let log = folder.url.appending(path: "log.jsonl")
            signal(SIGXFSZ, SIG_IGN)
            let entry = SessionEntry(Date(timeIntervalSinceReferenceDate: 0), .state(.running))
            let line = try logBytes([entry]).count
            let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
            var limit = rlimit(rlim_cur: rlim_t(line * 10 + 7), rlim_max: .max)
            try #require(getrlimit(resource, &limit) == 0)
            limit.rlim_cur = rlim_t(line * 10 + 7)
            try #require(setrlimit(resource, &limit) == 0)

            var writer = try SessionLogWriter(log)
            for _ in 0..<5 { try writer.append(entry) }
            try writer.flush(durable: true)
            for _ in 0..<12 { try writer.append(entry) }
            var message = ""
            do { try writer.flush() } catch { message = "\(error)" }
            try #require(message.contains("cannot write to \(log.path): File too large; free some disk space"))
            let length = { try Data(contentsOf: log).count }
            try #require(try length() == line * 10)
            try #require(writer.pendingByteCount == line * 7)
            do { try writer.flush() } catch { message += "again" }
            try #require(message.hasSuffix("again"))
            try #require(try length() == line * 10)

            limit.rlim_cur = limit.rlim_max
            try #require(setrlimit(resource, &limit) == 0)
            try writer.append(entry)
            try writer.close()
            try #require(try length() == line * 18)
            try #require(try decoded(Array(Data(contentsOf: log))).entries == Array(repeating: entry, count: 18))
        }
    }
}
