/// How a physical effort was estimated. The value of `HKMetadataKeyPhysicalEffortEstimationType`.
public enum HKPhysicalEffortEstimationType: Int, Sendable {
    /// Taken from a table for the kind of activity.
    case activityLookup = 1
    /// From what a device measured of the movement.
    case deviceSensed = 2
}
