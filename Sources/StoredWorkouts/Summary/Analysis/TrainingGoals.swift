import Analytics

/// A goal for each year or month.
package struct TrainingGoal: Sendable, Equatable, Codable {
    package enum Period: String, Sendable, Codable, CaseIterable { case year, month }

    package enum Measure: String, Sendable, Codable, CaseIterable {
        /// In metres.
        case distance
        /// In seconds, without pauses.
        case time
        /// The number of workouts.
        case workouts
        /// In metres.
        case ascent
    }

    package var period: Period
    package var measure: Measure
    /// More than 0, in the unit of the measure.
    package var target: Double
    /// A case name of `HKWorkoutActivityType`. Nil for all workouts.
    package var activity: String?

    package init(_ period: Period, _ measure: Measure, target: Double, activity: String? = nil) {
        self.period = period
        self.measure = measure
        self.target = target
        self.activity = activity
    }

    /// The progress towards it.
    package struct Progress: Sendable, Equatable {
        package var goal: TrainingGoal
        /// The period, up to the first moment of the next one.
        package var dates: DateInterval
        /// In the unit of the measure. Nil if it is unknown for all workouts of the period.
        package var done: Double?
        /// What an even pace would have reached by now.
        package var expected: Double

        /// From 0 to 1.
        package var share: Double? { done.map { $0 / goal.target } }
    }
}

/// The goals of a store: at most one for each sport, period and measure.
package struct TrainingGoals: Sendable, Equatable {
    package private(set) var all: [TrainingGoal] = []

    package init() {}

    private static let setting = "goals"

    /// - Throws: The store's error, and a `DecodingError` if the setting holds something else.
    package init(in database: any HealthDatabase) throws {
        guard let data = try database.setting(Self.setting) else { return }
        all = try JSONDecoder().decode([TrainingGoal].self, from: data)
    }

    package func save(in database: any HealthDatabase) throws {
        let data = all.isEmpty ? nil : try JSONEncoder().encode(all)
        try database.updateSetting(Self.setting) { _ in data }
    }

    /// Adds a goal. It replaces that of the same sport, period and measure.
    package mutating func set(_ goal: TrainingGoal) {
        remove(goal.period, goal.measure, activity: goal.activity)
        all.append(goal)
    }

    package mutating func remove(
        _ period: TrainingGoal.Period, _ measure: TrainingGoal.Measure, activity: String?
    ) {
        all.removeAll { $0.period == period && $0.measure == measure && $0.activity == activity }
    }

    /// The progress in the current year and month.
    /// - Parameter efforts: The efforts of the same workouts, for their ascent.
    package func progress(
        at now: Date, of workouts: [HKWorkout], _ efforts: StoredEfforts, _ calendar: Calendar
    ) -> [TrainingGoal.Progress] {
        all.compactMap { goal in
            guard let dates = calendar.dateInterval(of: goal.period == .year ? .year : .month, for: now) else {
                return nil
            }
            let own = workouts.filter {
                $0.startDate >= dates.start && $0.startDate <= now
                    && (goal.activity == nil || $0.workoutActivityType.caseName == goal.activity)
            }
            let values = own.compactMap { workout -> Double? in
                switch goal.measure {
                case .distance: workout.totalDistance?.doubleValue(for: .meter())
                case .time: workout.duration
                case .workouts: 1
                case .ascent: efforts.byWorkout[workout.uuid]?.climb?.ascent
                }
            }
            // Without workouts the sum is 0. If no workout has the measure, it is unknown.
            let done = values.isEmpty && !own.isEmpty ? nil : values.reduce(0, +)
            return TrainingGoal.Progress(
                goal: goal, dates: dates, done: done,
                expected: goal.target * min(1, now.timeIntervalSince(dates.start) / dates.duration))
        }
    }
}
