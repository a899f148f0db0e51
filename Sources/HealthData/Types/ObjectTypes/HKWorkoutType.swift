/// The type of `HKWorkout`.
// Immutable, as HKObjectType explains.
public final class HKWorkoutType: HKSampleType, @unchecked Sendable {}

/// The identifier of `HKObjectType.workoutType()`.
public let HKWorkoutTypeIdentifier = "HKWorkoutTypeIdentifier"
