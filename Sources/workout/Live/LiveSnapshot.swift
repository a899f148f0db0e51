import Analytics
import Engine
import HealthKit
import Reports
import SessionLog
import StoredWorkouts

/// The values that the live view shows of a session at one instant.
///
/// The command that runs the session creates it, and the view only lays it out. Values that are nil are not shown.
struct LiveSnapshot: Sendable, Equatable {
    /// The activity as a person reads it, such as `Outdoor running`: see ``ActivityTitle``.
    var activity = "Workout"
    var phase = SessionPhase.notStarted
    /// The clock time: `14:05`.
    var timeOfDay: String?
    /// Nil while no sensor measures one.
    var heartRateInBeatsPerMinute: Double?
    /// The average and the maximum of the session so far, as in its summary.
    var averageHeartRate: Double?
    var maximumHeartRate: Double?
    /// Nil if the wearer's zones are not known.
    var zones: HeartRateZones?
    /// The time in each zone so far, beginning with the time below zone 1. Empty if the zones are not known.
    var zoneShares: [WorkoutSummary.ZoneShare] = []
    /// The target of the heart rate. Nil if there is none.
    var target: TargetPosition?
    /// The plan that the rider follows. Nil if there is none.
    var plan: PlanPosition?
    /// The heart rates of the whole session.
    var heartRates = HeartRateTimeline()
    var curveSpan = CurveSpan.whole
    /// The duration without pauses.
    var durationInSeconds = 0.0
    /// The time since the start, with pauses.
    var elapsedInSeconds = 0.0
    /// The number of the lap, from 1 on.
    var lapNumber = 1
    /// The time in the current lap, without pauses.
    var lapElapsedInSeconds = 0.0
    /// The times of the laps before it, oldest first.
    var completedLapsInSeconds: [Double] = []
    var distanceInMeters: Double?
    var speedInMetersPerSecond: Double?
    var paceInSecondsPerKilometer: Double?
    /// The mean pace of the leg so far, in the water.
    var swimPaceInSecondsPerMeter: Double?
    var powerInWatts: Double?
    /// The lower bounds, in watts, of the wearer's own zones in this sport. Nil if there are none.
    var powerZones: [Double]?
    /// The same in metres per second.
    var speedZones: [Double]?
    /// Steps or revolutions per minute.
    var cadencePerMinute: Double?
    var energyInKilocalories: Double?
    /// The variability of the beats of the last minutes.
    var rmssdInMilliseconds: Double?
    /// Nil while there are no beats.
    var alpha1: Alpha1?
    var sensors: [Sensor] = []
    /// The machines to which the session is mirrored.
    var companions: [CompanionPresence] = []
    var replay: ReplayProgress?
    /// Whether the session runs on another machine.
    var isMirrored = false
    /// Whether the session can only be looked at.
    var isReadOnly = false
    /// The number of sessions of other machines. The view shows one of them.
    var sessionCount = 0
    /// Whether the other machine is out of reach. The view then shows the last known values, with an estimated time.
    var isOutOfReach = false
    /// The lines shown while there is no session: for which machines the command waits, and what to do there.
    var waiting: [String] = []
    /// A question that the user answers with a key.
    var question: String?
    /// Events, oldest first: laps, sensors that came and went.
    var messages: [String] = []
    /// Problems, oldest first.
    var warnings: [String] = []

    /// 1 … ``zoneCount``. Nil without a heart rate and below zone 1.
    var zone: Int? { heartRateInBeatsPerMinute.flatMap { zones?.zone(of: $0) } }
    /// The number of zones. 0 if the wearer's zones are not known.
    var zoneCount: Int { zones?.count ?? 0 }

    /// The part of the session that the chart shows.
    enum CurveSpan: Sendable, Equatable {
        case whole, lastMinutes

        static let minutes = 10.0
        var other: CurveSpan { self == .whole ? .lastMinutes : .whole }
    }

    /// DFA alpha1 of the last two minutes of beats, and the thresholds that it indicates.
    struct Alpha1: Sendable, Equatable {
        var latest: Figure<Alpha1Reading>
        /// The heart rates, in beats per minute, at which alpha1 fell to 0.75 and to 0.5. Nil while unknown.
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
        /// 0 … 1. Nil if the length of the recording is not known.
        var fraction: Double?
        /// The factor of speed. Nil for as fast as possible.
        var speed: Double?
    }
}

/// Texts that every view of a session shares.
extension LiveSnapshot {
    /// The form of the speed in its sport. Nil while no speed is measured.
    var speedForm: SpeedForm? {
        if paceInSecondsPerKilometer != nil { return .pace }
        if swimPaceInSecondsPerMeter != nil { return .swimPace }
        return speedInMetersPerSecond == nil ? nil : .speed
    }

    var isBegun: Bool { phase != .notStarted && phase != .prepared }

    /// The values besides the heart rate, most important first.
    var measured: [(label: String, value: String)] {
        let all: [(String, String?)] =
            planned + [
                ("distance", distanceInMeters.map(MetricFormat.distance)),
                ("pace", paceInSecondsPerKilometer.map { MetricFormat.pace($0) + zone(of: 1000 / $0, in: speedZones) }),
                (
                    "pace",
                    swimPaceInSecondsPerMeter.map { MetricFormat.swimPace($0) + zone(of: 1 / $0, in: speedZones) }
                ),
                ("speed", speedInMetersPerSecond.map { MetricFormat.speed($0) + zone(of: $0, in: speedZones) }),
                ("power", powerInWatts.map { MetricFormat.power($0) + zone(of: $0, in: powerZones) }),
                ("cadence", cadencePerMinute.map(MetricFormat.cadence)),
                ("energy", energyInKilocalories.map(MetricFormat.energy)),
                ("RMSSD", rmssdInMilliseconds.map(MetricFormat.milliseconds)),
                ("elapsed", isBegun ? MetricFormat.clock(elapsedInSeconds) : nil),
            ]
        return all.compactMap { label, value in value.map { (label, $0) } }
    }

    /// The values of the plan. Without steps to come, only the target is one.
    private var planned: [(String, String?)] {
        guard let plan, !plan.isOver else { return [] }
        let cadence = plan.cadencePerMinute.map { "  " + MetricFormat.cadence($0) } ?? ""
        let left = plan.leftInSeconds.map { MetricFormat.shortTime($0.rounded(.up)) }
        return [
            ("target", (plan.isFree ? localized("free") : plan.target ?? localized("free")) + cadence),
            ("step", plan.count > 1 ? localized("%1 of %2", "\(plan.step)", "\(plan.count)") : nil), ("left", left),
            ("next", plan.next),
        ]
    }

    /// Returns a zone such as ` Z3`, or an empty text without zones.
    private func zone(of value: Double, in lowerBounds: [Double]?) -> String {
        guard let lowerBounds else { return "" }
        let number = SecondsInZone.zone(of: value, in: lowerBounds)
        return " " + (number == 0 ? localized("below %1", "Z1") : "Z\(number)")
    }

    /// The state of the session in one word.
    var phaseName: String {
        switch phase {
        case .notStarted: "not started"
        case .prepared: heartRateInBeatsPerMinute == nil ? "connecting" : "ready"
        default: phase.rawValue
        }
    }
}
