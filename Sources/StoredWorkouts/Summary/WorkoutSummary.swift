package import Analytics
package import SessionLog

/// The results of a session: the part `workout` of a summary.
///
/// A plain value. Nil or empty means that the workout has none.
package struct WorkoutSummary: Sendable, Equatable {
    package var id: UUID
    /// A case name of `HKWorkoutActivityType`, such as `running`.
    package var activity: String
    package var start: Date
    package var end: Date
    /// Start to end.
    package var elapsedInSeconds: Double
    /// Without pauses.
    package var durationInSeconds: Double
    package var pauses: [Pause] = []
    package var laps: [Lap] = []
    /// The sports of a multisport workout, in order.
    package var activities: [Activity] = []
    package var events: [Event] = []
    package var statistics: [Statistics] = []
    package var beats: BeatSummary?
    package var electrocardiograms: [Electrocardiogram] = []
    /// The route. Nil without positions.
    package var route: RouteSummary?
    /// The time in each zone, lowest first.
    package var zones: [Zone] = []
    /// The time with a heart rate below zone 1. Nil without zones.
    package var belowZonesInSeconds: Double?
    /// The time in the user's own zones of power and speed. Nil without such zones.
    package var powerZones: SecondsInZone?
    package var speedZones: SecondsInZone?
    package var sensors: [Sensor] = []
    /// The app that saved it. Nil for a workout that is not stored.
    package var source: String?
    /// Its title, notes and rating. Nil for a workout that is not stored.
    package var labels: WorkoutLabels?
    /// The time zone of its place. Nil if unknown.
    package var timeZone: TimeZone?

    package struct Electrocardiogram: Sendable, Equatable {
        package var start: Date
        package var end: Date
        package var samplesPerSecond: Double
        /// How many voltages there are.
        package var voltages: Int
    }

    package struct Pause: Sendable, Equatable {
        package var start: Date
        package var end: Date

        package init(start: Date, end: Date) {
            self.start = start
            self.end = end
        }
    }

    package struct Lap: Sendable, Equatable {
        package var start: Date
        package var end: Date
        /// Without pauses.
        package var durationInSeconds: Double
        package var distanceInMeters: Double?
        package var averageHeartRate: Double?
        package var maximumHeartRate: Double?

        package init(
            start: Date, end: Date, durationInSeconds: Double, distanceInMeters: Double? = nil,
            averageHeartRate: Double? = nil, maximumHeartRate: Double? = nil
        ) {
            self.start = start
            self.end = end
            self.durationInSeconds = durationInSeconds
            self.distanceInMeters = distanceInMeters
            self.averageHeartRate = averageHeartRate
            self.maximumHeartRate = maximumHeartRate
        }
    }

    package struct Activity: Sendable, Equatable {
        package var activity: String
        package var start: Date
        package var end: Date
        /// Without pauses.
        package var durationInSeconds: Double
        package var averageHeartRate: Double?

        package init(
            activity: String, start: Date, end: Date, durationInSeconds: Double, averageHeartRate: Double? = nil
        ) {
            self.activity = activity
            self.start = start
            self.end = end
            self.durationInSeconds = durationInSeconds
            self.averageHeartRate = averageHeartRate
        }
    }

    package struct Event: Sendable, Equatable {
        /// A case name of `HKWorkoutEventType`, such as `lap`.
        package var type: String
        package var start: Date
        package var end: Date

        package init(type: String, start: Date, end: Date) {
            self.type = type
            self.start = start
            self.end = end
        }
    }

    /// The statistics of one quantity type over the whole workout.
    package struct Statistics: Sendable, Equatable {
        /// Apple's identifier, such as `HKQuantityTypeIdentifierHeartRate`.
        package var identifier: String
        /// The unit of all the values, as `HKUnit.unitString` spells it.
        package var unit: String
        /// The number of readings. Nil if only the figures are known, as in an export of the Health app.
        package var count: Int?
        package var minimum: Double?
        /// The average by the type's aggregation style: for a heart rate, weighted by time.
        package var average: Double?
        /// The average with each reading counted once.
        package var arithmeticMean: Double?
        package var maximum: Double?
        package var mostRecent: Double?
        /// The sum, for cumulative types.
        package var sum: Double?

        package init(
            identifier: String, unit: String, count: Int? = nil, minimum: Double? = nil, average: Double? = nil,
            arithmeticMean: Double? = nil, maximum: Double? = nil, mostRecent: Double? = nil, sum: Double? = nil
        ) {
            self.identifier = identifier
            self.unit = unit
            self.count = count
            self.minimum = minimum
            self.average = average
            self.arithmeticMean = arithmeticMean
            self.maximum = maximum
            self.mostRecent = mostRecent
            self.sum = sum
        }
    }

    /// The time in a zone, and its share of all time with a heart rate. Zone 0 is the time below zone 1.
    package struct ZoneShare: Sendable, Equatable {
        package var zone: Int
        package var seconds: Double
        /// From 0 to 1. Nil if no zone has any time.
        package var share: Double?
    }

    /// The rows of a table of zones: the time below zone 1 first, if there is any. Empty without zones.
    package var zoneShares: [ZoneShare] { Self.shares(of: zones, below: belowZonesInSeconds) }

    package static func shares(of zones: [Zone], below: Double?) -> [ZoneShare] {
        guard !zones.isEmpty else { return [] }
        let below = below.flatMap { $0 > 0 ? [Zone(zone: 0, seconds: $0)] : nil } ?? []
        let all = below + zones
        let total = all.reduce(0) { $0 + ($1.seconds.isFinite ? max(0, $1.seconds) : 0) }
        return all.map { ZoneShare(zone: $0.zone, seconds: $0.seconds, share: total > 0 ? $0.seconds / total : nil) }
    }

    package struct Zone: Sendable, Equatable {
        package var zone: Int
        package var seconds: Double

        package init(zone: Int, seconds: Double) {
            self.zone = zone
            self.seconds = seconds
        }
    }

    package struct Sensor: Sendable, Equatable {
        package var name: String
        /// Nil if unknown.
        package var kind: String?

        package init(name: String, kind: String? = nil) {
            self.name = name
            self.kind = kind
        }
    }

    package init(
        id: UUID, activity: String, start: Date, end: Date, elapsedInSeconds: Double, durationInSeconds: Double,
        pauses: [Pause] = [], laps: [Lap] = [], activities: [Activity] = [], events: [Event] = [],
        statistics: [Statistics] = [], beats: BeatSummary? = nil, route: RouteSummary? = nil, zones: [Zone] = [],
        sensors: [Sensor] = [], source: String? = nil
    ) {
        self.id = id
        self.activity = activity
        self.start = start
        self.end = end
        self.elapsedInSeconds = elapsedInSeconds
        self.durationInSeconds = durationInSeconds
        self.pauses = pauses
        self.laps = laps
        self.activities = activities
        self.events = events
        self.statistics = statistics
        self.beats = beats
        self.route = route
        self.zones = zones
        self.sensors = sensors
        self.source = source
    }
}

extension WorkoutSummary {
    /// Returns the mean of a kind of speed for people: distance over duration, in m/s. Nil if the distance or the
    /// duration of its sport is unknown. The average of `statistics` is that of the readings, as HealthKit defines it.
    package func meanSpeed(_ identifier: String) -> Double? {
        let legs =
            activities.isEmpty
            ? [(activity, durationInSeconds)] : activities.map { ($0.activity, $0.durationInSeconds) }
        let own = legs.filter { Self.identifier(ActivityDescription(activity: $0.0).speedType) == identifier }
        let distances = Set(own.compactMap { ActivityDescription(activity: $0.0).distanceType })
        // A leg of another sport may have the same kind of distance, such as the walk to the bicycle.
        let sharing = legs.filter { ActivityDescription(activity: $0.0).distanceType.map(distances.contains) ?? false }
        let seconds = own.reduce(0) { $0 + $1.1 }
        guard distances.count == 1, sharing.count == own.count, seconds > 0,
            let meters = statistics.first(where: { $0.identifier == Self.identifier(distances.first) })?.sum
        else { return nil }
        return meters / seconds
    }

    private static func identifier(_ type: String?) -> String? {
        type.flatMap { TypeCatalogue.quantityType(named: $0)?.identifier }
    }
}

extension WorkoutSummary {
    /// Returns the sport at a time: that of the leg, or of the workout.
    package func activity(at date: Date) -> String { activities.last { $0.start <= date }?.activity ?? activity }

    /// Sets the time in zones of power and speed from the analysis of the same workout.
    package mutating func setMotionZones(_ analysis: WorkoutAnalysis) {
        powerZones = try? analysis.timeInPowerZones.get()
        speedZones = try? analysis.timeInSpeedZones.get()
    }
}

/// The positions of a workout, and the length of the way along them.
package struct RouteSummary: Sendable, Equatable {
    package var points: Int
    /// The distance on the ellipsoid from each position to the next, without ups and downs, and without the way across a pause.
    package var distanceInMeters: Double

    package init(points: Int, distanceInMeters: Double) {
        self.points = points
        self.distanceInMeters = distanceInMeters
    }
}

/// The RR intervals and their variability.
package struct BeatSummary: Sendable, Equatable {
    package var count: Int
    /// Divided by n − 1. Nil with fewer than two intervals.
    package var sdnnInMilliseconds: Double?
    /// Nil with fewer than two intervals.
    package var rmssdInMilliseconds: Double?

    package init(count: Int, sdnnInMilliseconds: Double? = nil, rmssdInMilliseconds: Double? = nil) {
        self.count = count
        self.sdnnInMilliseconds = sdnnInMilliseconds
        self.rmssdInMilliseconds = rmssdInMilliseconds
    }
}
