import Synchronization

/// The builder of a series that is saved with a workout.
protocol SeriesOfWorkout: AnyObject, Sendable {
    /// Adds what it has gathered beside the log.
    func add(to series: inout AddedSeries) throws
    func close(_ reason: String)
}

/// The series builders of a workout under way: each made when the app first asks for it, and saved with the workout.
final class WorkoutSeries: Sendable {
    private let builders = Mutex<[HKSeriesType: any SeriesOfWorkout]>([:])

    func builder<Builder: SeriesOfWorkout>(of type: HKSeriesType, _ make: () -> Builder) -> Builder {
        builders.withLock { builders in
            if let builder = builders[type] as? Builder { return builder }
            let builder = make()
            builders[type] = builder
            return builder
        }
    }

    /// What they have gathered beside the log.
    func added() throws -> AddedSeries {
        var added = AddedSeries()
        for builder in builders.withLock({ Array($0.values) }) { try builder.add(to: &added) }
        return added
    }

    func close(_ reason: String) {
        for builder in builders.withLock({ Array($0.values) }) { builder.close(reason) }
    }
}
