import Foundation
import HealthKit
import HealthKitTesting
import Synchronization
import Testing

@Suite struct BackgroundDeliveryTests {
    private static let mass = HKQuantityType(.bodyMass)
    private static let height = HKQuantityType(.height)

    /// An app's synchronisation as people write it: an observer for each type, whose handler reports when it has
    /// read.
    private final class Synchronisation: Sendable {
        let store = HKHealthStore()
        let heard = Mutex<[Set<HKSampleType>]>([])
        let answers: Atomic<Bool>

        init(answers: Bool = true) { self.answers = Atomic(answers) }

        var calls: [Set<HKSampleType>] { heard.withLock { $0 } }

        func begin(_ types: Set<HKSampleType>, predicate: NSPredicate? = nil, enables: Bool = true) async throws {
            let query = HKObserverQuery(
                queryDescriptors: types.map { HKQueryDescriptor(sampleType: $0, predicate: predicate) }
            ) { [self] _, changed, completion, _ in
                heard.withLock { $0.append(changed ?? []) }
                if answers.load(ordering: .relaxed) { completion() }
            }
            store.execute(query)
            guard enables else { return }
            for type in types { try await store.enableBackgroundDelivery(for: type, frequency: .hourly) }
        }
    }

    private static func place(_ type: HKQuantityType, _ value: Double = 1) throws {
        let unit = type == mass ? HKUnit.gramUnit(with: .kilo) : .meter()
        let now = Date()
        let quantity = HKQuantity(unit: unit, doubleValue: value)
        try HealthKitWorld.current.place(
            [HKQuantitySample(type: type, quantity: quantity, start: now, end: now)], from: "scale")
    }

    @Test(.healthKit(authorization: .allowedBefore, app: .background))
    func `an app in the background is called once, when the test delivers`() async throws {
        let world = try HealthKitWorld.current
        let app = Synchronisation()
        try await app.begin([Self.mass])
        try await app.begin([Self.height])
        #expect(try await world.deliver() == [])
        try Self.place(Self.mass)
        try Self.place(Self.height)
        #expect(app.calls == [])
        #expect(try await world.deliver([Self.mass]) == [Self.mass])
        #expect(app.calls == [[Self.mass]])
        #expect(try await world.deliver() == [Self.height])
        #expect(app.calls == [[Self.mass], [Self.height]])
        #expect(try await world.deliver() == [])
        world.app = .foreground
        try Self.place(Self.mass)
        await world.settle()
        #expect(app.calls == [[Self.mass], [Self.height], [Self.mass]])
    }

    @Test(.healthKit(authorization: .allowedBefore, app: .background), arguments: 1...30)
    func `an observer executed in the background is called once for a delivery`(
        _ run: Int
    ) async throws {
        let world = try HealthKitWorld.current
        let app = Synchronisation()
        let predicate = run.isMultiple(of: 2) ? HKQuery.predicateForSamples(withStart: .distantPast, end: nil) : nil
        try await app.store.enableBackgroundDelivery(for: Self.mass, frequency: .immediate)
        try await app.begin([Self.mass], predicate: predicate, enables: false)
        try Self.place(Self.mass)
        #expect(app.calls == [])
        #expect(try await world.deliver() == [Self.mass])
        #expect(app.calls == [[Self.mass]])
        #expect(try await world.deliver() == [])
        await world.settle()
        #expect(app.calls == [[Self.mass]])
        world.app = .foreground
        await world.settle()
        // It was called already, and nothing has changed since.
        #expect(app.calls == [[Self.mass]])
    }

    @Test(.healthKit(authorization: .allowedBefore, app: .background))
    func `an observer that was never called gets its first call in the foreground`() async throws {
        let world = try HealthKitWorld.current
        let app = Synchronisation()
        try await app.begin([Self.mass, Self.height], enables: false)
        try Self.place(Self.mass)
        await world.settle()
        #expect(app.calls == [])
        world.app = .foreground
        await world.settle()
        #expect(app.calls == [[Self.mass, Self.height]])
    }

    @Test(.healthKit(authorization: .allowedBefore), arguments: 1...30)
    func `a world is settled once its queries and saves called the app, including later ones`(
        _ run: Int
    ) async throws {
        let world = try HealthKitWorld.current
        let store = HKHealthStore()
        let counts = Mutex<[Int]>([])
        let observer = HKObserverQuery(sampleType: Self.mass, predicate: nil) { _, completion, _ in
            // Only the query's handler is called, once.
            nonisolated(unsafe) let completion = completion
            let query = HKSampleQuery(sampleType: Self.mass, predicate: nil, limit: 0, sortDescriptors: nil) {
                _, samples, _ in
                counts.withLock { $0.append(samples?.count ?? -1) }
                completion()
            }
            store.execute(query)
        }
        store.execute(observer)
        await world.settle()
        #expect(counts.withLock { $0 } == [0])
        let quantity = HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: 70)
        let isSaved = Atomic(false)
        store.save(HKQuantitySample(type: Self.mass, quantity: quantity, start: Date(), end: Date())) { success, _ in
            isSaved.store(success, ordering: .relaxed)
        }
        await world.settle()
        let saved = isSaved.load(ordering: .relaxed)
        #expect(saved)
        #expect(counts.withLock { $0 } == [0, 1])
    }

    @Test(.healthKit(authorization: .allowedBefore, app: .background))
    func `a missing completion handler call is reported, and the third one ends deliveries`() async throws {
        let world = try HealthKitWorld.current
        let app = Synchronisation(answers: false)
        try await app.begin([Self.mass])
        let other = Synchronisation()
        try await other.begin([Self.mass])
        try Self.place(Self.mass)
        let one = await #expect(throws: WorldError.self) { try await world.deliver() }
        #expect(one?.description.contains("1 of 2 completion handlers") == true)
        // One of them has answered for the app.
        #expect(try await world.deliver() == [])
        other.answers.store(false, ordering: .relaxed)
        try Self.place(Self.mass)
        for times in 2...4 {
            let error = await #expect(throws: WorldError.self) { try await world.deliver() }
            #expect(error?.description.contains("2 of 2 completion handlers") == true)
            #expect(error?.description.contains("HKObserverQuery of HKQuantityTypeIdentifierBodyMass") == true)
            #expect(app.calls.count == times)
        }
        let error = await #expect(throws: WorldError.self) { try await world.deliver() }
        #expect(error?.description.contains("is no longer delivered") == true)
        #expect(app.calls.count == 4)
        other.answers.store(true, ordering: .relaxed)
        app.answers.store(true, ordering: .relaxed)
        try await app.store.enableBackgroundDelivery(for: Self.mass, frequency: .immediate)
        #expect(try await world.deliver() == [Self.mass])
    }

    @Test(.healthKit(authorization: .allowedBefore, app: .background))
    func `an app that returns to the foreground gets exactly the changes of the meantime`() async throws {
        let world = try HealthKitWorld.current
        let app = Synchronisation()
        try await app.begin([Self.mass], enables: false)
        try await app.begin([Self.height])
        try Self.place(Self.mass)
        try Self.place(Self.height)
        #expect(try await world.deliver() == [Self.height])
        world.app = .foreground
        try await world.until { app.calls.count == 2 }
        #expect(app.calls == [[Self.height], [Self.mass]])
        let error = await #expect(throws: WorldError.self) { try await world.deliver() }
        #expect(error?.description.contains("in the foreground") == true)
    }

    @Test(.healthKit(authorization: .allowedBefore, app: .background))
    func `a change that an observer does not match needs no answer`() async throws {
        let world = try HealthKitWorld.current
        let app = Synchronisation()
        let heavy = HKQuery.predicateForQuantitySamples(
            with: .greaterThan, quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: 50))
        try await app.begin([Self.mass], predicate: heavy)
        try Self.place(Self.mass, 40)
        #expect(try await world.deliver() == [Self.mass])
        #expect(app.calls == [])
        #expect(try await world.deliver() == [])
        try Self.place(Self.mass, 60)
        #expect(try await world.deliver() == [Self.mass])
        #expect(app.calls == [[Self.mass]])
    }

    @Test(.healthKit(authorization: .allowedBefore, app: .background))
    func `a delivery without a receiver names what the app has left out`() async throws {
        let world = try HealthKitWorld.current
        let nothing = await #expect(throws: WorldError.self) { try await world.deliver() }
        #expect(nothing?.description.contains("has to call enableBackgroundDelivery first") == true)
        let store = HKHealthStore()
        try await store.enableBackgroundDelivery(for: Self.mass, frequency: .immediate)
        let other = await #expect(throws: WorldError.self) { try await world.deliver([Self.height]) }
        #expect(
            other?.description.contains("of HKQuantityTypeIdentifierHeight, but of HKQuantityTypeIdentifierBodyMass")
                == true)
        try Self.place(Self.mass)
        let unheard = await #expect(throws: WorldError.self) { try await world.deliver() }
        #expect(unheard?.description.contains("No HKObserverQuery of HKQuantityTypeIdentifierBodyMass runs") == true)
    }

    @Test(.healthKit(authorization: .allowedBefore, app: .background))
    func `nothing is delivered while the device is locked or for a denied type`() async throws {
        let world = try HealthKitWorld.current
        let app = Synchronisation()
        try await app.begin([Self.mass])
        try Self.place(Self.mass)
        world.device = [.locked]
        #expect(try await world.deliver() == [])
        world.device = []
        world.refuse(read: [Self.mass])
        #expect(try await world.deliver() == [])
        #expect(app.calls == [])
        world.allow(read: [Self.mass])
        #expect(try await world.deliver() == [Self.mass])
    }
}
