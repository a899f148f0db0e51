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

    /// Returns the error for apps.
    /// - Parameter addresses: The addresses that are tried.
    func error(lookedForAt addresses: [CompanionAddress]) -> HKError {
        func why(_ reasons: [String: String]) -> String {
            let known = reasons.sorted { $0.key < $1.key }.map { "\($0): \($1)" }
            return (known.isEmpty ? addresses.map { "nothing answered at \($0.address)" } : known)
                .joined(separator: "; ")
        }
        return switch self {
        case .notFound(let reasons):
            HKError.make(
                .errorHealthDataUnavailable,
                "The session cannot be mirrored: \(why(reasons)). Check that the other machine listens there and is paired."
            )
        case .outOfReach(let reasons):
            HKError.make(
                .errorHealthDataUnavailable,
                "The other machine is out of reach (\(why(reasons))). The session continues and is mirrored again, with "
                    + "everything that was missed, as soon as it is back.")
        case .dismissed(let reasons):
            HKError.make(
                .errorHealthDataUnavailable,
                "The session is not mirrored any more: \(why(reasons)). It continues here, and can be mirrored again once this "
                    + "is fixed.")
        case .ended: HKError.make(.errorInvalidArgument, "The mirroring was ended meanwhile.")
        }
    }
}

extension MirrorClosure {
    /// The reason in words for users.
    var sentence: String {
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
