public import Foundation

/// The progress between a session and a machine that it is mirrored to. A process that recovers the session then does
/// not repeat requests that were done, and does not take data for sent that never arrived.
public struct CompanionProgress: Sendable, Equatable {
    /// The fingerprint of the machine's key. For an awaited machine whose key is not yet known, its address:
    /// `HOST:PORT`.
    public var companion: String
    /// The number of this log's `remoteData` entries, from the first one on, that the machine's app has received or has
    /// missed while it was not running.
    public var received: Int
    /// The requests and data of the machine that were handled. Nil before the first.
    public var done: Requests?

    /// Whether this only states that the session was begun for this machine, which may never connect.
    public var isAwaited: Bool

    /// A position in the requests of a machine.
    public struct Requests: Sendable, Equatable {
        /// The ID of the list of requests. Another process of that machine begins another list.
        public var log: UUID
        /// The number of the last request that was done.
        public var through: Int

        /// - Parameter through: The number of the last request that was done.
        public init(log: UUID, through: Int) {
            self.log = log
            self.through = through
        }
    }

    /// Returns the progress of a machine for which a session is begun.
    public static func awaited(_ companion: String) -> CompanionProgress {
        CompanionProgress(companion: companion, received: 0, isAwaited: true)
    }

    /// - Parameter received: The number of `remoteData` entries that the machine's app has received.
    public init(companion: String, received: Int, done: Requests? = nil, isAwaited: Bool = false) {
        self.companion = companion
        self.received = received
        self.done = done
        self.isAwaited = isAwaited
    }
}
