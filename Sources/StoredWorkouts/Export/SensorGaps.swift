import SessionLog

/// The absences of the sensors of a stored workout's heart rates.
///
/// For its averages, the store knows until when each value is held. If a hold ends before the next value, but neither a
/// pause, a leg nor the workout ends or begins there, the sensor went away. It was back with its next heart rate.
struct SensorGaps {
    struct Absence: Equatable {
        var device: HKDevice
        var start: Date
        /// The end of the absence. Nil if the sensor did not come back.
        var end: Date?
    }

    private(set) var all: [Absence] = []
    /// The starts of legs that began just after a heart rate of the same moment, whose hold they end.
    private(set) var partsBehindValues: Set<Date> = []

    init(of workout: HKWorkout, pauses: WorkoutPauses, in database: any HealthDatabase) throws {
        let holds = try database.holds(SampleSelection(HKQuantityType(.heartRate), .workout(workout.uuid)))
        var known = Set(pauses.intervals.map(\.start))
        let begun = Set(holds.filter { $0.end != $0.dates.lowerBound }.map(\.dates.lowerBound))
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
