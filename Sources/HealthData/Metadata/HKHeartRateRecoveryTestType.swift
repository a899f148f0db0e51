/// How a recovery of the heart rate came about. The value of `HKMetadataKeyHeartRateRecoveryTestType`.
public enum HKHeartRateRecoveryTestType: Int, Sendable {
    case maxExercise = 1
    case predictionSubMaxExercise = 2
    case predictionNonExercise = 3
}
