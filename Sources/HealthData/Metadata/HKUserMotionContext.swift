/// How much the user moved during a measurement. The value of `HKMetadataKeyUserMotionContext`.
public enum HKUserMotionContext: Int, Sendable {
    /// The device did not say.
    case notSet = 0
    /// The user stood still, sat or lay.
    case stationary = 1
    /// The user moved.
    case active = 2
}
