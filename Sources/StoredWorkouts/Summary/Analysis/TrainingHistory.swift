package import Analytics
import Recordings

/// Load, fitness, fatigue and resting heart rate, day by day: a fold over the stored workouts in order of time.
package struct TrainingHistory: Sendable {
    package struct Day: Sendable, Equatable {
        package var start: Date
        package var workouts = 0
        /// The load by Banister's training impulse. 0 on a day without a workout, nil if it is unknown for all workouts of the day.
        package var load: Double?
        /// Nil until the first workout with a known load, as are ``fatigue`` and ``form``.
        package var fitness: Double?
        package var fatigue: Double?
        package var form: Double?
        package var restingHeartRate: Double?
    }

    /// For how long before the first shown day workouts count. After that, 0.3 % of a load is left.
    package static let daysBefore = 252

    /// The days in order, without gaps.
    package private(set) var days: [Day] = []
    package private(set) var restingTrend = RestingHeartRateTrend()
    /// Why some workouts have no load, and their number.
    package private(set) var withoutLoad: [(reason: MissingFigure, workouts: Int)] = []
    /// The number of days before the first one that fitness includes.
    package private(set) var daysSeenBefore = 0

    /// The workouts in order of time, including those before the first shown day.
    package private(set) var workouts: [HKWorkout] = []

    /// - Parameters:
    ///   - start: The first moment to show. Nil for that of the first workout.
    ///   - end: A moment of the last day, or its end.
    package init(in environment: HealthEnvironment, from start: Date?, to end: Date, _ timeZone: TimeZone) throws {
        let database = environment.database
        let calendar = Calendar.gregorian(timeZone)
        workouts = try Self.workouts(database, from: start, to: end, calendar)
        guard let first = start ?? workouts.first?.startDate, first < end else { return }
        let firstDay = calendar.startOfDay(for: first)
        var loads: [Date: DailyLoad] = [:]
        let wearer = environment.wearerByDate
        let athletes = workouts.map { WorkoutAnalysis.Athlete(wearer: wearer($0.startDate)) }
        let impulses = try Array(zip(workouts, athletes)).concurrentMap { workout, athlete in
            try WorkoutAnalysis.load(of: workout, in: database, athlete).banister
        }
        for (workout, impulse) in zip(workouts, impulses) {
            let day = calendar.startOfDay(for: workout.startDate)
            var sum = loads[day] ?? DailyLoad()
            sum.workouts += 1
            switch impulse {
            case .success(let load): sum.load = (sum.load ?? 0) + load
            case .failure(let reason): if day >= firstDay { note(reason) }
            }
            loads[day] = sum
        }
        let resting = try Self.restingHeartRates(database, from: firstDay, to: end, calendar)
        fold(loads, resting, from: min(firstDay, loads.keys.min() ?? firstDay), shownFrom: firstDay, to: end, calendar)
    }

    private struct DailyLoad {
        var workouts = 0
        /// The sum over the workouts that have one.
        var load: Double?
    }

    private mutating func fold(
        _ loads: [Date: DailyLoad], _ resting: [Date: Double], from first: Date,
        shownFrom firstShown: Date, to end: Date, _ calendar: Calendar
    ) {
        var state = FitnessAndFatigue()
        var day = first
        while day < end {
            let load = loads[day] ?? DailyLoad(load: 0)
            state.add(dailyLoad: load.load ?? 0)
            let isKnown = state.fitness > 0
            if day < firstShown {
                daysSeenBefore += 1
            } else {
                days.append(
                    Day(
                        start: day, workouts: load.workouts, load: load.load, fitness: isKnown ? state.fitness : nil,
                        fatigue: isKnown ? state.fatigue : nil, form: isKnown ? state.form : nil,
                        restingHeartRate: resting[day]))
                if let rate = resting[day] { restingTrend.add(rate, day: Double(days.count)) }
            }
            guard let next = calendar.date(byAdding: .day, value: 1, to: day) else { return }
            day = calendar.startOfDay(for: next)
        }
    }

    private mutating func note(_ reason: MissingFigure) {
        if let index = withoutLoad.firstIndex(where: { $0.reason == reason }) {
            withoutLoad[index].workouts += 1
        } else {
            withoutLoad.append((reason, 1))
        }
    }

    private static func workouts(
        _ database: any HealthDatabase, from start: Date?, to end: Date, _ calendar: Calendar
    ) throws -> [HKWorkout] {
        var conditions: [SampleFilter] = [.startDate(.less, end)]
        if let start, let before = calendar.date(byAdding: .day, value: -daysBefore, to: start) {
            conditions.append(.startDate(.greaterOrEqual, before))
        }
        return try database.samples(
            [SampleSelection(HKObjectType.workoutType(), .and(conditions))], sortedBy: [SampleSort(.startDate)],
            limit: nil
        ).compactMap { $0 as? HKWorkout }
    }

    /// The mean of each day that has values.
    private static func restingHeartRates(
        _ database: any HealthDatabase, from start: Date, to end: Date, _ calendar: Calendar
    ) throws -> [Date: Double] {
        let type = HKQuantityType(.restingHeartRate)
        let selection = SampleSelection(type, .and([.startDate(.greaterOrEqual, start), .startDate(.less, end)]))
        var sums: [Date: RunningVariance] = [:]
        for case let sample as HKQuantitySample in try database.samples([selection], sortedBy: [], limit: nil) {
            sums[calendar.startOfDay(for: sample.startDate), default: RunningVariance()]
                .add(sample.quantity.doubleValue(for: type.recordingUnit))
        }
        return sums.mapValues(\.mean)
    }
}
