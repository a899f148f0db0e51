/// What the disturbances of breathing in a night say of sleep apnoea.
public enum HKAppleSleepingBreathingDisturbancesClassification: Int, CaseIterable, Sendable {
    case notElevated = 0
    case elevated = 1
}
