import Dispatch
import Foundation
import HealthKit
import HealthKitTesting
import Synchronization
import Testing

/// Which world app code gets.
@Suite struct WorldOwnerTests {
    private static let mass = HKQuantityType(.bodyMass)

    private static func sample(_ kilograms: Double) -> HKQuantitySample {
        let now = Date()
        return HKQuantitySample(
            type: mass, quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: kilograms), start: now, end: now
        )
    }

    /// From a queue without task-local values.
    private static func saveOnQueue(_ kilograms: Double, in store: HKHealthStore) async -> (any Error)? {
        let sample = sample(kilograms)
        return await withCheckedContinuation { done in
            DispatchQueue(label: "app").async {
                store.save(sample) { _, error in done.resume(returning: error) }
            }
        }
    }

    @Test(.healthKit(authorization: .allowedBefore), arguments: 1...20)
    func `a store created in the test belongs to it, also on the app's own queues`(number: Int) async throws {
        let store = HKHealthStore()
        #expect(await Self.saveOnQueue(Double(number), in: store) == nil)
        let saved = try HealthKitWorld.current.saved.compactMap { ($0 as? HKQuantitySample)?.quantity }
        #expect(saved == [Self.sample(Double(number)).quantity])
    }

    /// A singleton, which belongs to the first test that uses it.
    private static let shared = HKHealthStore()

    @Test(.healthKit(authorization: .allowedBefore), arguments: 1...20)
    func `a singleton belongs to the world of the task that uses it`(number: Int) async throws {
        try await Self.shared.save(Self.sample(Double(number)))
        let saved = try HealthKitWorld.current.saved.compactMap { ($0 as? HKQuantitySample)?.quantity }
        #expect(saved == [Self.sample(Double(number)).quantity])
        let descriptor = HKSampleQueryDescriptor(predicates: [.quantitySample(type: Self.mass)], sortDescriptors: [])
        #expect(try await descriptor.result(for: Self.shared).count == 1)
    }

    @Test func `work of an app after its test is an error and affects no other test`() async throws {
        let store = HealthKitWorld.run(.init(authorization: .allowedBefore), name: "the first test") {
            HKHealthStore()
        }
        let later = HealthKitWorld(.init(authorization: .allowedBefore), name: "the second test")
        defer { later.end() }
        let error = await Self.saveOnQueue(70, in: store)
        #expect(error?.localizedDescription.contains("the world of the first test, which has ended") == true)
        #expect(try later.saved.isEmpty)
    }

    @Test func `a task that outlives its test gets an error`() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let task = HealthKitWorld.run(name: "a short test") {
            Task { () -> (any Error)? in
                for await _ in stream {}
                do {
                    try await HKHealthStore().save(Self.sample(70))
                    return nil
                } catch { return error }
            }
        }
        continuation.finish()
        let words = await task.value?.localizedDescription ?? ""
        #expect(words.contains("a short test, which has ended"))
    }

    @Test(.healthKit()) func `a test without a world uses no other test's`() async throws {
        // This test has one; the one beside it has none.
        let error = await Self.withoutWorld { () -> (any Error)? in
            do {
                try await HKHealthStore().requestAuthorization(toShare: [], read: [Self.mass])
                return nil
            } catch { return error }
        }
        #expect(error?.localizedDescription.contains("has no world") == true)
        #expect(try HealthKitWorld.current.authorizationRequests.isEmpty)
    }

    /// As in a test without a trait.
    private static func withoutWorld<Result: Sendable>(
        _ body: @escaping @Sendable () async -> Result
    ) async -> Result {
        await HealthEnvironment.$current.withValue(.process) { await body() }
    }

    @Test func `tasks, groups and handlers of the app find its test's world`() async throws {
        try await HealthKitWorld.run(.init(authorization: .allowedBefore)) {
            let world = try HealthKitWorld.current
            try await Task { try await HKHealthStore().save(Self.sample(1)) }.value
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 2...4 { group.addTask { try await HKHealthStore().save(Self.sample(Double(number))) } }
                try await group.waitForAll()
            }
            // In a completion handler, and in a query's.
            await withCheckedContinuation { done in
                HKHealthStore().save(Self.sample(5)) { _, _ in
                    HKHealthStore().execute(
                        HKSampleQuery(
                            sampleType: Self.mass, predicate: nil, limit: HKObjectQueryNoLimit, sortDescriptors: nil
                        ) { _, found, _ in
                            HKHealthStore().save(Self.sample(Double((found?.count ?? 0) + 1))) { _, _ in done.resume() }
                        })
                }
            }
            #expect(try world.saved.count == 6)
        }
    }

    @Test func `synchronous code, as XCTest calls it, finds the world`() throws {
        try HealthKitWorld.run(.init(device: [.unavailable])) {
            #expect(!HKHealthStore.isHealthDataAvailable())
            try HealthKitWorld.current.device = []
            #expect(HKHealthStore.isHealthDataAvailable())
        }
    }
}
