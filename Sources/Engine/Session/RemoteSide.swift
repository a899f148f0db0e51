package import Foundation
import SessionLog

/// A recorder's state about the other side of its session.
struct RemoteSide {
    /// Sends a request, or data for the app, to the machine that runs the session. Nil if nothing more can be sent, and
    /// for a session that runs here.
    var send: (@Sendable (SessionEntry) throws -> Void)?
    var allowance = DataRateLimit()
    /// The state that apps know, if it comes from a discarded log.
    var known: SessionState?
    /// Data that arrived without a delegate. An app sets the delegate shortly after it gets the session.
    var held: [Data] = []

    /// The limit of held data. Beyond it, the oldest data is dropped.
    static let heldBytes = 1 << 20
}

/// Limits the data that an app may send to the other side: 100 KB in any ten seconds, as Apple documents. Here 100 ×
/// 1,024 bytes.
package struct DataRateLimit: Sendable {
    static let bytes = 100 * 1_024
    static let seconds = 10.0

    package init() {}

    private var sent: [(at: Date, bytes: Int)] = []

    /// Returns whether this amount may be sent now. If so, it counts as sent.
    package mutating func consume(_ count: Int, at now: Date) -> Bool {
        // If the clock is set back, nothing expires. If it is set ahead, everything does.
        sent.removeAll { now.timeIntervalSince($0.at) >= Self.seconds }
        guard sent.reduce(count, { $0 + $1.bytes }) <= Self.bytes else { return false }
        sent.append((now, count))
        return true
    }
}
