import Recordings

/// What every view of a session says in the same words.
extension LiveSnapshot {
    var isBegun: Bool { phase != .notStarted && phase != .prepared }

    /// What is measured besides the heart rate, most wanted first.
    var measured: [(label: String, value: String)] {
        let all: [(String, String?)] = [
            ("distance", distanceInMeters.map(MetricFormat.distance)),
            ("pace", paceInSecondsPerKilometer.map(MetricFormat.pace)),
            ("pace", swimPaceInSecondsPerMeter.map(MetricFormat.swimPace)),
            ("speed", speedInMetersPerSecond.map(MetricFormat.speed)),
            ("power", powerInWatts.map(MetricFormat.power)),
            ("cadence", cadencePerMinute.map(MetricFormat.cadence)),
            ("energy", energyInKilocalories.map(MetricFormat.energy)),
            ("RMSSD", rmssdInMilliseconds.map(MetricFormat.milliseconds)),
            ("elapsed", isBegun ? MetricFormat.time(elapsedInSeconds) : nil),
        ]
        return all.compactMap { label, value in value.map { (label, $0) } }
    }

    /// The state of the session in a word.
    var phaseName: String {
        switch phase {
        case .notStarted: "not started"
        case .prepared: heartRateInBeatsPerMinute == nil ? "connecting" : "ready"
        default: phase.rawValue
        }
    }
}
