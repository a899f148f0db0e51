/// The reason why a companion has lost its primary.
package enum FollowLoss: Error, Sendable, Equatable {
    /// The primary is out of reach, and may come back.
    case outOfReach(peer: String, reason: String)
    case closed(peer: String, reason: String)
    /// It was out of reach for too long.
    case expired(peer: String)
    /// The mirroring has ended before.
    case over
}
