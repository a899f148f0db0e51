// Keys for `NSSortDescriptor(key:ascending:)` and samples. The names of the properties do as well.

/// The start of a sample. The store sorts by it without reading all samples.
public let HKSampleSortIdentifierStartDate = "HKSampleSortIdentifierStartDate"
/// The end of a sample.
public let HKSampleSortIdentifierEndDate = "HKSampleSortIdentifierEndDate"
/// Seconds without pauses; samples that are no workouts come first.
public let HKWorkoutSortIdentifierDuration = "HKWorkoutSortIdentifierDuration"
/// Workouts without the total come first when ascending.
public let HKWorkoutSortIdentifierTotalDistance = "HKWorkoutSortIdentifierTotalDistance"
/// Workouts without the total come first when ascending.
public let HKWorkoutSortIdentifierTotalEnergyBurned = "HKWorkoutSortIdentifierTotalEnergyBurned"
/// Workouts without the total come first when ascending.
public let HKWorkoutSortIdentifierTotalSwimmingStrokeCount = "totalSwimmingStrokeCount"
/// Workouts without the total come first when ascending.
public let HKWorkoutSortIdentifierTotalFlightsClimbed = "totalFlightsClimbed"
