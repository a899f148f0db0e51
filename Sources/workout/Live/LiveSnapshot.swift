import HealthKit
import Recordings

/// Exactly what the live view shows of a session at one instant.
///
/// Whoever runs the session makes it; the view only lays it out. What is nil is not shown.
struct LiveSnapshot: Sendable, Equatable {
    /// As a person reads it, such as `Outdoor running`: see ``ActivityTitle``.
    var activity = "Workout"
    var phase = SessionPhase.notStarted
    /// Nil while no sensor gives one.
    var heartRateInBeatsPerMinute: Double?
    /// 1 … `zoneCount`; nil without a heart rate and below zone 1.
    var zone: Int?
    /// 0 when the wearer's zones are not known.
    var zoneCount = 0
    /// Oldest first, at even distances; nil where there was none.
    var heartRateHistory: [Double?] = []
    /// Without pauses.
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
    var powerInWatts: Double?
    /// Steps or revolutions.
    var cadencePerMinute: Double?
    var energyInKilocalories: Double?
    /// Of the beats of the last minutes.
    var rmssdInMilliseconds: Double?
    var sensors: [Sensor] = []
    /// The machines to which the session is mirrored.
    var companions: [CompanionStanding] = []
    var replay: ReplayProgress?
    /// The session runs on another machine.
    var isMirrored = false
    /// How many sessions of other machines there are; the view shows one of them.
    var sessionCount = 0
    /// The other machine is out of reach: what is shown is what was known last, but for the time, which is a guess.
    var isOutOfReach = false
    /// What the user is asked and answers with a key.
    var question: String?
    /// What happened, oldest first: laps, sensors that came and went.
    var messages: [String] = []
    /// What was wrong, oldest first.
    var warnings: [String] = []

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
