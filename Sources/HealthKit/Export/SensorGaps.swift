/// When the sensors of a stored workout's heart rates were away.
///
/// The store knows until when the last value before an absence is held, for its averages: where neither a pause nor a part of
/// the workout nor the workout itself ends, the sensor went. It was back with its next heart rate.
struct SensorGaps {
    struct Absence: Equatable {
        var device: HKDevice
        var start: Date
        /// Nil where it did not come back.
        var end: Date?
    }

    private(set) var all: [Absence] = []
    /// When a part began just behind a heart rate of the same moment, which is therefore held no longer.
    private(set) var partsBehindValues: Set<Date> = []

    init(of workout: HKWorkout, pauses: WorkoutPauses, in database: any HealthDatabase) throws {
        let holds = try database.holds(SampleSelection(HKQuantityType(.heartRate), .workout(workout.uuid)))
        var known = Set(pauses.intervals.map(\.start))
        let begun = Set(holds.map(\.dates.lowerBound))
        let ended = Set(holds.filter { $0.end == $0.dates.upperBound }.compactMap(\.end))
        partsBehindValues = ended.subtracting(begun).intersection(workout.workoutActivities.map(\.startDate))
        for part in workout.workoutActivities {
            known.insert(part.startDate)
            if let end = part.endDate { known.insert(end) }
        }
        for (index, hold) in holds.enumerated() {
            guard let device = hold.device, let start = hold.end, start < workout.endDate, !known.contains(start) else {
                continue
            }
            let next = holds[(index + 1)...].first { $0.device == device }
            all.append(Absence(device: device, start: start, end: next.map { max(start, $0.dates.lowerBound) }))
        }
    }
}
