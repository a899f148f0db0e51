package import Analytics
import SessionLog

extension WorkoutAnalysis {
    /// The types of a stored workout that the fold reads as entries.
    private static let types: Set<HKSampleType> = Set(
        TypeCatalogue.quantityTypes.filter { type in
            let name = type.swiftName
            return type == HKQuantityType(.heartRate) || name.hasPrefix("distance") || name.hasSuffix("Power")
                || name.hasSuffix("Speed")
        })

    /// Analyzes a stored workout: its samples, its beats, and the heart rates of the two minutes after it.
    package init(
        _ workout: HKWorkout, in database: any HealthDatabase, _ athlete: Athlete, for purpose: Purpose = .figures
    ) throws {
        self.init(athlete, for: purpose)
        try take(StoredWorkoutEntries(workout, in: database, only: Self.types))
        for series in try database.heartbeatSeries(ofWorkout: workout.uuid) {
            take(series.beats, from: series.sample.startDate.timeIntervalSince(workout.startDate))
        }
        try takeHeartRates(behind: workout, in: database)
    }

    /// Analyzes only power and speed, with the same fold.
    package init(motionOf workout: HKWorkout, in database: any HealthDatabase, _ athlete: Athlete) throws {
        self.init(athlete)
        try take(
            StoredWorkoutEntries(workout, in: database, only: Self.types.subtracting([HKQuantityType(.heartRate)])))
    }

    /// Analyzes only the load, from the same heart rates and with the same fold.
    package static func load(
        of workout: HKWorkout, in database: any HealthDatabase, _ athlete: Athlete
    ) throws -> HeartRateLoad {
        var analysis = WorkoutAnalysis(athlete, for: .load)
        try analysis.take(StoredWorkoutEntries(workout, in: database, only: [HKQuantityType(.heartRate)]))
        return analysis.load
    }

    private mutating func take(_ entries: StoredWorkoutEntries) throws {
        for entry in entries { take(entry) }
        if let failure = entries.failure { throw failure }
    }

    /// From any source, except samples of another workout, since its effort is not a recovery from this one.
    private mutating func takeHeartRates(behind workout: HKWorkout, in database: any HealthDatabase) throws {
        let end = workout.endDate
        let last = end + (RecoveryReadings.momentsInSeconds.last ?? 0) + HeartRateRecovery.toleranceInSeconds
        let others = try database.samples(
            [
                SampleSelection(
                    HKObjectType.workoutType(), .and([.startDate(.lessOrEqual, last), .endDate(.greater, end)]))
            ], sortedBy: [], limit: nil
        ).filter { $0.uuid != workout.uuid }
        let selection = SampleSelection(
            HKQuantityType(.heartRate),
            .and(
                [.startDate(.greater, end), .startDate(.lessOrEqual, last)]
                    + others.map { .not(.workout($0.uuid)) }))
        let samples = try database.samples([selection], sortedBy: [SampleSort(.startDate)], limit: nil)
        for case let sample as HKQuantitySample in samples where sample.count == 1 {
            let unit = sample.quantityType.recordingUnit
            take(
                SessionEntry(
                    sample.endDate,
                    .quantity(
                        QuantityReading(
                            "heartRate", sample.quantity.doubleValue(for: unit), unit: unit.unitString,
                            start: sample.startDate, end: sample.endDate))))
        }
    }
}
