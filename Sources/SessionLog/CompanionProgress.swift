public import Foundation

/// How far a session and a machine that it is mirrored to are with each other, so that a process which recovers the session
/// neither does again what was asked for and done, nor takes for sent what never arrived.
public struct CompanionProgress: Sendable, Equatable {
    /// The fingerprint of the machine's key; where an awaited one is not known by it yet, where it listens: `HOST:PORT`.
    public var companion: String
    /// How many of this log's `remoteData` entries, from the first one on, the machine's app has had, or was not there for.
    public var received: Int
    /// What was done of the machine's own wishes and data; nil before the first.
    public var done: Requests?

    /// Says no more than that the session was begun for this machine, whether it ever comes or not.
    public var isAwaited: Bool

    /// A place among what a machine asked for.
    public struct Requests: Sendable, Equatable {
        /// The name of the list of requests: another process of that machine begins another one.
        public var log: UUID
        /// The number of the last one that was done.
        public var through: Int

        /// - Parameter through: The number of the last request that was done.
        public init(log: UUID, through: Int) {
            self.log = log
            self.through = through
        }
    }

    /// A machine for which a session is begun.
    public static func awaited(_ companion: String) -> CompanionProgress {
        CompanionProgress(companion: companion, received: 0, isAwaited: true)
    }

    /// - Parameter received: How many `remoteData` entries the machine's app has had.
    public init(companion: String, received: Int, done: Requests? = nil, isAwaited: Bool = false) {
        self.companion = companion
        self.received = received
        self.done = done
        self.isAwaited = isAwaited
    }
}
