/// Writes messages to the log: the journal, or standard error if there is none.
///
///     let logger = Logger(subsystem: "com.example.Runner", category: "workout")
///     logger.info("heart rate \(bpm), sensor \(name, privacy: .public)")
///
/// `journalctl SUBSYSTEM=com.example.Runner CATEGORY=workout` shows them. A call never waits for the journal.
/// Source: <https://developer.apple.com/documentation/os/logger>.
public struct Logger: Sendable {
    private let log: OSLog

    /// A logger for messages of one part (category) of an app (subsystem, its bundle's identifier by habit).
    public init(subsystem: String, category: String) { log = OSLog(subsystem: subsystem, category: category) }

    /// A logger without subsystem and category.
    public init() { log = .default }

    /// A logger that writes to an existing log.
    public init(_ logObj: OSLog) { log = logObj }

    var handle: OSLog { log }

    /// Writes a message at the level `default`.
    public func log(_ message: OSLogMessage) { log.write(.default, message) }
    /// Writes a message at a level.
    public func log(level: OSLogType, _ message: OSLogMessage) { log.write(level, message) }
    /// Writes a message at the level `debug`.
    public func trace(_ message: OSLogMessage) { log.write(.debug, message) }
    /// Writes a message at the level `debug`.
    public func debug(_ message: OSLogMessage) { log.write(.debug, message) }
    /// Writes a message at the level `info`.
    public func info(_ message: OSLogMessage) { log.write(.info, message) }
    /// Writes a message at the level `default`.
    public func notice(_ message: OSLogMessage) { log.write(.default, message) }
    /// Writes a message at the level `error`.
    public func warning(_ message: OSLogMessage) { log.write(.error, message) }
    /// Writes a message at the level `error`.
    public func error(_ message: OSLogMessage) { log.write(.error, message) }
    /// Writes a message at the level `fault`.
    public func critical(_ message: OSLogMessage) { log.write(.fault, message) }
    /// Writes a message at the level `fault`.
    public func fault(_ message: OSLogMessage) { log.write(.fault, message) }
}
