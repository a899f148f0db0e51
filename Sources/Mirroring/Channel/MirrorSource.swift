public import Foundation

/// The storage of this side's log, from which entries are sent again after a lost link or to a late joiner.
public struct MirrorSource: Sendable {
    /// The ID of this log. A peer that has entries of another log of the channel starts over. Use a new ID, for example
    /// after each start of a process, unless entries with the same number are certain to be the same as before.
    public let log: UUID
    /// The number of the log's first entry: 1, unless the greeting replaces earlier entries.
    public let first: UInt64
    /// The number of entries when the channel is created.
    public let count: UInt64
    let read: (@Sendable (_ from: UInt64, _ maximumBytes: Int) throws -> [[UInt8]])?

    /// Creates a source that keeps entries in memory. If `trimmed`, it keeps them until every connected peer has
    /// acknowledged them, else forever. Trimmed suits requests, which must not be repeated when the peer's process
    /// starts again.
    ///
    /// `resend` returns what to send for an entry that was not sent when it was appended, such as a request that is now
    /// out of date. It is called on the network thread each time the entry is sent, until the peer has it.
    public static func memory(
        log: UUID = UUID(), trimmed: Bool = false,
        resend: (@Sendable (_ number: UInt64, _ entry: [UInt8]) -> [UInt8])? = nil
    ) -> MirrorSource {
        MirrorSource(log: log, first: 1, count: 0, trimmed: trimmed, read: nil, resend: resend)
    }

    /// Creates a source whose entries the caller keeps, such as in a file. The caller passes each one to
    /// `MirrorChannel.append` after storing it.
    ///
    /// `read` returns consecutive entries that begin with number `from`: at least one if there is one, and about
    /// `maximumBytes` at most. It is called on the network thread, so it must be quick (a read of a local file is), and
    /// must be able to return every entry that has been appended. If it throws, the link is closed with the error as
    /// its reason, and tried again.
    public static func kept(
        log: UUID = UUID(), first: UInt64 = 1, count: UInt64 = 0,
        read: @escaping @Sendable (_ from: UInt64, _ maximumBytes: Int) throws -> [[UInt8]]
    ) -> MirrorSource {
        MirrorSource(log: log, first: first, count: count, trimmed: false, read: read, resend: nil)
    }

    let trimmed: Bool
    let resend: (@Sendable (_ number: UInt64, _ entry: [UInt8]) -> [UInt8])?

    private init(
        log: UUID, first: UInt64, count: UInt64, trimmed: Bool,
        read: (@Sendable (_ from: UInt64, _ maximumBytes: Int) throws -> [[UInt8]])?,
        resend: (@Sendable (_ number: UInt64, _ entry: [UInt8]) -> [UInt8])?
    ) {
        self.log = log
        self.first = first
        self.count = count
        self.trimmed = trimmed
        self.read = read
        self.resend = resend
    }

    /// Returns the entries that fit into one frame. The result stays within bounds even if a log is ahead of what was
    /// appended, or returns more than requested.
    static func fitting(_ entries: [[UInt8]], from number: UInt64, of count: UInt64) throws -> [[UInt8]] {
        guard entries.first.map({ $0.count <= MirrorLimits.entry }) ?? true else {
            throw MirrorError.file(path: "entry \(number)", reason: "it is longer than \(MirrorLimits.entry) bytes")
        }
        var bytes = 0
        var fitting = 0
        for entry in entries.prefix(Int(count - number + 1)) {
            bytes += 4 + entry.count
            guard bytes <= MirrorLimits.entry || fitting == 0 else { break }
            fitting += 1
        }
        return Array(entries.prefix(fitting))
    }
}
