public import Foundation

/// How much of a log was received.
public struct MirrorPosition: Sendable, Hashable {
    /// The log (``MirrorSource/log``).
    public var log: UUID
    /// The number of the last entry that was handled. 0 means none.
    public var through: UInt64

    public init(log: UUID, through: UInt64) {
        self.log = log
        self.through = through
    }
}
