import Foundation
import HealthKit

/// A health store in memory, and what tests put into it.
struct QueryStore {
    let database = SQLiteHealthDatabase(.memory)
    let store: HKHealthStore

    init() {
        store = HKHealthStore(environment: HealthEnvironment(sensors: []), database: database)
    }

    func save(_ objects: [HKObject], from source: String = "Watch") throws {
        try database.save(objects, from: Made.source(source))
    }
}

extension Made {
    static func workout(
        _ activity: HKWorkoutActivityType, at seconds: Double, lasting duration: Double, kilocalories: Double? = nil
    ) throws -> HKWorkout {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = activity
        return try HKWorkout.validated(
            ObjectIdentity(), configuration: configuration, start: start + seconds, end: start + seconds + duration,
            totals: WorkoutTotals(
                energyBurned: kilocalories.map { HKQuantity(unit: .kilocalorie(), doubleValue: $0) }))
    }

    static func sleep(_ value: HKCategoryValueSleepAnalysis, from: Double, to: Double) -> HKCategorySample {
        HKCategorySample(type: sleep, value: value.rawValue, start: start + from, end: start + to)
    }

    static func bpm(_ value: Double) -> HKQuantity { HKQuantity(unit: perMinute, doubleValue: value) }
}
