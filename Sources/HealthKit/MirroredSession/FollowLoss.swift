/// The reason why a companion has lost its primary.
package enum FollowLoss: Error, Sendable, Equatable {
    /// The primary is out of reach, and may come back.
    case outOfReach(peer: String, reason: String)
    case closed(peer: String, reason: String)
    /// It was out of reach for too long.
    case expired(peer: String)
    /// The mirroring has ended before.
    case over

    var error: HKError {
        switch self {
        case .outOfReach(let peer, let reason):
            HKError.make(
                .errorHealthDataUnavailable,
                "\(peer) is out of reach (\(reason)). This session continues, with everything that was missed, once it is "
                    + "back.")
        case .closed(let peer, let reason):
            HKError.make(.errorHealthDataUnavailable, "Mirroring from \(peer) has ended: \(reason).")
        case .expired(let peer):
            HKError.make(
                .errorHealthDataUnavailable,
                "Mirroring from \(peer) has ended: it was out of reach for too long. This session stays as it is; when the "
                    + "machine is back, the start handler gets another one.")
        case .over:
            HKError.make(
                .errorInvalidArgument,
                "The mirroring of this session has ended: the other machine can no longer be asked for anything.")
        }
    }
}
