import Foundation
import Synchronization

/// The settings of `HEALTHKIT_OSLOG`: words separated by commas.
struct LogSettings: Equatable, Sendable {
    enum Destination: Equatable, Sendable {
        /// The journal if there is one, else standard error.
        case journalOrStandardError
        case standardError
        case nowhere
    }

    var destination = Destination.journalOrStandardError
    /// The lowest level that is written.
    var lowestLevel = OSLogType.info
    var showsPrivate = false
    /// Words without a meaning.
    var unknown: [String] = []

    static let variable = "HEALTHKIT_OSLOG"

    init(_ text: String = "") {
        for word in text.split(separator: ",").map({ $0.trimmingCharacters(in: .whitespaces).lowercased() }) {
            switch word {
            case "journal": destination = .journalOrStandardError
            case "stderr": destination = .standardError
            case "off": destination = .nowhere
            case "debug": lowestLevel = .debug
            case "info": lowestLevel = .info
            case "notice": lowestLevel = .default
            case "error": lowestLevel = .error
            case "fault": lowestLevel = .fault
            case "private": showsPrivate = true
            default: unknown.append(word)
            }
        }
    }

    func writes(_ type: OSLogType) -> Bool { destination != .nowhere && type.rank >= lowestLevel.rank }
}

/// A message to write.
struct LogEntry: Equatable, Sendable {
    var date: Date
    var type: OSLogType
    var subsystem: String
    var category: String
    var message: String

    /// One line of standard error, in UTC.
    func line(process: String, identifier: Int32) -> String {
        let date = self.date.formatted(
            Date.ISO8601FormatStyle(includingFractionalSeconds: true).dateSeparator(.dash))
        let origin = [subsystem, category].filter { !$0.isEmpty }.joined(separator: ":")
        return "\(date) \(process)[\(identifier)] \(origin.isEmpty ? "" : "[\(origin)] ")\(type.name): \(message)\n"
    }

    /// A datagram of journald's native protocol: `NAME=value` lines, or, for a value with a line break, the name, a line break, the
    /// length of the value as 64 bits (least byte first), the value and a line break.
    /// Source: <https://systemd.io/JOURNAL_NATIVE_PROTOCOL/>.
    func datagram(process: String, thread: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        func add(_ name: String, _ value: String) {
            guard !value.isEmpty else { return }
            if value.utf8.contains(UInt8(ascii: "\n")) {
                bytes += Array("\(name)\n".utf8)
                withUnsafeBytes(of: UInt64(value.utf8.count).littleEndian) { bytes += $0 }
                bytes += Array("\(value)\n".utf8)
            } else {
                bytes += Array("\(name)=\(value)\n".utf8)
            }
        }
        add("MESSAGE", message.isEmpty ? " " : message)
        add("PRIORITY", String(type.journalPriority))
        add("SYSLOG_IDENTIFIER", process)
        add("SUBSYSTEM", subsystem)
        add("CATEGORY", category)
        add("TID", String(thread))
        return bytes
    }
}

/// The destination of a process's messages. A call never waits for the journal: messages that it does not accept at
/// once go to standard error.
final class LogOutput: Sendable {
    let settings: LogSettings
    private let journal: JournalSocket?
    private let standardError: Int32
    private let process = ProcessInfo.processInfo.processName
    private let recent = Mutex<[LogEntry]>([])

    /// The number of messages that `OSLogStore` finds.
    static let recentCount = 2_000

    /// The output of this process, set by the variable.
    static let process: LogOutput = {
        let settings = LogSettings(ProcessInfo.processInfo.environment[LogSettings.variable] ?? "")
        let output = LogOutput(settings: settings)
        if !settings.unknown.isEmpty {
            output.writeLine(
                "\(LogSettings.variable): ignored '\(settings.unknown.joined(separator: "', '"))'; words are journal, "
                    + "stderr, off, debug, info, notice, error, fault and private\n")
        }
        return output
    }()

    init(settings: LogSettings, journalPath: String = JournalSocket.path, standardError: Int32 = STDERR_FILENO) {
        self.settings = settings
        self.standardError = standardError
        journal = settings.destination == .journalOrStandardError ? JournalSocket(path: journalPath) : nil
    }

    func write(_ entry: LogEntry) {
        recent.withLock { entries in
            if entries.count >= 2 * Self.recentCount { entries.removeFirst(entries.count - Self.recentCount) }
            entries.append(entry)
        }
        let thread = Int(os_unfair_lock_this_thread())
        if let journal, journal.send(entry.datagram(process: process, thread: thread)) { return }
        writeLine(entry.line(process: process, identifier: getpid()))
    }

    /// The last messages of this process, oldest first.
    var recentEntries: [LogEntry] { recent.withLock { Array($0.suffix(Self.recentCount)) } }

    private func writeLine(_ line: String) {
        var rest = Array(line.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(standardError, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }
}

/// The datagram socket on which journald listens.
final class JournalSocket: Sendable {
    static let path = "/run/systemd/journal/socket"

    private let descriptor: Int32
    private let path: String

    /// Nil if there is no socket at the path.
    init?(path: String) {
        guard access(path, W_OK) == 0, path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else {
            return nil
        }
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        self.path = path
    }

    deinit { close(descriptor) }

    /// Sends a datagram. Returns false if the journal does not accept it now: it is gone, too slow, or the datagram is
    /// too large for a socket.
    func send(_ bytes: [UInt8]) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
        // Each datagram is addressed separately, so that a restarted journal is found again.
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, flags, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        } == bytes.count
    }
}
