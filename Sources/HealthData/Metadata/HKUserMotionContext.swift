/// How much the user moved during a measurement. The value of `HKMetadataKeyUserMotionContext`.
public enum HKUserMotionContext: Int, Sendable {
    case notSet = 0
    case stationary = 1
    case active = 2
}
