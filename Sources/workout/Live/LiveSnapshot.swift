import Analytics
import HealthKit
import SessionLog

/// Exactly what the live view shows of a session at one instant.
///
/// Whoever runs the session makes it; the view only lays it out. What is nil is not shown.
struct LiveSnapshot: Sendable, Equatable {
    /// As a person reads it, such as `Outdoor running`: see ``ActivityTitle``.
    var activity = "Workout"
    var phase = SessionPhase.notStarted
    /// The clock on the wall: `14:05`.
    var timeOfDay: String?
    /// Nil while no sensor gives one.
    var heartRateInBeatsPerMinute: Double?
    /// Of the session so far, as its summary will say them.
    var averageHeartRate: Double?
    var maximumHeartRate: Double?
    /// Nil when the wearer's zones are not known.
    var zones: HeartRateZones?
    /// Time in each zone so far, the time below zone 1 first; empty when the zones are not known.
    var zoneShares: [WorkoutSummary.ZoneShare] = []
    /// Where the heart rate is to be; nil where nobody said so.
    var target: TargetPosition?
    /// Of the whole session.
    var heartRates = HeartRateTimeline()
    var curveSpan = CurveSpan.whole
    /// Without pauses.
    var durationInSeconds = 0.0
    /// Since the start, with pauses.
    var elapsedInSeconds = 0.0
    /// 1 for the first.
    var lapNumber = 1
    /// Of the current lap, without pauses.
    var lapElapsedInSeconds = 0.0
    /// Of the laps before it, oldest first.
    var completedLapsInSeconds: [Double] = []
    var distanceInMeters: Double?
    var speedInMetersPerSecond: Double?
    var paceInSecondsPerKilometer: Double?
    /// In the water; the mean of the part so far.
    var swimPaceInSecondsPerMeter: Double?
    var powerInWatts: Double?
    /// Lower edges in watts of the wearer's own zones in this sport; nil where there are none.
    var powerZones: [Double]?
    /// The same, in metres a second.
    var speedZones: [Double]?
    /// Steps or revolutions.
    var cadencePerMinute: Double?
    var energyInKilocalories: Double?
    /// Of the beats of the last minutes.
    var rmssdInMilliseconds: Double?
    /// Nil while there are no beats.
    var alpha1: Alpha1?
    var sensors: [Sensor] = []
    /// The machines to which the session is mirrored.
    var companions: [CompanionPresence] = []
    var replay: ReplayProgress?
    /// The session runs on another machine.
    var isMirrored = false
    /// How many sessions of other machines there are; the view shows one of them.
    var sessionCount = 0
    /// The other machine is out of reach: what is shown is what was known last, but for the time, which is a guess.
    var isOutOfReach = false
    /// What a listener says while there is no session: for whom it waits and what to do there.
    var waiting: [String] = []
    /// What the user is asked and answers with a key.
    var question: String?
    /// What happened, oldest first: laps, sensors that came and went.
    var messages: [String] = []
    /// What was wrong, oldest first.
    var warnings: [String] = []

    /// 1 … ``zoneCount``; nil without a heart rate and below zone 1.
    var zone: Int? { heartRateInBeatsPerMinute.flatMap { zones?.zone(of: $0) } }
    /// 0 when the wearer's zones are not known.
    var zoneCount: Int { zones?.count ?? 0 }

    /// What of the session the curve shows.
    enum CurveSpan: Sendable, Equatable {
        case whole, lastMinutes

        static let minutes = 10.0
        var other: CurveSpan { self == .whole ? .lastMinutes : .whole }
    }

    /// DFA alpha1 of the last two minutes of beats, and the thresholds that it points at.
    struct Alpha1: Sendable, Equatable {
        var latest: Figure<Alpha1Reading>
        /// In beats a minute, where alpha1 fell to 0.75 and to 0.5; nil while that is not known.
        var firstThreshold: Double?
        var secondThreshold: Double?
    }

    struct Sensor: Sendable, Equatable {
        var name: String
        var kind: SensorStatus.Kind
        var presence: SensorStatus.Presence
        /// 0 … 100.
        var batteryPercent: Int?
    }

    struct ReplayProgress: Sendable, Equatable {
        /// 0 … 1; nil when the length of the recording is not known.
        var fraction: Double?
        /// How many times faster than it happened; nil for as fast as possible.
        var speed: Double?
    }
}

/// What every view of a session says in the same words.
extension LiveSnapshot {
    /// How its sport tells how fast somebody is; nil while that is not measured.
    var speedForm: SpeedForm? {
        if paceInSecondsPerKilometer != nil { return .pace }
        if swimPaceInSecondsPerMeter != nil { return .swimPace }
        return speedInMetersPerSecond == nil ? nil : .speed
    }

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
