/// How much the user moved during a heart-rate measurement. The value of `HKMetadataKeyHeartRateMotionContext`.
public enum HKHeartRateMotionContext: Int, Sendable {
    /// The device did not say.
    case notSet = 0
    /// At rest: sitting or lying.
    case sedentary = 1
    /// Moving: not to be taken for a resting heart rate.
    case active = 2
}
