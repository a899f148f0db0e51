import Synchronization

/// Tells intervals of the same name apart.
public struct OSSignpostID: Hashable, Comparable, Sendable {
    /// The number of the interval.
    public let rawValue: UInt64

    /// The identifier with a number.
    public init(_ rawValue: UInt64) { self.rawValue = rawValue }

    /// A new identifier.
    public init(log: OSLog) { self.init(Self.last.wrappingAdd(1, ordering: .relaxed).newValue) }

    /// The identifier of an object while it lives.
    public init(log: OSLog, object: AnyObject) { self.init(UInt64(UInt(bitPattern: ObjectIdentifier(object)))) }

    /// For an interval of which there is one at a time.
    public static let exclusive = OSSignpostID(0xEEEE_B0B5_B2B2_EEEE)
    /// No identifier.
    public static let invalid = OSSignpostID(.max)
    /// No identifier.
    public static let null = OSSignpostID(0)

    public static func < (left: OSSignpostID, right: OSSignpostID) -> Bool { left.rawValue < right.rawValue }

    private static let last = Atomic<UInt64>(0)
}

/// The kind of a signpost.
public enum OSSignpostType: UInt8, Sendable {
    case event, begin, end
}

/// A message of a signpost.
public typealias SignpostMetadata = OSLogMessage

/// An interval that has begun.
public final class OSSignpostIntervalState: Sendable {
    let id: OSSignpostID
    let start = ContinuousClock.now

    init(id: OSSignpostID) { self.id = id }

    /// An interval that began elsewhere.
    public static func beginState(id: OSSignpostID) -> OSSignpostIntervalState { OSSignpostIntervalState(id: id) }
}

/// Measures intervals and marks events.
///
/// Linux has no Instruments: a signpost is a message at the level `debug`, which the log has with the word `debug` in `HEALTHKIT_OSLOG`. The end
/// of an interval has its length in milliseconds.
/// Source: <https://developer.apple.com/documentation/os/ossignposter>.
public struct OSSignposter: Sendable {
    private let log: OSLog

    /// A signposter of one part of an app.
    public init(subsystem: String, category: String) { log = OSLog(subsystem: subsystem, category: category) }

    /// A signposter of one part of an app.
    public init(subsystem: String, category: OSLog.Category) { log = OSLog(subsystem: subsystem, category: category) }

    /// A signposter that writes where a logger does.
    public init(logger: Logger) { log = logger.handle }

    /// A signposter that writes to a log.
    public init(logHandle: OSLog) { log = logHandle }

    /// A signposter without subsystem and category.
    public init() { log = .default }

    /// A signposter that writes nothing.
    public static let disabled = OSSignposter(logHandle: .disabled)

    /// Whether signposts are written.
    public var isEnabled: Bool { log.signpostsEnabled }

    /// A new identifier.
    public func makeSignpostID() -> OSSignpostID { OSSignpostID(log: log) }

    /// The identifier of an object while it lives.
    public func makeSignpostID(from object: AnyObject) -> OSSignpostID { OSSignpostID(log: log, object: object) }

    /// Begins an interval.
    public func beginInterval(
        _ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata = ""
    ) -> OSSignpostIntervalState {
        log.writeSignpost("begin", name, message)
        return OSSignpostIntervalState(id: id)
    }

    /// Begins an interval of an animation.
    public func beginAnimationInterval(
        _ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata = ""
    ) -> OSSignpostIntervalState {
        beginInterval(name, id: id, message)
    }

    /// Ends an interval.
    public func endInterval(
        _ name: StaticString, _ state: OSSignpostIntervalState, _ message: SignpostMetadata = ""
    ) {
        guard isEnabled else { return }
        let length = (ContinuousClock.now - state.start) / .milliseconds(1)
        log.writeSignpost("end after \(OSLogFloatFormatting.fixed(precision: 3).text(length)) ms", name, message)
    }

    /// Marks a moment.
    public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata = "") {
        log.writeSignpost("event", name, message)
    }

    /// Measures how long a closure takes.
    public func withIntervalSignpost<T>(
        _ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata = "",
        around task: () throws -> T
    ) rethrows -> T {
        let state = beginInterval(name, id: id, message)
        defer { endInterval(name, state) }
        return try task()
    }
}

extension OSLog {
    fileprivate func writeSignpost(_ what: String, _ name: StaticString, _ message: OSLogMessage) {
        guard signpostsEnabled else { return }
        var pieces = OSLogMessage(verbatim: "\(name): \(what)").interpolation.pieces
        pieces += [.literal(" ")] + message.interpolation.pieces
        write(.debug, OSLogMessage(stringInterpolation: OSLogInterpolation(pieces: pieces)))
    }
}

/// Marks the beginning or end of an interval, or a moment.
/// Source: <https://developer.apple.com/documentation/os/os_signpost(_:dso:log:name:signpostid:)>.
public func os_signpost(
    _ type: OSSignpostType, dso: UnsafeRawPointer? = #dsohandle, log: OSLog, name: StaticString,
    signpostID: OSSignpostID = .exclusive
) {
    log.writeSignpost("\(type)", name, "")
}

/// Marks the beginning or end of an interval, or a moment, with a format string and arguments.
public func os_signpost(
    _ type: OSSignpostType, dso: UnsafeRawPointer? = #dsohandle, log: OSLog, name: StaticString,
    signpostID: OSSignpostID = .exclusive, _ format: StaticString, _ arguments: Any?...
) {
    guard log.signpostsEnabled else { return }
    log.write(.debug, format: "\(name): \(type) \(format)", arguments)
}
