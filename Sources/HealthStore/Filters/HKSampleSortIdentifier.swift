// Keys of samples for `NSSortDescriptor(key:ascending:)`. Property names also work.

/// The start of a sample. The store sorts by it without reading all samples.
public let HKSampleSortIdentifierStartDate = "HKSampleSortIdentifierStartDate"
/// The end of a sample.
public let HKSampleSortIdentifierEndDate = "HKSampleSortIdentifierEndDate"
/// Seconds without pauses. Samples other than workouts come first.
public let HKWorkoutSortIdentifierDuration = "HKWorkoutSortIdentifierDuration"
/// Workouts without the total come first when ascending.
public let HKWorkoutSortIdentifierTotalDistance = "HKWorkoutSortIdentifierTotalDistance"
/// Workouts without the total come first when ascending.
public let HKWorkoutSortIdentifierTotalEnergyBurned = "HKWorkoutSortIdentifierTotalEnergyBurned"
/// Workouts without the total come first when ascending.
public let HKWorkoutSortIdentifierTotalSwimmingStrokeCount = "totalSwimmingStrokeCount"
/// Workouts without the total come first when ascending.
public let HKWorkoutSortIdentifierTotalFlightsClimbed = "totalFlightsClimbed"
