import Foundation
package import HealthStore

/// Samples of many kinds, with dates from ``start`` on.
package enum Made {
    package static let start = Date(timeIntervalSinceReferenceDate: 800_000_000)
    package static let perMinute = HKUnit.count().unitDivided(by: .minute())
    package static let heartRate = HKQuantityType(.heartRate)
    package static let steps = HKQuantityType(.stepCount)
    package static let sleep = HKCategoryType(.sleepAnalysis)

    package static func heartRate(
        _ value: Double, at seconds: Double, device: HKDevice? = nil, metadata: [String: Any]? = nil
    ) -> HKQuantitySample {
        HKQuantitySample(
            type: heartRate, quantity: HKQuantity(unit: perMinute, doubleValue: value), start: start + seconds,
            end: start + seconds, device: device, metadata: metadata)
    }

    package static func steps(_ value: Double, from: Double, to: Double) -> HKQuantitySample {
        HKQuantitySample(
            type: steps, quantity: HKQuantity(unit: .count(), doubleValue: value), start: start + from, end: start + to)
    }

    /// - Parameter bundle: The last part of the bundle identifier. Nil means the name.
    package static func source(_ name: String, bundle: String? = nil, version: String? = "1") -> HKSourceRevision {
        HKSourceRevision(
            source: HKSource(name: name, bundleIdentifier: "test.\(bundle ?? name)"), version: version,
            productType: "Linux,test",
            operatingSystemVersion: OperatingSystemVersion(majorVersion: 6, minorVersion: 1, patchVersion: 2))
    }
}

extension Made {
    package static func workout(
        _ activity: HKWorkoutActivityType, at seconds: Double, lasting duration: Double, kilocalories: Double? = nil
    ) throws -> HKWorkout {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = activity
        return try HKWorkout.validated(
            ObjectIdentity(), configuration: configuration, start: start + seconds, end: start + seconds + duration,
            totals: WorkoutTotals(
                energyBurned: kilocalories.map { HKQuantity(unit: .kilocalorie(), doubleValue: $0) }))
    }

    package static func sleep(_ value: HKCategoryValueSleepAnalysis, from: Double, to: Double) -> HKCategorySample {
        HKCategorySample(type: sleep, value: value.rawValue, start: start + from, end: start + to)
    }

    package static func bpm(_ value: Double) -> HKQuantity { HKQuantity(unit: perMinute, doubleValue: value) }
}
