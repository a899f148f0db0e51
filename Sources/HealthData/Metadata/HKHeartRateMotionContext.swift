/// How much the user moved during a heart-rate measurement. The value of `HKMetadataKeyHeartRateMotionContext`.
public enum HKHeartRateMotionContext: Int, Sendable {
    case notSet = 0
    case sedentary = 1
    case active = 2
}
