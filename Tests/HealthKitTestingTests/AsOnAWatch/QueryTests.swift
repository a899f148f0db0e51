import Foundation
import HealthKit
import HealthKitTesting
import Synchronization
import Testing

/// Apple's documentation of the queries that run during a workout. Paths are those below
/// developer.apple.com/documentation/healthkit.
@Suite(.healthKit(authorization: .allowedBefore)) struct QueryTests {
    private static let mass = HKQuantityType(.bodyMass)

    private static func sample(_ kilograms: Double) -> HKQuantitySample {
        let now = Date()
        return HKQuantitySample(
            type: mass, quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: kilograms), start: now, end: now
        )
    }

    /// What the handlers of an anchored query received.
    private final class Heard: Sendable {
        struct Update {
            var added: Int
            var deleted: Int
            var anchor: HKQueryAnchor?
        }

        private let list = Mutex<[Update]>([])
        var all: [Update] { list.withLock { $0 } }

        func note(_ samples: [HKSample]?, _ deleted: [HKDeletedObject]?, _ anchor: HKQueryAnchor?) {
            list.withLock {
                $0.append(Update(added: samples?.count ?? 0, deleted: deleted?.count ?? 0, anchor: anchor))
            }
        }
    }

    private static func query(_ heard: Heard, anchor: HKQueryAnchor? = nil) -> HKAnchoredObjectQuery {
        HKAnchoredObjectQuery(type: mass, predicate: nil, anchor: anchor, limit: HKObjectQueryNoLimit) {
            _, samples, deleted, anchor, _ in heard.note(samples, deleted, anchor)
        }
    }

    /// hkanchoredobjectquery/updatehandler: with nil the query stops when it has its initial results.
    @Test func `an anchored query without an update handler ends with its first results`() async throws {
        let world = try HealthKitWorld.current
        let store = HKHealthStore()
        let heard = Heard()
        store.execute(Self.query(heard))
        await world.settle()
        try await store.save(Self.sample(70))
        await world.settle()
        #expect(heard.all.map(\.added) == [0])
    }

    /// hkanchoredobjectquery/updatehandler: called when matching samples are saved or deleted.
    @Test func `an update handler gets additions and deletions`() async throws {
        let world = try HealthKitWorld.current
        let store = HKHealthStore()
        let first = Self.sample(70)
        try await store.save(first)
        let heard = Heard()
        let query = Self.query(heard)
        query.updateHandler = { _, samples, deleted, anchor, _ in heard.note(samples, deleted, anchor) }
        store.execute(query)
        await world.settle()
        try await store.save([Self.sample(71), Self.sample(72)])
        await world.settle()
        try await store.delete(first)
        await world.settle()
        #expect(heard.all.map(\.added) == [1, 2, 0])
        #expect(heard.all.map(\.deleted) == [0, 0, 1])
    }

    /// hkanchoredobjectquery: an anchor restricts a later query to what is newer.
    @Test func `a query that continues from an anchor returns only newer objects`() async throws {
        let world = try HealthKitWorld.current
        let store = HKHealthStore()
        try await store.save([Self.sample(70), Self.sample(71)])
        let before = Heard()
        store.execute(Self.query(before))
        await world.settle()
        try await store.save(Self.sample(72))
        let after = Heard()
        store.execute(Self.query(after, anchor: before.all.first?.anchor))
        await world.settle()
        #expect(before.all.map(\.added) == [2])
        #expect(after.all.map(\.added) == [1])
    }

    /// hkobserverquery: alerted when matching data is saved or removed. hkhealthstore/stop(_:): a query that is stopped watches no more.
    @Test func `an observer is called after each change until it is stopped`() async throws {
        let world = try HealthKitWorld.current
        let store = HKHealthStore()
        let calls = Mutex(0)
        let observer = HKObserverQuery(sampleType: Self.mass, predicate: nil) { _, completion, _ in
            calls.withLock { $0 += 1 }
            completion()
        }
        store.execute(observer)
        await world.settle()
        let before = calls.withLock { $0 }
        let sample = Self.sample(70)
        try await store.save(sample)
        await world.settle()
        try await store.delete(sample)
        await world.settle()
        #expect(calls.withLock { $0 } == before + 2)
        store.stop(observer)
        try await store.save(Self.sample(71))
        await world.settle()
        #expect(calls.withLock { $0 } == before + 2)
    }

    /// executing-observer-queries: by default they return results only while the app is in the foreground.
    @Test(.healthKit(authorization: .allowedBefore, app: .background))
    func `an observer is not called in the background unless the app enabled deliveries`() async throws {
        let world = try HealthKitWorld.current
        let store = HKHealthStore()
        let calls = Mutex(0)
        store.execute(
            HKObserverQuery(sampleType: Self.mass, predicate: nil) { _, completion, _ in
                calls.withLock { $0 += 1 }
                completion()
            })
        try world.place([Self.sample(70)], from: "scale")
        await world.settle()
        #expect(calls.withLock { $0 } == 0)
        try await store.enableBackgroundDelivery(for: Self.mass, frequency: .immediate)
        try world.place([Self.sample(71)], from: "scale")
        try await world.deliver()
        #expect(calls.withLock { $0 } == 1)
    }

    /// hksamplequery: a limit, an order, and the handler is called once.
    @Test func `a sample query returns at most its limit, in its order`() async throws {
        let world = try HealthKitWorld.current
        let store = HKHealthStore()
        try await store.save([Self.sample(70), Self.sample(72), Self.sample(71)])
        let found = Mutex<[[Double]]>([])
        let byDate = NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: false)
        store.execute(
            HKSampleQuery(sampleType: Self.mass, predicate: nil, limit: 2, sortDescriptors: [byDate]) { _, samples, _ in
                let values = (samples as? [HKQuantitySample] ?? []).map {
                    $0.quantity.doubleValue(for: .gramUnit(with: .kilo))
                }
                found.withLock { $0.append(values) }
            })
        await world.settle()
        #expect(found.withLock { $0 } == [[71, 72]])
    }
}
