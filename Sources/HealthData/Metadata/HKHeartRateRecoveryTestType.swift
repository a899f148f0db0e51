/// How a recovery of the heart rate came about. The value of `HKMetadataKeyHeartRateRecoveryTestType`.
public enum HKHeartRateRecoveryTestType: Int, Sendable {
    /// After exercise up to the maximum.
    case maxExercise = 1
    /// Predicted from exercise below the maximum.
    case predictionSubMaxExercise = 2
    /// Predicted without exercise.
    case predictionNonExercise = 3
}
