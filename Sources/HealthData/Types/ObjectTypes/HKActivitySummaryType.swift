/// The type of `HKActivitySummary`: the rings of one day. Read only for apps, and not a sample type.
// Immutable, as HKObjectType explains.
public final class HKActivitySummaryType: HKObjectType, @unchecked Sendable {}
