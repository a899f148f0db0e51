public import Foundation

/// How far a session and a machine that it is mirrored to are with each other, so that a process which recovers the session
/// neither does again what was asked for and done, nor takes for sent what never arrived.
public struct CompanionProgress: Sendable, Equatable {
    /// The fingerprint of the machine's key.
    public var companion: String
    /// How many of this log's `remoteData` entries, from the first one on, the machine's app has had, or was not there for.
    public var received: Int
    /// What was done of the machine's own wishes and data; nil before the first.
    public var done: Requests?

    /// A place among what a machine asked for.
    public struct Requests: Sendable, Equatable {
        /// The name of the list of requests: another process of that machine begins another one.
        public var log: UUID
        /// The number of the last one that was done.
        public var through: Int

        public init(log: UUID, through: Int) {
            self.log = log
            self.through = through
        }
    }

    public init(companion: String, received: Int, done: Requests? = nil) {
        self.companion = companion
        self.received = received
        self.done = done
    }
}
