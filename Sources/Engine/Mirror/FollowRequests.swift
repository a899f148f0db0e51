package import Foundation
package import SessionLog

/// A companion's requests and data for the primary, kept until the primary has them.
///
/// It is one log per process, for all channels. By its name and numbers the primary knows which requests it has carried out.
package struct FollowRequests: Sendable {
    /// A request without a date means now. If it can't be sent for this long, it is dropped.
    static let staleInSeconds: TimeInterval = 10

    package let log: UUID
    /// The total number of requests.
    package private(set) var count: UInt64 = 0
    /// The latest requests, which the primary has not confirmed.
    private var open: [Request] = []

    private struct Request {
        var line: [UInt8]
        /// The purpose and the time of a request without a date, which means now.
        var asked: (content: SessionEntry.Content, date: Date)?
    }

    init(log: UUID) { self.log = log }

    /// The number of requests that wait for the primary.
    package var waiting: Int { open.count }

    /// Adds a request. Returns the line to send.
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

    /// Returns lines from a number on, about `limit` bytes of them, and the requests among them that are too old.
    /// Confirmed and old requests become empty lines, which keep their numbers.
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

/// A request without a date that was dropped because it is too old.
package struct StaleRequest: Sendable, Equatable {
    package let content: SessionEntry.Content
    package let seconds: TimeInterval
    package let peer: String

    init(_ content: SessionEntry.Content, seconds: TimeInterval, peer: String) {
        self.content = content
        self.seconds = seconds
        self.peer = peer
    }

    /// The requested state of the session.
    package var participle: String {
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

extension EventRecord {
    /// Creates an event whose date another machine determines.
    package static func instant(_ kind: Kind) -> EventRecord {
        EventRecord(kind, start: .distantFuture, end: .distantFuture)
    }
}
