/// How a maximal oxygen uptake was found. The value of `HKMetadataKeyVO2MaxTestType`.
public enum HKVO2MaxTestType: Int, Sendable {
    case maxExercise = 1
    case predictionSubMaxExercise = 2
    case predictionNonExercise = 3
    case predictionStepTest = 4
}
