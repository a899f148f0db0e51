import Foundation
import HealthKit
import MadeSamples
import Testing

@Suite struct HKSampleQueryTests {
    private let health = QueryStore()

    private func values(_ samples: [HKSample]) -> [Double] {
        samples.compactMap { ($0 as? HKQuantitySample)?.quantity.doubleValue(for: Made.perMinute) }
    }

    private func samples(
        limit: Int = HKObjectQueryNoLimit, predicate: NSPredicate? = nil, sortedBy sorts: [NSSortDescriptor]? = nil
    ) async throws -> [HKSample] {
        let calls = Calls<([HKSample]?, HKError?)>()
        health.store.execute(
            HKSampleQuery(sampleType: Made.heartRate, predicate: predicate, limit: limit, sortDescriptors: sorts) {
                _, samples, error in
                calls.add((samples, error.map(HKError.wrapping)))
            })
        let (samples, error) = try #require(await calls.next())
        if let error { throw error }
        return try #require(samples)
    }

    @Test func `the latest sample comes first on request`() async throws {
        try health.save([Made.heartRate(60, at: 0), Made.heartRate(80, at: 20), Made.heartRate(70, at: 10)])
        for key in [HKSampleSortIdentifierStartDate, HKSampleSortIdentifierEndDate, "startDate", "endDate"] {
            let latest = try await samples(limit: 1, sortedBy: [NSSortDescriptor(key: key, ascending: false)])
            #expect(values(latest) == [80])
        }
        let byPath = try await samples(sortedBy: [NSSortDescriptor(keyPath: \HKSample.startDate, ascending: true)])
        #expect(values(byPath) == [60, 70, 80])
        #expect(try await samples().count == 3)
    }

    @Test func `a predicate in code is called for each sample`() async throws {
        try health.save((0..<10).map { Made.heartRate(60 + Double($0), at: Double($0)) })
        let even = NSPredicate { object, _ in
            ((object as? HKQuantitySample)?.quantity.doubleValue(for: Made.perMinute) ?? 1)
                .truncatingRemainder(dividingBy: 2) == 0
        }
        let late = NSPredicate(format: "%K >= %@", HKPredicateKeyPathStartDate, Made.start + 5)
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [even, late])
        let sort = NSSortDescriptor(key: "startDate", ascending: true)
        #expect(values(try await samples(predicate: both, sortedBy: [sort])) == [66, 68])
    }

    @Test func `an unsortable key is an error`() async throws {
        await #expect(throws: HKError.self) {
            try await samples(sortedBy: [NSSortDescriptor(key: "mood", ascending: true)])
        }
    }

    @Test func `several descriptors give the union, each sample once`() async throws {
        let sample = Made.heartRate(60, at: 0)
        try health.save([sample, Made.steps(5, from: 0, to: 10)])
        let descriptors = [
            HKQueryDescriptor(sampleType: Made.heartRate, predicate: nil),
            HKQueryDescriptor(sampleType: Made.heartRate, predicate: HKQuery.predicateForObject(with: sample.uuid)),
            HKQueryDescriptor(sampleType: Made.steps, predicate: nil),
        ]
        let calls = Calls<[HKSample]>()
        health.store.execute(
            HKSampleQuery(queryDescriptors: descriptors, limit: 0) { _, samples, _ in calls.add(samples ?? []) })
        #expect(await calls.next()?.count == 2)
    }

    @Test func `the descriptor sorts by any property`() async throws {
        try health.save([
            try Made.workout(.running, at: 0, lasting: 600), try Made.workout(.cycling, at: 1000, lasting: 300),
            try Made.workout(.walking, at: 2000, lasting: 900),
        ])
        func sorted(_ sort: SortDescriptor<HKWorkout>, limit: Int?) async throws -> [Double] {
            try await HKSampleQueryDescriptor(predicates: [.workout()], sortDescriptors: [sort], limit: limit)
                .result(for: health.store).map(\.duration)
        }
        #expect(try await sorted(SortDescriptor(\.startDate, order: .reverse), limit: 2) == [900, 300])
        #expect(try await sorted(SortDescriptor(\.duration), limit: nil) == [300, 600, 900])
        #expect(try await sorted(SortDescriptor(\.workoutActivityType.rawValue), limit: 1) == [300])
    }

    @Test func `a query cannot be executed twice`() async {
        await #expect(processExitsWith: .failure) {
            let store = HKHealthStore(environment: HealthEnvironment(sensors: []))
            let query = HKSourceQuery(sampleType: HKQuantityType(.heartRate), samplePredicate: nil) { _, _, _ in }
            store.execute(query)
            store.execute(query)
        }
    }

    @Test func `a query stopped before its execution calls nobody`() async throws {
        let calls = Calls<String>()
        func query(_ name: String) -> HKSampleQuery {
            HKSampleQuery(sampleType: Made.heartRate, predicate: nil, limit: 0, sortDescriptors: nil) { _, _, _ in
                calls.add(name)
            }
        }
        let task = Task {
            try await HKSampleQueryDescriptor(
                predicates: [.quantitySample(type: Made.heartRate)], sortDescriptors: []
            ).result(for: health.store)
        }
        task.cancel()
        let result = await task.result
        switch result {
        case .success(let samples): #expect(samples.isEmpty)
        case .failure(let error): #expect(error is CancellationError)
        }
        health.store.execute(query("second"))
        #expect(await calls.next() == "second")
    }

    @Test func `sources of samples are found by predicate`() async throws {
        try health.save([Made.heartRate(60, at: 0)], from: "Watch")
        try health.save([Made.heartRate(60, at: 100)], from: "Phone")
        let all = try await HKSourceQueryDescriptor(predicate: .quantitySample(type: Made.heartRate))
            .result(for: health.store)
        #expect(all.map(\.name) == ["Phone", "Watch"])
        let late = HKQuery.predicateForSamples(withStart: Made.start + 50, end: nil)
        let one = try await HKSourceQueryDescriptor(predicate: .quantitySample(type: Made.heartRate, predicate: late))
            .result(for: health.store)
        #expect(one.map(\.name) == ["Phone"])
        let watch = try #require(all.last)
        let found = try await samples(predicate: HKQuery.predicateForObjects(from: watch))
        #expect(found.map(\.startDate) == [Made.start])
    }

    @Test func `a correlation must contain a matching sample`() async throws {
        func pressure(_ systolic: Double, at seconds: Double) -> HKCorrelation {
            let parts = [(HKQuantityTypeIdentifier.bloodPressureSystolic, systolic), (.bloodPressureDiastolic, 80)]
            return HKCorrelation(
                type: HKCorrelationType(.bloodPressure), start: Made.start + seconds, end: Made.start + seconds,
                objects: Set(
                    parts.map { identifier, value in
                        HKQuantitySample(
                            type: HKQuantityType(identifier),
                            quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: value),
                            start: Made.start + seconds, end: Made.start + seconds)
                    }))
        }
        try health.save([pressure(120, at: 0), pressure(150, at: 60)])
        let high = HKQuery.predicateForQuantitySamples(
            with: .greaterThan, quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: 140))
        let calls = Calls<[HKCorrelation]>()
        health.store.execute(
            HKCorrelationQuery(
                type: HKCorrelationType(.bloodPressure), predicate: nil,
                samplePredicates: [HKQuantityType(.bloodPressureSystolic): high]
            ) { _, correlations, _ in calls.add(correlations ?? []) })
        #expect(await calls.next()?.map(\.startDate) == [Made.start + 60])
    }
}
