package import Analytics

/// Best efforts by distance over many workouts: for each sport and distance the fastest one, and the workout that it was in.
package struct DistanceRecords: Sendable {
    package struct Record: Sendable {
        package var effort: DistanceCourse.Effort
        package var workout: HKWorkout
        /// When it began.
        package var date: Date { workout.startDate + effort.start }
    }

    /// By the case name of `HKWorkoutActivityType`; the shortest distance first.
    package private(set) var bySport: [String: [Record]] = [:]

    package init(of workouts: [HKWorkout], in database: any HealthDatabase) throws {
        let efforts = try workouts.concurrentMap { try Self.efforts(of: $0, in: database) }
        for (workout, efforts) in zip(workouts, efforts) where !efforts.isEmpty {
            let sport = workout.workoutActivityType.caseName
            var records = bySport[sport] ?? []
            for effort in efforts {
                let place = records.firstIndex { $0.effort.meters >= effort.meters } ?? records.count
                let record = Record(effort: effort, workout: workout)
                if place == records.count || records[place].effort.meters > effort.meters {
                    records.insert(record, at: place)
                } else if effort.seconds < records[place].effort.seconds {
                    records[place] = record
                }
            }
            bySport[sport] = records
        }
    }

    /// Of the distances that are compared in its sport; none if it is shorter than all of them.
    private static func efforts(
        of workout: HKWorkout, in database: any HealthDatabase
    ) throws -> [DistanceCourse.Effort] {
        let distances = DistanceCourse.comparedDistances(in: workout.workoutActivityType.caseName)
        guard let shortest = distances.first, let course = try course(of: workout, in: database),
            course.totalInMeters >= shortest
        else { return [] }
        return distances.compactMap(course.fastest)
    }

    /// Of the distance that it has most of; nil if that is not known by the minute.
    private static func course(of workout: HKWorkout, in database: any HealthDatabase) throws -> DistanceCourse? {
        let distances = workout.allStatistics.filter { $0.key.swiftName.hasPrefix("distance") }
        guard let type = distances.max(by: { $0.value.total.sum < $1.value.total.sum })?.key else { return nil }
        let start = workout.startDate.timeIntervalSinceReferenceDate
        var course = DistanceCourse()
        let measurements = try database.measurements([SampleSelection(type, .workout(workout.uuid))])
        for measurement in measurements.sorted(by: { ($0.start, $0.end) < ($1.start, $1.end) }) {
            guard measurement.end - measurement.start <= SecondlySeries.longestReadingInSeconds else { return nil }
            course.add(measurement.value, from: measurement.start - start, to: measurement.end - start)
        }
        return course
    }
}
