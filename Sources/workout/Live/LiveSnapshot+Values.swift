import Analytics
import Recordings

/// What every view of a session says in the same words.
extension LiveSnapshot {
    var isBegun: Bool { phase != .notStarted && phase != .prepared }

    /// What is measured besides the heart rate, most wanted first.
    var measured: [(label: String, value: String)] {
        let all: [(String, String?)] = [
            ("distance", distanceInMeters.map(MetricFormat.distance)),
            ("pace", paceInSecondsPerKilometer.map { MetricFormat.pace($0) + zone(of: 1000 / $0, in: speedZones) }),
            ("pace", swimPaceInSecondsPerMeter.map { MetricFormat.swimPace($0) + zone(of: 1 / $0, in: speedZones) }),
            ("speed", speedInMetersPerSecond.map { MetricFormat.speed($0) + zone(of: $0, in: speedZones) }),
            ("power", powerInWatts.map { MetricFormat.power($0) + zone(of: $0, in: powerZones) }),
            ("cadence", cadencePerMinute.map(MetricFormat.cadence)),
            ("energy", energyInKilocalories.map(MetricFormat.energy)),
            ("RMSSD", rmssdInMilliseconds.map(MetricFormat.milliseconds)),
            ("elapsed", isBegun ? MetricFormat.time(elapsedInSeconds) : nil),
        ]
        return all.compactMap { label, value in value.map { (label, $0) } }
    }

    /// ` Z3`, or nothing where there are no zones.
    private func zone(of value: Double, in lowerBounds: [Double]?) -> String {
        guard let lowerBounds else { return "" }
        let number = SecondsInZone.zone(of: value, in: lowerBounds)
        return number == 0 ? " below Z1" : " Z\(number)"
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
