// App code: a page that shows one day, including older and rarer types.

import HealthKit

extension HKWorkout: @retroactive Identifiable {
    public var id: UUID { uuid }
}

extension HKWorkoutActivityType: @retroactive Identifiable, @retroactive Codable {
    public var id: UInt { rawValue }
}

extension HKVisionPrescriptionType: @retroactive CustomStringConvertible {
    public var description: String {
        switch self {
        case .glasses: "glasses"
        case .contacts: "contacts"
        @unknown default: "unknown"
        }
    }
}

extension HKActivitySummary {
    /// How full the three rings are.
    var fractions: [Double] {
        let kilocalories = HKUnit.kilocalorie()
        let hours = HKUnit.count()
        return [
            activeEnergyBurned.doubleValue(for: kilocalories) / activeEnergyBurnedGoal.doubleValue(for: kilocalories),
            appleExerciseTime.doubleValue(for: .minute()) / appleExerciseTimeGoal.doubleValue(for: .minute()),
            appleStandHours.doubleValue(for: hours) / appleStandHoursGoal.doubleValue(for: hours),
        ]
    }

    static func example() -> HKActivitySummary {
        let summary = HKActivitySummary()
        summary.activeEnergyBurned = HKQuantity(unit: .kilocalorie(), doubleValue: 300)
        summary.activeEnergyBurnedGoal = HKQuantity(unit: .kilocalorie(), doubleValue: 600)
        summary.appleExerciseTime = HKQuantity(unit: .minute(), doubleValue: 15)
        summary.appleExerciseTimeGoal = HKQuantity(unit: .minute(), doubleValue: 30)
        summary.appleStandHours = HKQuantity(unit: .count(), doubleValue: 6)
        summary.appleStandHoursGoal = HKQuantity(unit: .count(), doubleValue: 12)
        return summary
    }

    var moveMinutes: Double { appleMoveTime.doubleValue(for: .minute()) }

    func day(in calendar: Calendar) -> Date? {
        calendar.date(from: dateComponents(for: calendar))
    }
}

extension HKHealthStore {
    func mayWrite(_ type: HKObjectType) -> Bool {
        authorizationStatus(for: type) == .sharingAuthorized
    }
}

final class DaySummary: NSObject {
    private var token: (any NSObjectProtocol)?

    func watchUnits(_ changed: @escaping @Sendable () -> Void) {
        token = NotificationCenter.default.addObserver(forName: .HKUserPreferencesDidChange, object: nil, queue: nil) {
            _ in
            changed()
        }
    }

    static func mass(_ value: Double, prefix: HKMetricPrefix) -> HKQuantity {
        HKQuantity(unit: .gramUnit(with: prefix), doubleValue: value)
    }

    static func revision(of source: HKSource) -> HKSourceRevision {
        HKSourceRevision(
            source: source, version: "1.0", productType: "Watch6,1",
            operatingSystemVersion: OperatingSystemVersion(majorVersion: 10, minorVersion: 2, patchVersion: 0))
    }

    static func formatterUnit(of unit: HKUnit) -> MassFormatter.Unit {
        HKUnit.massFormatterUnit(from: unit)
    }

    static func decode(state: Int, event: Int) -> (HKWorkoutSessionState?, HKWorkoutEventType?) {
        (HKWorkoutSessionState(rawValue: state), HKWorkoutEventType(rawValue: event))
    }

    static func characteristic(_ name: String) -> HKCharacteristicType? {
        HKObjectType.characteristicType(forIdentifier: HKCharacteristicTypeIdentifier(rawValue: name))
    }

    static func isElevated(_ value: Int) -> Bool {
        switch HKAppleSleepingBreathingDisturbancesClassification(rawValue: value) {
        case .elevated: true
        case .notElevated, nil: false
        @unknown default: false
        }
    }

    static let readOnly: Set<HKObjectType> = [HKObjectType.medicationDoseEventType(), .visionPrescriptionType()]
}
