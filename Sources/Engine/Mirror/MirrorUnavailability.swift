import Mirroring

/// The reason why no companion of a session is connected, for each name or address.
package enum MirrorUnavailability: Sendable, Equatable {
    /// None has connected yet.
    case notFound([String: String])
    /// All connected companions were lost.
    case outOfReach([String: String])
    /// All companions have ended the mirroring.
    case dismissed([String: String])
    /// The mirroring was ended on this machine.
    case ended
}

extension MirrorClosure {
    /// The reason in words for users.
    package var sentence: String {
        switch self {
        case .closedByPeer: "the other machine closed it"
        case .declined: "the other machine declined it"
        case .replaced: "a newer connection has taken its place"
        case .incompatible(let reason): "the other machine speaks another version (\(reason))"
        case .entryTooLarge(let bytes): "an entry of \(bytes) bytes is too large to be sent"
        case .forgotten: "one of the two machines has forgotten the other"
        }
    }
}
