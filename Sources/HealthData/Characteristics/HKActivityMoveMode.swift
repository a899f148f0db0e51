/// What the move ring counts.
public enum HKActivityMoveMode: Int, Sendable {
    /// Kilocalories of active energy: what the ring counts unless the user has chosen otherwise.
    case activeEnergy = 1
    /// Minutes of moving, as for children.
    case appleMoveTime = 2
}
