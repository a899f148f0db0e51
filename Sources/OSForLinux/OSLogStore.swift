public import Foundation

/// The last messages that this process wrote, up to 2,000.
///
/// Apple's store reads the whole log of the system or of the app. On Linux `journalctl` does that. This store contains
/// the messages of the present process. Source: <https://developer.apple.com/documentation/oslog/oslogstore>.
public class OSLogStore: NSObject {
    /// Whose messages a store has.
    public enum Scope: Int, Sendable {
        /// Those of this process.
        case currentProcessIdentifier
        /// Those of the whole system, which this store cannot read.
        case system
    }

    private let output: LogOutput

    init(output: LogOutput) { self.output = output }

    /// The messages of this process. Throws for any other scope: `journalctl` reads those.
    public init(scope: Scope) throws {
        guard scope == .currentProcessIdentifier else {
            throw CocoaError(
                .featureUnsupported,
                userInfo: [
                    NSLocalizedDescriptionKey:
                        "OSLogStore reads the messages of this process only; journalctl shows those of others."
                ])
        }
        output = .process
    }

    /// A place in time from which a store is read.
    public func position(date: Date) -> OSLogPosition { OSLogPosition(date: date) }

    /// A place so many seconds from the start of the process's messages, or, with a negative number, from now back.
    public func position(timeIntervalSinceEnd seconds: TimeInterval) -> OSLogPosition {
        OSLogPosition(date: Date(timeIntervalSinceNow: seconds))
    }

    /// The place so many seconds after the machine was started.
    public func position(timeIntervalSinceLatestBoot seconds: TimeInterval) -> OSLogPosition {
        OSLogPosition(date: Date(timeIntervalSinceNow: seconds - ProcessInfo.processInfo.systemUptime))
    }

    /// The messages from a place on, oldest first, that a predicate holds for. On Linux a predicate has a block: format strings are Apple's alone.
    public func getEntries(
        with options: OSLogEnumerator.Options = [], at position: OSLogPosition? = nil,
        matching predicate: NSPredicate? = nil
    ) throws -> AnySequence<OSLogEntry> {
        let start = position?.date ?? .distantPast
        let found = output.recentEntries.filter { $0.date >= start }.map { OSLogEntryLog($0) }
            .filter { predicate?.evaluate(with: $0) ?? true }
        return AnySequence(options.contains(.reverse) ? found.reversed() : found)
    }
}

/// Where to start reading a store.
public class OSLogPosition: NSObject {
    let date: Date
    init(date: Date) { self.date = date }
}

/// How a store is read.
public enum OSLogEnumerator {
    /// How a store is read.
    public struct Options: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// The newest first.
        public static let reverse = Options(rawValue: 1)
    }
}

/// A message that was written.
public class OSLogEntry: NSObject {
    fileprivate let entry: LogEntry
    fileprivate init(_ entry: LogEntry) { self.entry = entry }

    /// The text, with private values hidden as in the log.
    public var composedMessage: String { entry.message }
    /// When it was written.
    public var date: Date { entry.date }
}

/// A message of a subsystem and category.
public class OSLogEntryLog: OSLogEntry {
    /// How important a message is.
    public enum Level: Int, Sendable {
        case undefined, debug, info, notice, error, fault
    }

    fileprivate override init(_ entry: LogEntry) { super.init(entry) }

    /// The part of the app that wrote it.
    public var category: String { entry.category }
    /// The app that wrote it.
    public var subsystem: String { entry.subsystem }
    /// The process that wrote it.
    public var process: String { ProcessInfo.processInfo.processName }
    /// The number of the process that wrote it.
    public var processIdentifier: pid_t { getpid() }
    /// How important it is.
    public var level: Level {
        switch entry.type {
        case .debug: .debug
        case .info: .info
        case .error: .error
        case .fault: .fault
        default: .notice
        }
    }
}
