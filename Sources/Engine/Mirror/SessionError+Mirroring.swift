import Mirroring
package import SessionLog

// What a mirrored session reports to apps.

extension FollowLoss {
    package var error: SessionError {
        switch self {
        case .outOfReach(let peer, let reason):
            SessionError(
                .dataUnavailable,
                "\(peer) is out of reach (\(reason)). This session continues, with everything that was missed, once it is "
                    + "back.")
        case .closed(let peer, let reason):
            SessionError(.dataUnavailable, "Mirroring from \(peer) has ended: \(reason).")
        case .expired(let peer):
            SessionError(
                .dataUnavailable,
                "Mirroring from \(peer) has ended: it was out of reach for too long. This session stays as it is; when the "
                    + "machine is back, the start handler gets another one.")
        case .over:
            SessionError(
                .invalidArgument,
                "The mirroring of this session has ended: the other machine can no longer be asked for anything.")
        }
    }
}

extension StaleRequest {
    package var error: SessionError {
        SessionError(
            .dataUnavailable,
            "The session should have been \(participle), but \(peer) was out of reach for \(Int(seconds)) seconds, so the request "
                + "was dropped. Repeat it if it is still wanted.")
    }
}

extension MirrorUnavailability {
    /// Returns the error for apps.
    /// - Parameter addresses: The addresses that are tried.
    func error(lookedForAt addresses: [CompanionAddress]) -> SessionError {
        func why(_ reasons: [String: String]) -> String {
            let known = reasons.sorted { $0.key < $1.key }.map { "\($0): \($1)" }
            return (known.isEmpty ? addresses.map { "nothing answered at \($0.address)" } : known)
                .joined(separator: "; ")
        }
        return switch self {
        case .notFound(let reasons):
            SessionError(
                .dataUnavailable,
                "The session cannot be mirrored: \(why(reasons)). Check that the other machine listens there and is paired."
            )
        case .outOfReach(let reasons):
            SessionError(
                .dataUnavailable,
                "The other machine is out of reach (\(why(reasons))). The session continues and is mirrored again, with "
                    + "everything that was missed, as soon as it is back.")
        case .dismissed(let reasons):
            SessionError(
                .dataUnavailable,
                "The session is not mirrored any more: \(why(reasons)). It continues here, and can be mirrored again once this "
                    + "is fixed.")
        case .ended: SessionError(.invalidArgument, "The mirroring was ended meanwhile.")
        }
    }
}
