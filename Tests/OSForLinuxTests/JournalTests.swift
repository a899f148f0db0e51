import Foundation
import Testing

@testable import OSForLinux

/// A socket of the test that replaces journald's.
private final class Journal {
    let path = "/tmp/journal-\(UUID().uuidString.prefix(8))"
    let descriptor: Int32

    init() throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// The next datagram that has already arrived.
    func datagram() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return count < 0 ? nil : Array(bytes.prefix(count))
    }

    /// The fields of the next datagram, decoded by journald's protocol.
    func fields() throws -> [String: String] {
        var rest = try #require(datagram())[...]
        var fields: [String: String] = [:]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest[..<end]
            rest = rest[(end + 1)...]
            if let equals = line.firstIndex(of: UInt8(ascii: "=")) {
                fields[String(decoding: line[..<equals], as: UTF8.self)] = String(
                    decoding: line[(equals + 1)...], as: UTF8.self)
            } else {
                let length = rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
                rest = rest.dropFirst(8)
                fields[String(decoding: line, as: UTF8.self)] = String(decoding: rest.prefix(length), as: UTF8.self)
                rest = rest.dropFirst(length)
                #expect(rest.first == UInt8(ascii: "\n"))
                rest = rest.dropFirst()
            }
        }
        #expect(rest.isEmpty)
        return fields
    }
}

/// A file that replaces standard error.
private final class StandardError {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let descriptor: Int32

    init() { descriptor = open(file.path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600) }

    deinit {
        close(descriptor)
        try? FileManager.default.removeItem(at: file)
    }

    func text() throws -> String { try String(contentsOf: file, encoding: .utf8) }
}

@Suite struct JournalTests {
    private let journal: Journal
    private let standardError = StandardError()

    init() throws { journal = try Journal() }

    private func log(_ settings: String = "", path: String? = nil) -> (OSLog, LogOutput) {
        let output = LogOutput(
            settings: LogSettings(settings), journalPath: path ?? journal.path,
            standardError: standardError.descriptor)
        return (OSLog(subsystem: "com.example.Runner", category: "workout", output: output), output)
    }

    @Test(arguments: [
        (OSLogType.debug, "7"), (.info, "6"), (.default, "5"), (.error, "3"), (.fault, "2"),
    ])
    func `each level has its syslog priority`(type: OSLogType, priority: String) throws {
        Logger(log("debug").0).log(level: type, "begun")
        let fields = try journal.fields()
        #expect(fields["PRIORITY"] == priority)
        #expect(fields["MESSAGE"] == "begun")
        #expect(fields["SUBSYSTEM"] == "com.example.Runner")
        #expect(fields["CATEGORY"] == "workout")
        #expect(fields["SYSLOG_IDENTIFIER"] == ProcessInfo.processInfo.processName)
    }

    @Test func `a message keeps its line breaks and cannot add fields`() throws {
        let text = "one\nPRIORITY=0\n\nünd drei"
        Logger(log().0).info("\(text, privacy: .public)")
        let fields = try journal.fields()
        #expect(fields["MESSAGE"] == text)
        #expect(fields["PRIORITY"] == "6")
    }

    @Test func `the datagram has the protocol's bytes`() {
        let entry = LogEntry(date: Date(), type: .error, subsystem: "", category: "a\nb", message: "x")
        let expected =
            Array("MESSAGE=x\nPRIORITY=3\nSYSLOG_IDENTIFIER=app\nCATEGORY\n".utf8) + [3, 0, 0, 0, 0, 0, 0, 0]
            + Array("a\nb\nTID=7\n".utf8)
        #expect(entry.datagram(process: "app", thread: 7) == expected)
    }

    @Test func `a message that the socket refuses goes to standard error`() throws {
        let (log, _) = log()
        let large = String(repeating: "x", count: 4 << 20)
        Logger(log).error("\(large, privacy: .public)")
        #expect(journal.datagram() == nil)
        #expect(try standardError.text().hasSuffix("[com.example.Runner:workout] error: \(large)\n"))
        Logger(log).error("small")
        #expect(try journal.fields()["MESSAGE"] == "small")
    }

    @Test func `a missing or full journal loses no message and blocks nobody`() throws {
        let (log, _) = log()
        for number in 0..<2_000 { Logger(log).notice("number \(number)") }
        var came: [String] = []
        while let datagram = journal.datagram() {
            let line = String(decoding: datagram, as: UTF8.self).prefix { $0 != "\n" }
            came.append(String(line.dropFirst("MESSAGE=number ".count)))
        }
        let written = try standardError.text().split(separator: "\n").compactMap { $0.split(separator: " ").last }
        let all = Set(came + written.map(String.init))
        #expect(came.count + written.count == 2_000)
        #expect((0..<2_000).allSatisfy { all.contains(String($0)) })

        unlink(journal.path)
        Logger(log).notice("the last")
        #expect(try standardError.text().hasSuffix("notice: the last\n"))
    }

    @Test func `without a journal, or on request, messages go to standard error as lines`() throws {
        Logger(log(path: "/nowhere/socket").0).info("no journal")
        Logger(log("stderr").0).info("asked")
        #expect(journal.datagram() == nil)
        let lines = try standardError.text().split(separator: "\n")
        #expect(lines.count == 2)
        let pattern = #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z .+\[\d+\] \[com\.example\.Runner:workout\] info: asked/#
        #expect(try pattern.wholeMatch(in: lines[1]) != nil, "\(lines[1])")
    }

    @Test(arguments: [("", 4), ("debug", 5), ("notice", 3), ("error", 2), ("fault", 1), ("off", 0)])
    func `messages below the lowest level are neither written nor created`(settings: String, count: Int) throws {
        let (log, output) = log(settings)
        var made = 0
        func value() -> Int {
            made += 1
            return made
        }
        let logger = Logger(log)
        logger.debug("\(value())")
        logger.info("\(value())")
        logger.notice("\(value())")
        logger.error("\(value())")
        logger.fault("\(value())")
        #expect(output.recentEntries.count == count)
        #expect(made == count)
        #expect(log.isEnabled(type: .debug) == (count == 5))
        #expect(log.isEnabled(type: .fault) == (count > 0))
    }

    @Test func `unknown settings are found, and the others apply`() {
        let settings = LogSettings("Debug, verbose,private")
        #expect(settings.unknown == ["verbose"])
        #expect(settings.lowestLevel == .debug)
        #expect(settings.showsPrivate)
    }

    @Test func `a disabled log writes nothing`() {
        #expect(!OSLog.disabled.isEnabled(type: .fault))
        Logger(.disabled).fault("nobody reads this")
        #expect(journal.datagram() == nil)
    }

    @Test func `a store returns the process's messages by level and date`() throws {
        let (log, output) = log("debug")
        let logger = Logger(log)
        logger.debug("first")
        let between = Date()
        logger.fault("second \("secret")")
        let store = OSLogStore(output: output)
        let all = Array(try store.getEntries()).compactMap { $0 as? OSLogEntryLog }
        #expect(all.map(\.composedMessage) == ["first", "second <private>"])
        #expect(all.map(\.level) == [.debug, .fault])
        #expect(all.map(\.category) == ["workout", "workout"])
        let later = try store.getEntries(at: store.position(date: between))
        #expect(later.map(\.composedMessage) == ["second <private>"])
        let faults = try store.getEntries(
            with: .reverse,
            matching: NSPredicate { entry, _ in (entry as? OSLogEntryLog)?.level == .fault })
        #expect(faults.map(\.composedMessage) == ["second <private>"])
        #expect(throws: CocoaError.self) { try OSLogStore(scope: .system) }
    }

    @Test func `a signpost is a message at the level debug, and an interval's end has its length`() throws {
        let (log, output) = log("debug")
        let signposter = OSSignposter(logHandle: log)
        let name: StaticString = "import"
        let state = signposter.beginInterval(name, id: signposter.makeSignpostID(), "of \(3) files")
        signposter.endInterval(name, state)
        signposter.emitEvent("beat")
        #expect(signposter.withIntervalSignpost("sum", around: { 1 + 1 }) == 2)
        os_signpost(.begin, log: log, name: "old", "%d", 1)
        let messages = output.recentEntries.map(\.message)
        #expect(messages.first == "import: begin of 3 files")
        #expect(try #/import: end after \d+\.\d{3} ms /#.wholeMatch(in: messages[1]) != nil)
        #expect(messages[2] == "beat: event ")
        #expect(messages.count == 6)
        #expect(messages.last == "old: begin 1")
        #expect(!OSSignposter.disabled.isEnabled)
        #expect(signposter.makeSignpostID() != signposter.makeSignpostID())
    }
}
