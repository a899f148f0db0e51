/// Why no companion of a session is there; by name or address, the reason of each.
package enum MirrorAbsence: Sendable, Equatable {
    /// Nobody is, or not yet.
    case notFound([String: String])
    /// Those that were there are not, for longer than a moment.
    case outOfReach([String: String])
    /// Every one has ended the mirroring.
    case dismissed([String: String])
    /// It was ended here.
    case ended

    /// - Parameter addresses: where they are looked for.
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
