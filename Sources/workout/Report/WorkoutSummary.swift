import Foundation

/// What a session made of its data: the part `workout` of a summary.
///
/// A plain value; whoever has a workout fills it in. What is nil or empty did not exist.
struct WorkoutSummary: Sendable, Equatable {
    var id: UUID
    /// A case name of `HKWorkoutActivityType`, such as `running`.
    var activity: String
    var start: Date
    var end: Date
    /// Start to end.
    var elapsedInSeconds: Double
    /// Without pauses.
    var durationInSeconds: Double
    var pauses: [Pause] = []
    var laps: [Lap] = []
    /// The sports of a multisport workout, in order.
    var activities: [Activity] = []
    var events: [Event] = []
    var statistics: [Statistics] = []
    var beats: BeatSummary?
    /// Where it led; nil without positions.
    var route: RouteSummary?
    /// Time spent in each zone, lowest zone first.
    var zones: [Zone] = []
    var sensors: [Sensor] = []
    /// The app that saved it; nil for a workout that is not stored.
    var source: String?

    struct Pause: Sendable, Equatable {
        var start: Date
        var end: Date
    }

    struct Lap: Sendable, Equatable {
        var start: Date
        var end: Date
        /// Without pauses.
        var durationInSeconds: Double
        var distanceInMeters: Double?
        var averageHeartRate: Double?
        var maximumHeartRate: Double?
    }

    struct Activity: Sendable, Equatable {
        var activity: String
        var start: Date
        var end: Date
        /// Without pauses.
        var durationInSeconds: Double
        var averageHeartRate: Double?
    }

    struct Event: Sendable, Equatable {
        /// A case name of `HKWorkoutEventType`, such as `lap`.
        var type: String
        var start: Date
        var end: Date
    }

    /// Of one quantity type over the whole workout.
    struct Statistics: Sendable, Equatable {
        /// As Apple spells it: `HKQuantityTypeIdentifierHeartRate`.
        var identifier: String
        /// Of all the values, as `HKUnit.unitString` spells it.
        var unit: String
        /// Of individual readings; nil where only the figures came, as in an export of the Health app.
        var count: Int?
        var minimum: Double?
        /// As the type's aggregation style asks for: weighted by time, for a heart rate.
        var average: Double?
        /// Each reading counted once.
        var arithmeticMean: Double?
        var maximum: Double?
        var mostRecent: Double?
        /// Of cumulative types.
        var sum: Double?
    }

    struct Zone: Sendable, Equatable {
        var zone: Int
        var seconds: Double
    }

    struct Sensor: Sendable, Equatable {
        var name: String
        /// Nil where that was not kept.
        var kind: String?
    }
}

/// The positions of a workout, and how long the way through them is.
struct RouteSummary: Sendable, Equatable {
    var points: Int
    /// Along the ellipsoid from each position to the next, ups and downs and the way across a pause left out.
    var distanceInMeters: Double
}

/// RR intervals, and how much they vary.
struct BeatSummary: Sendable, Equatable {
    var count: Int
    /// Over n − 1; nil with fewer than two intervals.
    var sdnnInMilliseconds: Double?
    /// Nil with fewer than two intervals.
    var rmssdInMilliseconds: Double?
}
