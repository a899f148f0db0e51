/// The type of `HKWorkout`.
public final class HKWorkoutType: HKSampleType, @unchecked Sendable {}

/// The identifier of `HKObjectType.workoutType()`.
public let HKWorkoutTypeIdentifier = "HKWorkoutTypeIdentifier"
