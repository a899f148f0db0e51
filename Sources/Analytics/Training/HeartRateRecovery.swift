/// The fall of the heart rate after exercise.
///
/// Sources: Cole et al., N Engl J Med 341:1351–1357, 1999 (one minute after a symptom-limited test with active
/// cool-down, 12 beats or fewer are abnormal); Cole et al., Ann Intern Med 132:552–555, 2000 (two minutes after a
/// submaximal test, 42 or fewer).
public enum HeartRateRecovery {
    /// A reading further than this from the requested moment is not used.
    public static let toleranceInSeconds = 5.0

    /// Returns the heart rate at the end of exercise minus that `seconds` later, in beats per minute.
    ///
    /// - Parameters:
    ///   - heartRateAtEnd: The heart rate when exercise ended.
    ///   - readings: Readings after the end, in order of time, in seconds since the end and beats per minute. They are
    /// from the time after the workout: never mix them with its own.
    /// - Returns: The drop, interpolated between the two readings around the moment, or nil if either is further than
    ///   `toleranceInSeconds` from it.
    public static func drop(
        heartRateAtEnd: Double, after seconds: Double, readings: [(seconds: Double, heartRate: Double)]
    ) -> Double? {
        guard let next = readings.first(where: { $0.seconds >= seconds }),
            next.seconds - seconds <= toleranceInSeconds,
            let previous = readings.last(where: { $0.seconds <= seconds }),
            seconds - previous.seconds <= toleranceInSeconds
        else { return nil }
        guard next.seconds > previous.seconds else { return heartRateAtEnd - next.heartRate }
        let share = (seconds - previous.seconds) / (next.seconds - previous.seconds)
        return heartRateAtEnd - (previous.heartRate + share * (next.heartRate - previous.heartRate))
    }
}
