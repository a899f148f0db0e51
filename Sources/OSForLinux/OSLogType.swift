/// How important a message is.
///
/// On Linux the levels become priorities of the journal (syslog's): `debug` 7, `info` 6, `default` 5, `error` 3, `fault` 2. Messages
/// below `info` are left out unless `HEALTHKIT_OSLOG` has the word `debug`.
/// Source: <https://developer.apple.com/documentation/os/oslogtype>.
public struct OSLogType: RawRepresentable, Equatable, Hashable, Sendable {
    /// Apple's number of the level.
    public let rawValue: UInt8

    /// The level with a number. A number without a level counts as `default`.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The number of the level.
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }

    /// A message without a special level, which `Logger` calls notice.
    public static let `default` = OSLogType(rawValue: 0)
    /// Helpful, but not needed to find a fault.
    public static let info = OSLogType(rawValue: 1)
    /// For the developer while writing the code.
    public static let debug = OSLogType(rawValue: 2)
    /// Something failed.
    public static let error = OSLogType(rawValue: 16)
    /// A mistake in the program.
    public static let fault = OSLogType(rawValue: 17)
}

extension OSLogType {
    /// Level → its word in a line of text, its priority in the journal (syslog(3)), and its place among the levels.
    private var traits: (name: String, priority: Int, rank: Int) {
        switch self {
        case .debug: ("debug", 7, 0)
        case .info: ("info", 6, 1)
        case .error: ("error", 3, 3)
        case .fault: ("fault", 2, 4)
        default: ("notice", 5, 2)
        }
    }

    var name: String { traits.name }
    var journalPriority: Int { traits.priority }
    var rank: Int { traits.rank }
}
