// App code: a sample store that creates its queries through metatypes, so that tests can substitute their own (as
// insulin apps do), logs objects with format strings, and keeps iterators of query results.

import Foundation
import HealthKit

final class QueryFactory {
    var observerQueryType = HKObserverQuery.self
    var anchoredObjectQueryType: HKAnchoredObjectQuery.Type = HKAnchoredObjectQuery.self

    func observer(_ type: HKSampleType, _ changed: @escaping @Sendable () -> Void) -> HKObserverQuery {
        observerQueryType.init(sampleType: type, predicate: nil) { _, completion, error in
            if error == nil { changed() }
            completion()
        }
    }

    func observer(_ types: Set<HKSampleType>) -> HKObserverQuery {
        let descriptors = types.map { HKQueryDescriptor(sampleType: $0, predicate: nil) }
        return observerQueryType.init(queryDescriptors: descriptors) { _, _, completion, _ in completion() }
    }

    func changes(_ type: HKSampleType, since anchor: HKQueryAnchor?) -> HKAnchoredObjectQuery {
        let query = anchoredObjectQueryType.init(
            type: type, predicate: nil, anchor: anchor, limit: HKObjectQueryNoLimit
        ) { _, _, _, _, _ in }
        query.updateHandler = { _, _, _, _, _ in }
        return query
    }
}

enum QueryLog {
    static func line(_ format: String, _ arguments: CVarArg...) -> String {
        String(format: format, locale: nil, arguments: arguments)
    }

    static func line(of sample: HKQuantitySample, in store: HKHealthStore) -> String {
        line("%@ of %@ from %@, %d", sample.quantity, sample.sampleType, sample.sourceRevision.source, sample.count)
    }

    /// Uses every HealthKit class as a variadic argument.
    static func arguments(
        _ query: HKQuery, _ unit: HKUnit, _ device: HKDevice, _ anchor: HKQueryAnchor, _ event: HKWorkoutEvent,
        _ configuration: HKWorkoutConfiguration
    ) -> [any CVarArg] {
        [query, unit, device, anchor, event, configuration]
    }
}

struct ResultIterators {
    var voltages: HKElectrocardiogramQueryDescriptor.Results.Iterator?
    var changes: HKAnchoredObjectQueryDescriptor<HKSample>.Results.Iterator?
    var series: HKQuantitySeriesSampleQueryDescriptor.Results.Iterator?
    var beats: HKHeartbeatSeriesQueryDescriptor.Results.Iterator?
    var locations: HKWorkoutRouteQueryDescriptor.Results.Iterator?
    var collections: HKStatisticsCollectionQueryDescriptor.Results.Iterator?
    var summaries: HKActivitySummaryQueryDescriptor.Results.Iterator?
    var efforts: HKWorkoutEffortRelationshipQueryDescriptor.Results.Iterator?
}

enum Copies {
    static func copied<Object: NSCopying>(_ object: Object) -> Object? { object.copy(with: nil) as? Object }

    static func all(
        _ glasses: HKGlassesPrescription, _ point: HKAudiogramSensitivityPoint, _ mood: HKStateOfMind,
        _ record: HKClinicalRecord?, _ dose: HKMedicationDoseEvent?
    ) -> [NSCopying?] {
        [copied(glasses), copied(point), copied(mood), record.flatMap(copied), dose.flatMap(copied)]
    }

    static func isKept<Object: NSObject & NSSecureCoding>(_ type: Object.Type) -> Bool { type.supportsSecureCoding }
}

/// A treadmill's recorder, which knows its totals better than its samples do.
enum TreadmillRecorder {
    static func correct(_ workout: HKWorkout?, miles: Double, kilocalories: Double, steps: Double) {
        workout?.setValue(HKQuantity(unit: .mile(), doubleValue: miles), forKey: "totalDistance")
        workout?.setValue(HKQuantity(unit: .kilocalorie(), doubleValue: kilocalories), forKey: "totalEnergyBurned")
        workout?.setValue(HKQuantity(unit: .count(), doubleValue: steps), forKey: "totalSteps")
    }
}

/// A phone app that launches its watch app.
final class WatchStarter {
    private let store: HKHealthStore
    init(_ store: HKHealthStore) { self.store = store }

    private var configuration: HKWorkoutConfiguration {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        configuration.locationType = .outdoor
        return configuration
    }

    func start() async -> Error? {
        do {
            try await store.startWatchApp(toHandle: configuration)
            return nil
        } catch HKError.errorHealthDataUnavailable {
            return HKError(.errorHealthDataUnavailable)
        } catch {
            return error
        }
    }

    func start(_ done: @escaping @Sendable (Bool, Error?) -> Void) {
        store.startWatchApp(with: configuration) { success, error in done(success, error) }
    }
}

enum SleepReport {
    static func words(of disturbances: HKQuantity) -> String {
        switch HKAppleSleepingBreathingDisturbancesClassification(classifying: disturbances) {
        case .elevated: "elevated"
        case .notElevated: "not elevated"
        case nil: "unknown"
        @unknown default: "unknown"
        }
    }

    static func words(ofSteadiness steadiness: HKQuantity) -> String {
        guard let classification = try? HKAppleWalkingSteadinessClassification(for: steadiness) else {
            return "unknown"
        }
        let range =
            classification.minimum.doubleValue(for: .percent())...classification.maximum.doubleValue(for: .percent())
        return "\(classification.rawValue) \(range)"
    }

    static var flow: NSPredicate { HKCategoryValueMenstrualFlow.predicateForSamples(.equalTo, value: .heavy) }
    static var medications: NSPredicate {
        NSPredicate(
            format: "%K == NO AND %K == YES", HKUserAnnotatedMedicationPredicateKeyPathIsArchived,
            HKUserAnnotatedMedicationPredicateKeyPathHasSchedule)
    }
}
