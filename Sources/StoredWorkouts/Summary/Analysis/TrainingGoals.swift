import Analytics

/// What somebody wants to reach in each year or month.
package struct TrainingGoal: Sendable, Equatable, Codable {
    package enum Period: String, Sendable, Codable, CaseIterable { case year, month }

    package enum Measure: String, Sendable, Codable, CaseIterable {
        /// In metres.
        case distance
        /// In seconds, without pauses.
        case time
        /// How many workouts.
        case workouts
        /// In metres.
        case ascent
    }

    package var period: Period
    package var measure: Measure
    /// In the unit of the measure; more than 0.
    package var target: Double
    /// A case name of `HKWorkoutActivityType`; nil for all workouts.
    package var activity: String?

    package init(_ period: Period, _ measure: Measure, target: Double, activity: String? = nil) {
        self.period = period
        self.measure = measure
        self.target = target
        self.activity = activity
    }

    /// How far it is reached.
    package struct Progress: Sendable, Equatable {
        package var goal: TrainingGoal
        /// From the first moment of the period to the first one after it.
        package var dates: DateInterval
        /// In the unit of the measure; nil if no workout of the period knows it.
        package var done: Double?
        /// What an even pace comes to by now.
        package var expected: Double

        /// A fraction of 1.
        package var share: Double? { done.map { $0 / goal.target } }
    }
}

/// The goals of a store, each period and measure of a sport once.
package struct TrainingGoals: Sendable, Equatable {
    package private(set) var all: [TrainingGoal] = []

    package init() {}

    private static let setting = "goals"

    /// - Throws: What the store throws, and a `DecodingError` if it keeps something else under the name.
    package init(in database: any HealthDatabase) throws {
        guard let data = try database.setting(Self.setting) else { return }
        all = try JSONDecoder().decode([TrainingGoal].self, from: data)
    }

    package func save(in database: any HealthDatabase) throws {
        let data = all.isEmpty ? nil : try JSONEncoder().encode(all)
        try database.updateSetting(Self.setting) { _ in data }
    }

    /// Takes the place of the goal of the same period, measure and sport.
    package mutating func set(_ goal: TrainingGoal) {
        remove(goal.period, goal.measure, activity: goal.activity)
        all.append(goal)
    }

    package mutating func remove(
        _ period: TrainingGoal.Period, _ measure: TrainingGoal.Measure, activity: String?
    ) {
        all.removeAll { $0.period == period && $0.measure == measure && $0.activity == activity }
    }

    /// Of the year and the month that a moment lies in, as of that moment.
    /// - Parameter efforts: Of the same workouts, for their ascent.
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
            // Nothing done is 0; something done of which nothing is known is not.
            let done = values.isEmpty && !own.isEmpty ? nil : values.reduce(0, +)
            return TrainingGoal.Progress(
                goal: goal, dates: dates, done: done,
                expected: goal.target * min(1, now.timeIntervalSince(dates.start) / dates.duration))
        }
    }
}
