public import Foundation

/// A log of one part (category) of an app (subsystem).
/// Source: <https://developer.apple.com/documentation/os/oslog>.
public final class OSLog: NSObject, Sendable {
    /// A category with a meaning for tools that measure.
    public struct Category: Sendable {
        let name: String
        /// Points in time that matter to the person who measures.
        public static let pointsOfInterest = Category(name: "PointsOfInterest")
        /// Intervals that are written only while something measures.
        public static let dynamicTracing = Category(name: "DynamicTracing")
        /// As `dynamicTracing`, with the calls that led there. Linux keeps no calls.
        public static let dynamicStackTracing = Category(name: "DynamicStackTracing")
    }

    let subsystem: String
    let category: String
    private let output: LogOutput?

    init(subsystem: String, category: String, output: LogOutput?) {
        self.subsystem = subsystem
        self.category = category
        self.output = output
    }

    /// A log of one part of an app.
    public convenience init(subsystem: String, category: String) {
        self.init(subsystem: subsystem, category: category, output: .process)
    }

    /// A log with a category that has a meaning for tools.
    public convenience init(subsystem: String, category: Category) {
        self.init(subsystem: subsystem, category: category.name, output: .process)
    }

    /// The log without subsystem and category.
    public static let `default` = OSLog(subsystem: "", category: "")
    /// A log that writes nothing.
    public static let disabled = OSLog(subsystem: "", category: "", output: nil)

    /// Whether the log writes messages of a level.
    public func isEnabled(type: OSLogType) -> Bool { output?.settings.writes(type) ?? false }

    /// Whether the log writes signposts: with the word `debug` in `HEALTHKIT_OSLOG`.
    public var signpostsEnabled: Bool { isEnabled(type: .debug) }

    func write(_ type: OSLogType, _ message: OSLogMessage) {
        guard let output, output.settings.writes(type) else { return }
        output.write(
            LogEntry(
                date: Date(), type: type, subsystem: subsystem, category: category,
                message: message.text(showsPrivate: output.settings.showsPrivate)))
    }

    func write(_ type: OSLogType, format: String, _ arguments: [Any?]) {
        guard let output, output.settings.writes(type) else { return }
        let text = LogFormat(format).text(arguments, showsPrivate: output.settings.showsPrivate)
        output.write(
            LogEntry(date: Date(), type: type, subsystem: subsystem, category: category, message: text))
    }
}

/// Writes a message at the level `default` to the log without subsystem and category.
public func os_log(_ message: OSLogMessage) { OSLog.default.write(.default, message) }

/// Writes a message to a log.
public func os_log(_ logLevel: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {
    log.write(logLevel, message)
}

/// Writes a message of a format string with arguments, as in `os_log("beat %d of %{public}@", log: log, type: .info, beat, name)`.
///
/// Text and objects (`%@`, `%s`) are private unless the format says `%{public}`; numbers are public unless it says `%{private}`. On Apple's
/// systems an argument has to be a `CVarArg`; here it may be any value.
/// Source: <https://developer.apple.com/documentation/os/os_log(_:dso:log:type:_:)>.
@_disfavoredOverload
public func os_log(
    _ message: StaticString, dso: UnsafeRawPointer? = #dsohandle, log: OSLog = .default, type: OSLogType = .default,
    _ args: Any?...
) {
    log.write(type, format: message.description, args)
}

/// Writes a message of a format string with arguments.
@_disfavoredOverload
public func os_log(
    _ type: OSLogType, dso: UnsafeRawPointer? = #dsohandle, log: OSLog = .default, _ message: StaticString,
    _ args: Any?...
) {
    log.write(type, format: message.description, args)
}
