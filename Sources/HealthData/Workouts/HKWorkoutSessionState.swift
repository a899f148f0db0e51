/// The state of a workout session.
public enum HKWorkoutSessionState: Int, Sendable {
    /// Created, but neither prepared nor started.
    case notStarted = 1
    /// The clock runs, and sensor data is collected.
    case running = 2
    /// Over. The state does not change any more.
    case ended = 3
    /// The clock stands still, and no readings count.
    case paused = 4
    /// Sensors are connected, but no data is collected yet: a countdown.
    case prepared = 5
    /// No more data is collected. The app may still finish its builder.
    case stopped = 6
}

/// The side of a mirrored workout that a session is on.
public enum HKWorkoutSessionType: Int, Sendable {
    /// The session that owns the sensors and the data.
    case primary = 0
    /// The mirror of a session that runs on another machine.
    case mirrored = 1
}
