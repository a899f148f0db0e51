import Analytics
import Recordings

extension WorkoutAnalysis {
    /// Of a stored workout: its entries, and the heart rates of the two minutes behind it, whoever saved them.
    package init(_ workout: HKWorkout, in database: any HealthDatabase, _ athlete: Athlete) throws {
        self.init(athlete)
        let entries = try StoredWorkoutEntries(workout, in: database)
        for entry in entries { take(entry) }
        if let failure = entries.failure { throw failure }
        let last = (RecoveryReadings.momentsInSeconds.last ?? 0) + HeartRateRecovery.toleranceInSeconds
        let after = SampleFilter.and([
            .startDate(.greater, workout.endDate), .startDate(.lessOrEqual, workout.endDate + last),
        ])
        let samples = try database.samples(
            [SampleSelection(HKQuantityType(.heartRate), after)], sortedBy: [SampleSort(.startDate)], limit: nil)
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
