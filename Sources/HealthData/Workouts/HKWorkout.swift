public import Foundation
import SessionLog
import Synchronization

/// A finished workout. A workout builder creates it; sample queries read it.
// Sendable holds: the values that ``setValue(_:forKey:)`` changes are in a mutex, and the rest never changes.
public final class HKWorkout: HKSample, @unchecked Sendable {
    /// The activity type of the whole workout. ``workoutActivities`` has the legs of a multisport workout.
    public let workoutActivityType: HKWorkoutActivityType
    /// Seconds from start to end, excluding the time between pause and resume events.
    public let duration: TimeInterval
    /// The events of the workout in order of time. Nil if there are none.
    public let workoutEvents: [HKWorkoutEvent]?
    /// The activities in order of time. A workout without any has one of its whole length.
    public let workoutActivities: [HKWorkoutActivity]
    /// The statistics of the workout's samples, by quantity type.
    public let allStatistics: [HKQuantityType: HKStatistics]
    /// The zones of heart rate and cycling power, and the time in each. Nil if none were known.
    public let zoneGroupsByType: [HKQuantityType: HKWorkoutZoneGroup]?

    /// The facts that the workout states in addition to its statistics.
    struct Statements: Sendable {
        var totals: WorkoutTotals
        /// Not used by this module. For apps that set it and read it again.
        var steps: HKQuantity?
    }

    let statements: Mutex<Statements>

    package var totals: WorkoutTotals { statements.withLock { $0.totals } }

    /// The total of active energy.
    public var totalEnergyBurned: HKQuantity? { totals.energyBurned }
    /// The total distance of the activity's type, such as `distanceCycling`.
    public var totalDistance: HKQuantity? { totals.distance }
    /// The number of swimming strokes. Nil if none were counted.
    public var totalSwimmingStrokeCount: HKQuantity? { totals.swimmingStrokeCount }
    /// The number of flights of stairs. Nil if none were counted.
    public var totalFlightsClimbed: HKQuantity? { totals.flightsClimbed }

    /// Returns the statistics of one quantity type, or nil if the workout has no samples of it.
    public func statistics(for quantityType: HKQuantityType) -> HKStatistics? { allStatistics[quantityType] }

    /// Returns the zones of one quantity type. Nil if they were not known, or nothing of the type was measured.
    public func zoneGroup(for quantityType: HKQuantityType) -> HKWorkoutZoneGroup? { zoneGroupsByType?[quantityType] }

    /// Creates a workout from a builder, a file or the store. Throws ``SampleError`` instead of trapping if the data is
    /// invalid.
    ///
    /// - Parameters:
    ///   - duration: Seconds without pauses; nil computes them from `events`.
    ///   - activities: Their events and durations are taken from the workout's. None makes the one of the whole
    ///     workout.
    ///   - totals: Nil takes them from `statistics`.
    package static func validated(
        _ identity: ObjectIdentity, configuration: HKWorkoutConfiguration, start: Date, end: Date,
        duration: TimeInterval? = nil, events: [HKWorkoutEvent] = [], activities: [HKWorkoutActivity] = [],
        statistics: [HKQuantityType: HKStatistics] = [:], totals: WorkoutTotals? = nil,
        zones: [HKQuantityType: HKWorkoutZoneGroup]? = nil
    ) throws(SampleError) -> HKWorkout {
        let activityType = configuration.activityType
        try check(HKObjectType.workoutType(), start: start, end: end)
        if let duration, !(duration >= 0) { throw .negativeDuration(seconds: duration) }
        try WorkoutRules.check(events, start: start, end: end)
        try WorkoutRules.check(activities, of: activityType, start: start, end: end)
        try totals?.check()

        let events = events.sortedByStart
        let pauses = WorkoutPauses(of: events, start: start, end: end)
        let parts =
            activities.isEmpty
            ? [
                try HKWorkoutActivity(
                    uuid: identity.uuid.ofWholeWorkout, configuration: configuration, start: start, end: end,
                    events: events, duration: duration ?? pauses.activeSeconds(from: start, to: end),
                    statistics: statistics, zones: zones)
            ]
            : activities.sorted { $0.startDate < $1.startDate }.map { $0.inWorkout(events: events, pauses: pauses) }
        let partTypes = parts.map(\.workoutConfiguration.activityType)
        return HKWorkout(
            identity, activityType, start, end, duration ?? pauses.activeSeconds(from: start, to: end), events, parts,
            statistics, totals ?? WorkoutTotals(statistics, activity: activityType, parts: partTypes), zones)
    }

    /// Creates a workout from the store. Nothing is checked or computed again. `events` are in order of time.
    package static func stored(
        _ identity: ObjectIdentity, _ activityType: HKWorkoutActivityType, start: Date, end: Date,
        duration: TimeInterval, events: [HKWorkoutEvent], activities: [HKWorkoutActivity],
        statistics: [HKQuantityType: HKStatistics], totals: WorkoutTotals,
        zones: [HKQuantityType: HKWorkoutZoneGroup]?
    ) -> HKWorkout {
        HKWorkout(identity, activityType, start, end, duration, events, activities, statistics, totals, zones)
    }

    private init(
        _ identity: ObjectIdentity, _ activityType: HKWorkoutActivityType, _ start: Date, _ end: Date,
        _ duration: TimeInterval, _ events: [HKWorkoutEvent], _ activities: [HKWorkoutActivity],
        _ statistics: [HKQuantityType: HKStatistics], _ totals: WorkoutTotals,
        _ zones: [HKQuantityType: HKWorkoutZoneGroup]?
    ) {
        workoutActivityType = activityType
        self.duration = duration
        workoutEvents = events.isEmpty ? nil : events
        workoutActivities = activities
        allStatistics = statistics
        zoneGroupsByType = zones
        statements = Mutex(Statements(totals: totals))
        super.init(identity, sampleType: .workoutType(), start: start, end: end)
    }

    /// Returns the workout with the statistics of one more type.
    package func stating(_ statistics: HKStatistics) -> HKWorkout {
        let all = allStatistics.merging([statistics.quantityType: statistics]) { $1 }
        return HKWorkout(
            identity, workoutActivityType, startDate, endDate, duration, workoutEvents ?? [], workoutActivities, all,
            totals, zoneGroupsByType)
    }

    /// Creates a workout like another one, for the deprecated initialisers in `HKWorkout+Deprecated.swift`.
    convenience init(like workout: HKWorkout) {
        self.init(
            workout.identity, workout.workoutActivityType, workout.startDate, workout.endDate, workout.duration,
            workout.workoutEvents ?? [], workout.workoutActivities, workout.allStatistics, workout.totals,
            workout.zoneGroupsByType)
    }

    /// Moves events and activities along. With other dates the copy has no statistics and zones, which belong to the
    /// old time line.
    package override func copy(
        identity: ObjectIdentity, start: Date, end: Date, inner: (Date) -> Date
    ) -> HKWorkout {
        let stays = start == startDate && end == endDate
        return HKWorkout(
            identity, workoutActivityType, start, end,
            stays ? duration : duration * WorkoutRules.ratio(of: start, end, to: startDate, endDate),
            stays ? workoutEvents ?? [] : (workoutEvents ?? []).map { $0.mappingDates(inner) },
            stays ? workoutActivities : workoutActivities.map { $0.mappingDates(inner) },
            stays ? allStatistics : [:], totals, stays ? zoneGroupsByType : nil)
    }

    /// The activity type, the UUID and the dates.
    public override var description: String { "\(workoutActivityType.caseName) \(uuid) (\(startDate) - \(endDate))" }

    // MARK: NSSecureCoding

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public required init?(coder: NSCoder) {
        guard
            let activity = coder.decodeCount(forKey: "activityType")
                .flatMap({ HKWorkoutActivityType(rawValue: UInt(clamping: $0)) }),
            let duration = coder.decodeNumber(forKey: "duration"), duration >= 0,
            let events = coder.decodeList(of: HKWorkoutEvent.self, forKey: "workoutEvents"),
            let activities = coder.decodeList(of: HKWorkoutActivity.self, forKey: "workoutActivities"),
            !activities.isEmpty, let statistics = coder.decodeStatistics(forKey: "statistics")
        else { return nil }
        let totals = WorkoutTotals(
            energyBurned: coder.decodeValue(of: HKQuantity.self, forKey: "totalEnergyBurned"),
            distance: coder.decodeValue(of: HKQuantity.self, forKey: "totalDistance"),
            swimmingStrokeCount: coder.decodeValue(of: HKQuantity.self, forKey: "totalSwimmingStrokeCount"),
            flightsClimbed: coder.decodeValue(of: HKQuantity.self, forKey: "totalFlightsClimbed"))
        guard (try? totals.check()) != nil else { return nil }
        workoutActivityType = activity
        self.duration = duration
        workoutEvents = events.isEmpty ? nil : events.sortedByStart
        workoutActivities = activities
        allStatistics = statistics
        zoneGroupsByType = coder.decodeZones(forKey: "zones")
        statements = Mutex(Statements(totals: totals))
        super.init(coder: coder)
    }

    /// Writes the values that `init(coder:)` reads, in addition to those of the superclass.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(count: Int(workoutActivityType.rawValue), forKey: "activityType")
        coder.encode(number: duration, forKey: "duration")
        coder.encode(list: workoutEvents ?? [], forKey: "workoutEvents")
        coder.encode(list: workoutActivities, forKey: "workoutActivities")
        coder.encode(list: Array(allStatistics.values), forKey: "statistics")
        coder.encode(zones: zoneGroupsByType, forKey: "zones")
        coder.encodeIfPresent(totals.energyBurned, forKey: "totalEnergyBurned")
        coder.encodeIfPresent(totals.distance, forKey: "totalDistance")
        coder.encodeIfPresent(totals.swimmingStrokeCount, forKey: "totalSwimmingStrokeCount")
        coder.encodeIfPresent(totals.flightsClimbed, forKey: "totalFlightsClimbed")
    }
}

extension UUID {
    /// The UUID of the activity that is the whole of the workout with this UUID. It is not stored, but always the same:
    /// it differs from the workout's in the last bit.
    fileprivate var ofWholeWorkout: UUID {
        var bytes = uuid
        bytes.15 ^= 1
        return UUID(uuid: bytes)
    }
}
