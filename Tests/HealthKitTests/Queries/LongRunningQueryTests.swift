import Foundation
import HealthKit
import MadeSamples
import Testing

@Suite struct LongRunningQueryTests {
    private let health = QueryStore()

    private typealias Anchored = HKAnchoredObjectQueryDescriptor<HKQuantitySample>

    private func changes(after anchor: HKQueryAnchor?, limit: Int? = nil) async throws -> Anchored.Result {
        try await Anchored(predicates: [.quantitySample(type: Made.heartRate)], anchor: anchor, limit: limit)
            .result(for: health.store)
    }

    @Test func `an anchored query continues from its archived anchor`() async throws {
        let first = Made.heartRate(60, at: 100)
        try health.save([first])
        let start = try await changes(after: nil)
        #expect(start.addedSamples.map(\.uuid) == [first.uuid])

        let data = try NSKeyedArchiver.archivedData(withRootObject: start.newAnchor, requiringSecureCoding: true)
        let anchor = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data))
        #expect(anchor == start.newAnchor)
        #expect(try await changes(after: anchor).addedSamples.isEmpty)

        // Dated earlier, but stored later.
        let second = Made.heartRate(70, at: 0)
        try health.save([second])
        _ = try health.database.delete([first.uuid], owner: nil)
        let next = try await changes(after: anchor)
        #expect(next.addedSamples.map(\.uuid) == [second.uuid])
        #expect(next.deletedObjects.map(\.uuid) == [first.uuid])
        #expect(try await changes(after: HKQueryAnchor(fromValue: 0)).addedSamples.map(\.uuid) == [second.uuid])
    }

    @Test func `with a limit, batches follow until one is empty`() async throws {
        try health.save((0..<25).map { Made.heartRate(60, at: Double($0)) })
        var anchor: HKQueryAnchor?
        var sizes: [Int] = []
        repeat {
            let batch = try await changes(after: anchor, limit: 10)
            sizes.append(batch.addedSamples.count)
            anchor = batch.newAnchor
        } while sizes.last != 0
        #expect(sizes == [10, 10, 5, 0])
    }

    @Test func `an update handler gets each later change and nothing else`() async throws {
        let calls = Calls<[Double]>()
        let predicate = HKQuery.predicateForQuantitySamples(with: .greaterThan, quantity: Made.bpm(100))
        let handler: HKAnchoredObjectQuery.Handler = { _, samples, _, anchor, error in
            #expect(anchor != nil && error == nil)
            let values = (samples ?? []).compactMap { $0 as? HKQuantitySample }
            calls.add(values.map { $0.quantity.doubleValue(for: Made.perMinute) })
        }
        let query = HKAnchoredObjectQuery(
            type: Made.heartRate, predicate: predicate, anchor: nil, limit: HKObjectQueryNoLimit,
            resultsHandler: handler)
        query.updateHandler = handler
        try health.save([Made.heartRate(120, at: 0), Made.heartRate(60, at: 1)])
        health.store.execute(query)
        #expect(await calls.next() == [120])
        try health.save([Made.heartRate(61, at: 2)])
        try health.save([Made.steps(5, from: 2, to: 3)])
        try health.save([Made.heartRate(130, at: 3)])
        #expect(await calls.next() == [130])
        health.store.stop(query)
        health.store.stop(query)
        try health.save([Made.heartRate(140, at: 4)])
        calls.add([0])
        #expect(await calls.next() == [0])
    }

    @Test func `the sequence of changes runs until the loop ends`() async throws {
        try health.save([Made.heartRate(60, at: 0)])
        let descriptor = Anchored(predicates: [.quantitySample(type: Made.heartRate)], anchor: nil)
        var seen: [Int] = []
        for try await result in descriptor.results(for: health.store) {
            seen.append(result.addedSamples.count)
            if seen.count == 3 { break }
            try health.save((0..<seen.count).map { Made.heartRate(70, at: Double(seen.count * 10 + $0)) })
        }
        #expect(seen == [1, 1, 2])
    }

    @Test func `a cancelled task ends its sequence`() async throws {
        let store = health.store
        let calls = Calls<Int>()
        let task = Task {
            var count = 0
            let descriptor = Anchored(predicates: [.quantitySample(type: Made.heartRate)], anchor: nil)
            for try await _ in descriptor.results(for: store) {
                count += 1
                calls.add(count)
            }
            return count
        }
        #expect(await calls.next() == 1)
        task.cancel()
        #expect(try await task.value == 1)
    }

    @Test func `an observer is called at once, and after each change of its type`() async throws {
        let calls = Calls<String>()
        let query = HKObserverQuery(sampleType: Made.heartRate, predicate: nil) { _, completion, error in
            calls.add(error == nil ? "changed" : "failed")
            completion()
        }
        health.store.execute(query)
        #expect(await calls.next() == "changed")
        let sample = Made.heartRate(60, at: 0)
        try health.save([sample])
        #expect(await calls.next() == "changed")
        _ = try health.database.delete([sample.uuid], owner: nil)
        #expect(await calls.next() == "changed")
        health.store.stop(query)
    }

    @Test func `an observer of several types learns which have matching changes`() async throws {
        let calls = Calls<Set<HKSampleType>>()
        let fast = HKQuery.predicateForQuantitySamples(with: .greaterThan, quantity: Made.bpm(100))
        let query = HKObserverQuery(queryDescriptors: [
            HKQueryDescriptor(sampleType: Made.heartRate, predicate: fast),
            HKQueryDescriptor(sampleType: Made.steps, predicate: nil),
        ]) { _, types, completion, _ in
            calls.add(types ?? [])
            completion()
        }
        health.store.execute(query)
        #expect(await calls.next() == [Made.heartRate, Made.steps])
        try health.save([Made.heartRate(60, at: 0), Made.steps(5, from: 0, to: 1)])
        #expect(await calls.next() == [Made.steps])
        try health.save([Made.heartRate(120, at: 2)])
        #expect(await calls.next() == [Made.heartRate])
        health.store.stop(query)
    }

    @Test func `an observer whose predicate does not fit is called once with the error`() async throws {
        let calls = Calls<HKError.Code?>()
        let query = HKObserverQuery(
            sampleType: Made.heartRate, predicate: HKQuery.predicateForWorkouts(with: .running)
        ) { _, _, error in
            calls.add((error as? HKError)?.code)
        }
        health.store.execute(query)
        #expect(await calls.next() == .errorInvalidArgument)
    }

    @Test func `test doubles override execute, stop and the queries themselves`() async throws {
        final class Store: HKHealthStore, @unchecked Sendable {
            let executed = Calls<HKQuery>()
            override func execute(_ query: HKQuery) { executed.add(query) }
            override func stop(_ query: HKQuery) {}
        }
        final class Observer: HKObserverQuery, @unchecked Sendable {}
        let store = HealthEnvironment.$current.withValue(HealthEnvironment(sensors: [])) { Store() }
        let query = Observer(sampleType: Made.heartRate, predicate: nil) { _, _, _ in }
        store.execute(query)
        #expect(await store.executed.next() === query)
    }
}
