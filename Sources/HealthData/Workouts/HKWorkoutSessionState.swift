/// Where a workout session stands.
public enum HKWorkoutSessionState: Int, Sendable {
    /// Made, and nothing more.
    case notStarted = 1
    /// The clock runs, and sensors are collected.
    case running = 2
    /// Over: nothing more happens in it.
    case ended = 3
    /// The clock stands, and no readings count.
    case paused = 4
    /// Sensors are warm, no data is taken yet: a countdown.
    case prepared = 5
    /// No more data is taken; the app may still finish its builder.
    case stopped = 6
}

/// On which side of a mirrored workout a session is.
public enum HKWorkoutSessionType: Int, Sendable {
    /// The one that owns the sensors and the data.
    case primary = 0
    /// The image of one that runs on another machine.
    case mirrored = 1
}
