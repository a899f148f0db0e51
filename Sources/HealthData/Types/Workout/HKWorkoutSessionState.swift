/// Where a workout session stands.
public enum HKWorkoutSessionState: Int, Sendable {
    case notStarted = 1
    case running = 2
    /// Over: nothing more happens in it.
    case ended = 3
    case paused = 4
    /// Sensors are warm, no data is taken yet: a countdown.
    case prepared = 5
    /// No more data is taken; the app may still finish its builder.
    case stopped = 6
}
