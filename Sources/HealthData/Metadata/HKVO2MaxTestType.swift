/// How a maximal oxygen uptake was found. The value of `HKMetadataKeyVO2MaxTestType`.
public enum HKVO2MaxTestType: Int, Sendable {
    /// Measured, in exercise up to the maximum.
    case maxExercise = 1
    /// Predicted from exercise below the maximum.
    case predictionSubMaxExercise = 2
    /// Predicted without exercise, from age, weight and the like.
    case predictionNonExercise = 3
    /// Predicted from a step test.
    case predictionStepTest = 4
}
