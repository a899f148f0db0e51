import Foundation
import HealthKit

// Test doubles as apps' own test suites write them: subclasses that override the calls of the code under test.

final class FakeHealthStore: HKHealthStore, @unchecked Sendable {
    var authorizationStatus: HKAuthorizationStatus = .notDetermined
    var authorizationStatuses: [HKObjectType: HKAuthorizationStatus] = [:]
    var saveError: Error?
    var saved: [HKObject] = []
    var deleted: [HKObject] = []
    var deletedPredicates: [NSPredicate] = []
    var executed: [HKQuery] = []
    var stopped: [HKQuery] = []
    var requested: (share: Set<HKSampleType>?, read: Set<HKObjectType>?)?
    var background: [HKObjectType: HKUpdateFrequency] = [:]
    var queue = DispatchQueue(label: "FakeHealthStore")

    override init() {
        super.init()
    }

    override class func isHealthDataAvailable() -> Bool { false }

    override func authorizationStatus(for type: HKObjectType) -> HKAuthorizationStatus {
        authorizationStatuses[type] ?? authorizationStatus
    }

    override func requestAuthorization(
        toShare typesToShare: Set<HKSampleType>?, read typesToRead: Set<HKObjectType>?,
        completion: @escaping (Bool, Error?) -> Void
    ) {
        requested = (typesToShare, typesToRead)
        authorizationStatus = .sharingAuthorized
        completion(true, nil)
    }

    override func getRequestStatusForAuthorization(
        toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>,
        completion: @escaping (HKAuthorizationRequestStatus, Error?) -> Void
    ) {
        completion(requested == nil ? .shouldRequest : .unnecessary, nil)
    }

    override func save(_ object: HKObject, withCompletion completion: @escaping (Bool, Error?) -> Void) {
        save([object], withCompletion: completion)
    }

    override func save(_ objects: [HKObject], withCompletion completion: @escaping (Bool, Error?) -> Void) {
        if let saveError {
            completion(false, saveError)
        } else {
            saved += objects
            completion(true, nil)
        }
    }

    override func save(_ objects: [HKObject]) async throws {
        if let saveError { throw saveError }
        saved += objects
    }

    override func delete(_ objects: [HKObject], withCompletion completion: @escaping (Bool, Error?) -> Void) {
        deleted += objects
        completion(true, nil)
    }

    override func deleteObjects(
        of objectType: HKObjectType, predicate: NSPredicate,
        withCompletion completion: @escaping (Bool, Int, Error?) -> Void
    ) {
        deletedPredicates.append(predicate)
        completion(true, 1, nil)
    }

    override func execute(_ query: HKQuery) { executed.append(query) }

    override func stop(_ query: HKQuery) { stopped.append(query) }

    override func enableBackgroundDelivery(
        for type: HKObjectType, frequency: HKUpdateFrequency,
        withCompletion completion: @escaping (Bool, Error?) -> Void
    ) {
        background[type] = frequency
        completion(true, nil)
    }

    override func disableBackgroundDelivery(
        for type: HKObjectType, withCompletion completion: @escaping (Bool, Error?) -> Void
    ) {
        background[type] = nil
        completion(true, nil)
    }

    override func biologicalSex() throws -> HKBiologicalSexObject { throw HKError(.errorNoData) }

    override func dateOfBirthComponents() throws -> DateComponents { DateComponents(year: 1990, month: 4, day: 1) }

    override func preferredUnits(
        for quantityTypes: Set<HKQuantityType>, completion: @escaping ([HKQuantityType: HKUnit], Error?) -> Void
    ) {
        completion([:], nil)
    }
}

final class FakeObserverQuery: HKObserverQuery, @unchecked Sendable {
    let fire: (@escaping () -> Void, Error?) -> Void

    override init(
        sampleType: HKSampleType, predicate: NSPredicate?,
        updateHandler: @escaping @Sendable (HKObserverQuery, @escaping HKObserverQueryCompletionHandler, Error?) -> Void
    ) {
        let other = HKObserverQuery(sampleType: sampleType, predicate: predicate) { _, _, _ in }
        fire = { updateHandler(other, $0, $1) }
        super.init(sampleType: sampleType, predicate: predicate, updateHandler: updateHandler)
    }

    override init(
        queryDescriptors: [HKQueryDescriptor],
        updateHandler:
            @escaping @Sendable (
                HKObserverQuery, Set<HKSampleType>?, @escaping HKObserverQueryCompletionHandler, Error?
            ) -> Void
    ) {
        fire = { _, _ in }
        super.init(queryDescriptors: queryDescriptors, updateHandler: updateHandler)
    }
}

final class FakeAnchoredObjectQuery: HKAnchoredObjectQuery, @unchecked Sendable {
    let since: HKQueryAnchor?

    override init(
        type: HKSampleType, predicate: NSPredicate?, anchor: HKQueryAnchor?, limit: Int,
        resultsHandler handler:
            @escaping @Sendable (
                HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, Error?
            ) -> Void
    ) {
        since = anchor
        super.init(type: type, predicate: predicate, anchor: anchor, limit: limit, resultsHandler: handler)
    }

    override init(
        queryDescriptors: [HKQueryDescriptor], anchor: HKQueryAnchor?, limit: Int,
        resultsHandler handler:
            @escaping @Sendable (
                HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, Error?
            ) -> Void
    ) {
        since = anchor
        super.init(queryDescriptors: queryDescriptors, anchor: anchor, limit: limit, resultsHandler: handler)
    }
}

final class FakeSampleQuery: HKSampleQuery, @unchecked Sendable {
    typealias Results = @Sendable (HKSampleQuery, [HKSample]?, Error?) -> Void
    let answer: Results

    override init(
        sampleType: HKSampleType, predicate: NSPredicate?, limit: Int, sortDescriptors: [NSSortDescriptor]?,
        resultsHandler: @escaping Results
    ) {
        answer = resultsHandler
        super.init(
            sampleType: sampleType, predicate: predicate, limit: limit, sortDescriptors: sortDescriptors,
            resultsHandler: resultsHandler)
    }

    override init(queryDescriptors: [HKQueryDescriptor], limit: Int, resultsHandler: @escaping Results) {
        answer = resultsHandler
        super.init(queryDescriptors: queryDescriptors, limit: limit, resultsHandler: resultsHandler)
    }

    override init(
        queryDescriptors: [HKQueryDescriptor], limit: Int, sortDescriptors: [NSSortDescriptor],
        resultsHandler: @escaping Results
    ) {
        answer = resultsHandler
        super.init(
            queryDescriptors: queryDescriptors, limit: limit, sortDescriptors: sortDescriptors,
            resultsHandler: resultsHandler)
    }
}

/// A double without members of its own.
final class NamedObserverQuery: HKObserverQuery, @unchecked Sendable {
    var name = "steps"
}

/// The code under test: an app's data layer with an injected store.
final class StepSync {
    private let healthStore: HKHealthStore
    private let makeObserver:
        (HKSampleType, @escaping @Sendable (HKObserverQuery, @escaping () -> Void, Error?) -> Void) -> HKObserverQuery
    private(set) var observer: HKObserverQuery?
    private let steps = HKObjectType.quantityType(forIdentifier: .stepCount)!

    init(
        healthStore: HKHealthStore,
        makeObserver:
            @escaping (
                HKSampleType, @escaping @Sendable (HKObserverQuery, @escaping () -> Void, Error?) -> Void
            ) -> HKObserverQuery = { HKObserverQuery(sampleType: $0, predicate: nil, updateHandler: $1) }
    ) {
        self.healthStore = healthStore
        self.makeObserver = makeObserver
    }

    var isAuthorized: Bool { healthStore.authorizationStatus(for: steps) == .sharingAuthorized }

    func authorize() async throws {
        try await healthStore.requestAuthorization(toShare: [steps], read: [steps])
    }

    func start(_ changed: @escaping @Sendable () -> Void) {
        let query = makeObserver(steps) { _, completion, error in
            guard error == nil else { return }
            changed()
            completion()
        }
        observer = query
        healthStore.execute(query)
        healthStore.enableBackgroundDelivery(for: steps, frequency: .hourly) { _, _ in }
    }

    func stop() {
        if let observer { healthStore.stop(observer) }
        healthStore.disableBackgroundDelivery(for: steps) { _, _ in }
    }

    func add(_ count: Double, at date: Date, completion: @escaping @Sendable (Bool, Error?) -> Void) {
        let sample = HKQuantitySample(
            type: steps, quantity: HKQuantity(unit: .count(), doubleValue: count), start: date, end: date)
        healthStore.save(sample, withCompletion: completion)
    }

    func removeAll(before date: Date) {
        let predicate = HKQuery.predicateForSamples(withStart: nil, end: date, options: [])
        healthStore.deleteObjects(of: steps, predicate: predicate) { _, _, _ in }
    }
}
