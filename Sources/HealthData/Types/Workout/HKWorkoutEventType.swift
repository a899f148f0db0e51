/// What happened at a moment or over a part of a workout.
public enum HKWorkoutEventType: Int, Sendable {
    /// The user or the app paused.
    case pause = 1
    /// The user or the app went on after a pause.
    case resume = 2
    /// A lap of a pool or of the app's own. May have a duration.
    case lap = 3
    /// A moment that the app wants to find again.
    case marker = 4
    /// The wearer stood still and the system paused by itself.
    case motionPaused = 5
    /// The wearer moved again after ``motionPaused``.
    case motionResumed = 6
    /// A part of the workout. May have a duration, and may overlap others.
    case segment = 7
    /// The user asked for a pause or its end; what comes of it is up to the app.
    case pauseOrResumeRequest = 8
}
