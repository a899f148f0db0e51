/// How a functional threshold power was found. The value of `HKMetadataKeyCyclingFunctionalThresholdPowerTestType`.
public enum HKCyclingFunctionalThresholdPowerTestType: Int, Sendable {
    case maxExercise60Minute = 1
    case maxExercise20Minute = 2
    case rampTest = 3
    case predictionExercise = 4
}
