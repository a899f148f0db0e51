// App code as it is written for iOS. Nothing here is for Linux.

import HealthKit

final class HealthDataSource: @unchecked Sendable {
    let healthStore: HKHealthStore
    private var observerQuery: HKObserverQuery?

    init(healthStore: HKHealthStore) {
        self.healthStore = healthStore
    }

    // MARK: Widget: usual values for each hour of the day, over thirty days

    func hourlyCumulativeAverages(
        for type: HKQuantityType, unit: HKUnit, now: Date, completion: @escaping @Sendable ([Double]) -> Void
    ) {
        let calendar = Calendar.current
        let today = calendar.startOfDay(for: now)
        let start = calendar.date(byAdding: .day, value: -30, to: today)!
        let predicate = HKQuery.predicateForSamples(withStart: start, end: today, options: .strictStartDate)
        let query = HKStatisticsCollectionQuery(
            quantityType: type, quantitySamplePredicate: predicate, options: .cumulativeSum, anchorDate: start,
            intervalComponents: DateComponents(hour: 1))
        query.initialResultsHandler = { _, results, error in
            guard let results = results else {
                completion([])
                return
            }
            var hourly: [Int: Double] = [:]
            results.enumerateStatistics(from: start, to: today) { statistics, _ in
                let hour = calendar.component(.hour, from: statistics.startDate)
                let value = statistics.sumQuantity()?.doubleValue(for: unit) ?? 0
                hourly[hour, default: 0] += value
            }
            var total = 0.0
            completion(
                (0..<24).map { hour in
                    total += hourly[hour, default: 0] / 30
                    return total
                })
        }
        healthStore.execute(query)
    }

    // MARK: Weekly steps

    func weeklySteps(until end: Date) async throws -> [(Date, Double)] {
        let stepType = HKQuantityType(.stepCount)
        let start = Calendar.current.date(byAdding: .day, value: -6, to: Calendar.current.startOfDay(for: end))!
        let thisWeek = HKQuery.predicateForSamples(withStart: start, end: end)
        let stepsThisWeek = HKSamplePredicate.quantitySample(type: stepType, predicate: thisWeek)
        let descriptor = HKStatisticsCollectionQueryDescriptor(
            predicate: stepsThisWeek, options: .cumulativeSum, anchorDate: start,
            intervalComponents: DateComponents(day: 1))
        let collection = try await descriptor.result(for: healthStore)
        return collection.statistics().map { ($0.startDate, $0.sumQuantity()?.doubleValue(for: .count()) ?? 0) }
    }

    // MARK: Latest sample

    func latestSample(of type: HKSampleType, completion: @escaping @Sendable (HKSample?) -> Void) {
        let sortDescriptor = NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: false)
        let query = HKSampleQuery(
            sampleType: type, predicate: NSPredicate(format: "metadata.%K != YES", HKMetadataKeyWasUserEntered),
            limit: 1, sortDescriptors: [sortDescriptor]
        ) { _, samples, _ in
            completion(samples?.first)
        }
        healthStore.execute(query)
    }

    // MARK: Heart rate by the hour

    func hourlyHeartRate(on day: Date) async throws -> [Double] {
        let unit = HKUnit.count().unitDivided(by: .minute())
        let start = Calendar.current.startOfDay(for: day)
        let end = Calendar.current.date(byAdding: .day, value: 1, to: start)!
        return try await withCheckedThrowingContinuation { continuation in
            let query = HKStatisticsCollectionQuery(
                quantityType: HKQuantityType.quantityType(forIdentifier: .heartRate)!,
                quantitySamplePredicate: NSCompoundPredicate(andPredicateWithSubpredicates: [
                    HKQuery.predicateForSamples(
                        withStart: start, end: end, options: [.strictStartDate, .strictEndDate])
                ]),
                options: [.discreteAverage, .discreteMin, .discreteMax], anchorDate: start,
                intervalComponents: DateComponents(hour: 1))
            query.initialResultsHandler = { query, collection, error in
                if let error {
                    continuation.resume(throwing: error)
                    return
                }
                continuation.resume(
                    returning: collection?.statistics().compactMap {
                        $0.averageQuantity()?.doubleValue(for: unit)
                    } ?? [])
            }
            healthStore.execute(query)
        }
    }

    // MARK: Move goal

    func moveGoal(on day: Date, completion: @escaping @Sendable (Double?) -> Void) {
        let calendar = Calendar.current
        var components = calendar.dateComponents([.era, .year, .month, .day], from: day)
        components.calendar = calendar
        let predicate = HKQuery.predicateForActivitySummary(with: components)
        let query = HKActivitySummaryQuery(predicate: predicate) { _, summaries, _ in
            completion(summaries?.first?.activeEnergyBurnedGoal.doubleValue(for: .kilocalorie()))
        }
        healthStore.execute(query)
    }

    // MARK: Observer

    func observe(_ type: HKSampleType, changed: @escaping @Sendable () -> Void) {
        let query = HKObserverQuery(sampleType: type, predicate: nil) { _, completionHandler, error in
            guard error == nil else { return }
            changed()
            completionHandler()
        }
        observerQuery = query
        healthStore.execute(query)
    }

    // MARK: Background delivery: new samples, with an anchor that the app keeps

    func startBackgroundDelivery(
        of type: HKSampleType, anchor: HKQueryAnchor? = nil, received: @escaping @Sendable ([HKSample]) -> Void
    ) {
        let query = HKObserverQuery(sampleType: type, predicate: nil) { [weak self] _, completionHandler, error in
            guard let self, error == nil else {
                completionHandler()
                return
            }
            nonisolated(unsafe) let done = completionHandler
            let newSamples = HKAnchoredObjectQuery(
                type: type, predicate: nil, anchor: anchor, limit: HKObjectQueryNoLimit
            ) { _, samples, _, _, error in
                guard error == nil else { return }
                received(samples ?? [])
                done()
            }
            self.healthStore.execute(newSamples)
        }
        observerQuery = query
        healthStore.execute(query)
        healthStore.enableBackgroundDelivery(for: type, frequency: .immediate) { success, error in
            if !success, let error { print("no background delivery: \(error.localizedDescription)") }
        }
    }

    func stopObserving() {
        if let observerQuery { healthStore.stop(observerQuery) }
    }
}

/// Keeps a copy of samples, with an anchor that outlives the app.
actor AnchoredSync {
    private let healthStore: HKHealthStore
    private let suiteName: String
    private(set) var known: Set<UUID> = []

    init(healthStore: HKHealthStore, suiteName: String) {
        self.healthStore = healthStore
        self.suiteName = suiteName
    }

    private var defaults: UserDefaults { UserDefaults(suiteName: suiteName)! }

    private var anchor: HKQueryAnchor? {
        get {
            guard let data = defaults.data(forKey: "anchor") else { return nil }
            return try? NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data)
        }
        set {
            guard let newValue else { return }
            let data = try? NSKeyedArchiver.archivedData(withRootObject: newValue, requiringSecureCoding: true)
            defaults.set(data, forKey: "anchor")
        }
    }

    func sync() async throws {
        let descriptor = HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.heartRate))], anchor: anchor)
        let results = try await descriptor.result(for: healthStore)
        known.formUnion(results.addedSamples.map(\.uuid))
        known.subtract(results.deletedObjects.map(\.uuid))
        anchor = results.newAnchor
    }
}
