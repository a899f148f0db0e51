/// On which side of a mirrored workout a session is.
public enum HKWorkoutSessionType: Int, Sendable {
    /// The one that owns the sensors and the data.
    case primary = 0
    /// The image of one that runs on another machine.
    case mirrored = 1
}
