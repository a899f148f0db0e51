// Keys for `NSSortDescriptor(key:ascending:)` and samples. The names of the properties do as well.

public let HKSampleSortIdentifierStartDate = "HKSampleSortIdentifierStartDate"
public let HKSampleSortIdentifierEndDate = "HKSampleSortIdentifierEndDate"
public let HKWorkoutSortIdentifierDuration = "HKWorkoutSortIdentifierDuration"
public let HKWorkoutSortIdentifierTotalDistance = "HKWorkoutSortIdentifierTotalDistance"
public let HKWorkoutSortIdentifierTotalEnergyBurned = "HKWorkoutSortIdentifierTotalEnergyBurned"
public let HKWorkoutSortIdentifierTotalSwimmingStrokeCount = "totalSwimmingStrokeCount"
public let HKWorkoutSortIdentifierTotalFlightsClimbed = "totalFlightsClimbed"
