package import Recordings

/// What a companion asks of the primary, and the data that it sends to its app, until the primary has it.
///
/// One log in each process of the companion, whichever channels there are: the primary knows by its name and numbers what of
/// it was done.
package struct FollowRequests: Sendable {
    /// A request without a date is one for now: when it could not be sent for this long, it is not sent any more.
    static let staleInSeconds: TimeInterval = 10

    package let log: UUID
    /// How many there were.
    package private(set) var count: UInt64 = 0
    /// The last ones, which the primary has not confirmed.
    private var open: [Request] = []

    private struct Request {
        var line: [UInt8]
        /// Of one for now: what for, and since when.
        var asked: (content: SessionEntry.Content, date: Date)?
    }

    init(log: UUID) { self.log = log }

    /// How many wait for the primary.
    package var waiting: Int { open.count }

    /// Returns the line to send.
    mutating func append(_ entry: SessionEntry, at now: Date) throws -> [UInt8] {
        var encoder = SessionLogEncoder()
        try encoder.append(entry)
        count += 1
        open.append(
            Request(line: encoder.bytes, asked: entry.date == .distantFuture ? (entry.content, now) : nil))
        return encoder.bytes
    }

    mutating func confirm(through number: UInt64) {
        let first = count - UInt64(open.count) + 1
        guard number >= first else { return }
        open.removeFirst(min(open.count, Int(number - first) + 1))
    }

    /// Lines from a number on, about `limit` bytes of them, and what of it is too old to be asked for. A request that was
    /// confirmed before, and one that is too old, is an empty line: it keeps its number.
    mutating func lines(
        from number: UInt64, bytes limit: Int, at now: Date
    ) -> (lines: [[UInt8]], stale: [(content: SessionEntry.Content, seconds: TimeInterval)]) {
        let first = count - UInt64(open.count) + 1
        var lines: [[UInt8]] = []
        var stale: [(content: SessionEntry.Content, seconds: TimeInterval)] = []
        var bytes = 0
        var next = max(1, number)
        while next <= count, bytes < limit {
            if next < first {
                lines.append(CrossingLog.blank)
            } else {
                let index = Int(next - first)
                if let (content, date) = open[index].asked, now.timeIntervalSince(date) > Self.staleInSeconds {
                    open[index] = Request(line: CrossingLog.blank)
                    stale.append((content, now.timeIntervalSince(date)))
                }
                lines.append(open[index].line)
            }
            bytes += lines[lines.count - 1].count + 4
            next += 1
        }
        return (lines, stale)
    }
}

/// A request that was not sent, as it means now and its moment is over.
package struct StaleRequest: Sendable, Equatable {
    package let content: SessionEntry.Content
    package let seconds: TimeInterval
    package let peer: String

    init(_ content: SessionEntry.Content, seconds: TimeInterval, peer: String) {
        self.content = content
        self.seconds = seconds
        self.peer = peer
    }

    var error: HKError {
        HKError.make(
            .errorHealthDataUnavailable,
            "The session was to be \(participle), but \(peer) was out of reach; now, \(Int(seconds)) seconds later, it is not "
                + "asked any more. Ask again if that is still wanted.")
    }

    /// What the session was to be.
    private var participle: String {
        switch content {
        case .state(.prepared): "prepared"
        case .state(.running): "started"
        case .state(.ended): "ended"
        case .event(let event) where event.kind == .pause: "paused"
        case .event(let event) where event.kind == .resume: "resumed"
        default: "stopped"
        }
    }
}
