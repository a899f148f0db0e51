/// The best efforts of many workouts: the best one for each sport, measure and length, and its workout.
package struct BestEfforts: Sendable {
    package struct Record: Sendable {
        package var effort: BestEffort
        package var workout: HKWorkout
        /// When it began. For a mean over a time, when the workout began.
        package var date: Date { workout.startDate + (effort.startInSeconds ?? 0) }
    }

    /// The records of one sport, shortest length first.
    package struct Sport: Sendable {
        /// A case name of `HKWorkoutActivityType`.
        package var activity: String
        package var records: [Record]
    }

    private var byKey: [BestEffort.Key: Record] = [:]
    private let held: [UUID: [BestEffort]]
    /// The efforts of the same workouts.
    package let efforts: StoredEfforts

    /// - Parameters:
    ///   - workouts: In any order. Of two equal efforts, the earlier one is the record.
    ///   - computed: See ``StoredEfforts``.
    package init(
        of workouts: [HKWorkout], in database: any HealthDatabase, computed: [UUID: WorkoutEfforts] = [:]
    ) throws {
        efforts = try StoredEfforts(of: workouts, in: database, computed: computed)
        for workout in workouts.sorted(by: { $0.startDate < $1.startDate }) {
            for effort in efforts.byWorkout[workout.uuid]?.efforts ?? [] {
                if let best = byKey[effort.key]?.effort, !effort.isBetter(than: best) { continue }
                byKey[effort.key] = Record(effort: effort, workout: workout)
            }
        }
        held = Dictionary(grouping: byKey.values, by: \.workout.uuid).mapValues { $0.map(\.effort) }
    }

    /// The best efforts of the whole history.
    package init(in database: any HealthDatabase, computed: [UUID: WorkoutEfforts] = [:]) throws {
        let workouts = try database.samples(
            [SampleSelection(HKObjectType.workoutType(), .all)], sortedBy: [], limit: nil)
        try self.init(of: workouts.compactMap { $0 as? HKWorkout }, in: database, computed: computed)
    }

    /// The records by sport, in the order of their names.
    package func bySport(_ measure: BestEffort.Measure) -> [Sport] {
        let records = byKey.values.filter { $0.effort.key.measure == measure }
        return Dictionary(grouping: records, by: \.effort.key.activity).sorted { $0.key < $1.key }
            .map { Sport(activity: $0.key, records: $0.value.sorted { $0.effort.key.length < $1.effort.key.length }) }
    }

    /// Returns the records that a workout holds.
    package func records(heldBy workout: UUID) -> [BestEffort] {
        (held[workout] ?? []).sorted {
            ($0.key.measure.rawValue, $0.key.length, $0.key.activity)
                < ($1.key.measure.rawValue, $1.key.length, $1.key.activity)
        }
    }
}
