/// How a functional threshold power was found. The value of `HKMetadataKeyCyclingFunctionalThresholdPowerTestType`.
public enum HKCyclingFunctionalThresholdPowerTestType: Int, Sendable {
    /// The mean power of an hour at the limit.
    case maxExercise60Minute = 1
    /// Derived from twenty minutes at the limit.
    case maxExercise20Minute = 2
    /// Derived from a test whose power rises step by step.
    case rampTest = 3
    /// Predicted from rides, without a test.
    case predictionExercise = 4
}
