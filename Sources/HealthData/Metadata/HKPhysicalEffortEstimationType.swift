/// How a physical effort was estimated. The value of `HKMetadataKeyPhysicalEffortEstimationType`.
public enum HKPhysicalEffortEstimationType: Int, Sendable {
    case activityLookup = 1
    case deviceSensed = 2
}
