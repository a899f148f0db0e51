import Engine
package import SessionLog
import Synchronization

/// Decides which types a live builder collects from sensors.
// Sendable holds: everything that changes is behind a lock.
open class HKLiveWorkoutDataSource: NSObject, @unchecked Sendable {
    private let choice: Mutex<Choice>

    private struct Choice {
        var types: [HKQuantityType: SendablePredicate?] { didSet { known.forget() } }
        /// Whether the app has chosen types, which then no longer follow the activity.
        var isChosen = false
        /// Whether readings of a kind are collected, independent of their values.
        private var known = KindCache<Bool>()

        init(_ types: [HKQuantityType]) { self.types = Self.all(types) }

        /// Returns whether readings of a kind are collected, or nil if a predicate decides.
        mutating func collects(_ kind: ReadingKind) -> Bool? {
            if let known = known[kind] { return known }
            guard let type = TypeCatalogue.quantityType(named: kind.type) else {
                // An app cannot choose readings without a HealthKit type. They stay in the session's log, and in no
                // store.
                known.note(true, of: kind)
                return true
            }
            let condition = types[type]
            if case .some(.some) = condition { return nil }
            known.note(condition != nil, of: kind)
            return condition != nil
        }

        static func all(_ types: [HKQuantityType]) -> [HKQuantityType: SendablePredicate?] {
            var all: [HKQuantityType: SendablePredicate?] = [:]
            for type in types { all.updateValue(nil, forKey: type) }
            return all
        }
    }

    /// Creates a data source with the usual types of the configuration's activity. Without a configuration, it has no
    /// types.
    public init(healthStore: HKHealthStore, workoutConfiguration configuration: HKWorkoutConfiguration?) {
        let usual = configuration.map { CollectedTypes.usual(for: $0.activityDescription) } ?? []
        choice = Mutex(Choice(usual))
    }

    /// The collected types. In a multisport workout they follow the activity until the app enables or disables a type.
    open var typesToCollect: Set<HKQuantityType> { choice.withLock { Set($0.types.keys) } }

    /// Collects all samples of a type, or those that match the predicate, which replaces an earlier one.
    open func enableCollection(for quantityType: HKQuantityType, predicate: NSPredicate?) {
        let predicate = predicate.map(SendablePredicate.init)
        choice.withLock {
            $0.types.updateValue(predicate, forKey: quantityType)
            $0.isChosen = true
        }
    }

    /// Stops collecting a type. Samples collected before stay in the workout.
    open func disableCollection(for quantityType: HKQuantityType) {
        choice.withLock {
            $0.types.removeValue(forKey: quantityType)
            $0.isChosen = true
        }
    }
}

extension HKLiveWorkoutDataSource: CollectionPolicy {
    package func collects(_ reading: QuantityReading) -> Bool {
        if let known = choice.withLock({ $0.collects(reading.kind) }) { return known }
        guard let type = TypeCatalogue.quantityType(named: reading.type),
            let condition = choice.withLock({ $0.types[type] })
        else { return false }
        guard let predicate = condition?.predicate else { return true }
        return (try? HKQuantitySample.of(reading)).map(predicate.evaluate(with:)) ?? false
    }

    /// Called when another activity of the workout began.
    package func activityChanged(to activity: ActivityDescription) {
        choice.withLock {
            guard !$0.isChosen else { return }
            $0.types = Choice.all(CollectedTypes.usual(for: activity))
        }
    }
}

/// A predicate that is passed to the recorder's queue.
// Sendable holds: the predicate is only evaluated, on one queue, and its owner does not change it afterwards.
private struct SendablePredicate: @unchecked Sendable {
    let predicate: NSPredicate
}

/// The initial types of a data source.
enum CollectedTypes {
    /// Returns the usual types of an activity. Apple documents those of the outdoor run (active and basal energy, heart
    /// rate, walking and running distance). The rest of the table is this library's assumption of what a watch measures
    /// in each activity. Step count and cycling power are not collected unless the app enables them, as on Apple's
    /// devices.
    static func usual(for activity: ActivityDescription) -> [HKQuantityType] {
        let identifiers: [HKQuantityTypeIdentifier] =
            [.activeEnergyBurned, .basalEnergyBurned, .heartRate] + measured(in: activity.activity)
        return identifiers.map { HKQuantityType($0) }
    }

    private static func measured(in activity: String) -> [HKQuantityTypeIdentifier] {
        switch activity {
        case "running":
            [
                .distanceWalkingRunning, .runningSpeed, .runningPower, .runningStrideLength,
                .runningVerticalOscillation, .runningGroundContactTime,
            ]
        case "walking", "hiking", "transition": [.distanceWalkingRunning]
        case "cycling", "handCycling": [.distanceCycling, .cyclingSpeed, .cyclingCadence]
        case "swimming": [.distanceSwimming, .swimmingStrokeCount]
        case "swimBikeRun":
            [
                .distanceSwimming, .swimmingStrokeCount, .distanceCycling, .cyclingSpeed, .cyclingCadence,
                .distanceWalkingRunning, .runningSpeed,
            ]
        case "wheelchairWalkPace", "wheelchairRunPace": [.distanceWheelchair, .pushCount]
        case "rowing": [.distanceRowing, .rowingSpeed]
        case "paddleSports": [.distancePaddleSports, .paddleSportsSpeed]
        case "skatingSports": [.distanceSkatingSports]
        case "crossCountrySkiing": [.distanceCrossCountrySkiing, .crossCountrySkiingSpeed]
        case "downhillSkiing", "snowboarding", "snowSports": [.distanceDownhillSnowSports]
        case "underwaterDiving": [.underwaterDepth, .waterTemperature]
        default: []
        }
    }
}
