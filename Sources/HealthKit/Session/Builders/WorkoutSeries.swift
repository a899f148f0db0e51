import Synchronization

/// The builder of a series that is saved with a workout.
protocol SeriesOfWorkout: AnyObject, Sendable {
    /// Adds the data that is not in the log.
    func add(to series: inout AddedSeries) throws
    func close(_ reason: String)
}

/// The series builders of a running workout. Each is created when the app first requests it, and saved with the
/// workout.
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

    /// Returns the data that is not in the log.
    func added() throws -> AddedSeries {
        var added = AddedSeries()
        for builder in builders.withLock({ Array($0.values) }) { try builder.add(to: &added) }
        return added
    }

    func close(_ reason: String) {
        for builder in builders.withLock({ Array($0.values) }) { builder.close(reason) }
    }
}
