import Foundation
import HealthKit
import HealthKitTesting
import Testing

@Suite struct HealthKitTraitTests {
    @Test(.healthKit(sensors: .replay("Recordings/intervals.jsonl"), authorization: .allow))
    func `an app replays the recording that its test names, and finishes its workout`() async throws {
        let app = TestedApp()
        app.start()
        let workout = try #require(try await HealthKitWorld.current.finished())
        #expect(
            app.average
                == workout.statistics(for: HKQuantityType(.heartRate))?.averageQuantity()?
                .doubleValue(for: .count().unitDivided(by: .minute())))
        #expect(app.average.map { $0.rounded() } == 142)
        #expect(workout.duration == 1140)
        #expect(try HealthKitWorld.current.savedWorkouts == [workout])
    }

    @Test func `a missing recording is an error that names the searched places`() {
        let world = HealthKitWorld(.init(sensors: .replay("nowhere.jsonl")))
        defer { world.end() }
        let words = world.fault.map { "\($0)" } ?? ""
        #expect(words.contains("nowhere.jsonl does not exist"))
        #expect(words.contains("Tests/HealthKitTestingTests/nowhere.jsonl"))
    }

    @Test(.healthKit()) func `a handler of HealthKit runs in its test's world, whatever others exist`() async throws {
        let (first, second) = (HealthKitWorld(name: "first"), HealthKitWorld(name: "second"))
        defer { for world in [first, second] { world.end() } }
        for world in [try HealthKitWorld.current, first, second] {
            let name = await world.run {
                await withCheckedContinuation { continuation in
                    let query = HKSampleQuery(
                        sampleType: HKQuantityType(.bodyMass), predicate: nil, limit: 1, sortDescriptors: nil
                    ) { _, _, _ in continuation.resume(returning: try? HealthKitWorld.current.name) }
                    HKHealthStore().execute(query)
                }
            }
            #expect(name == world.name)
        }
    }

    @Test func `a task that outlives its world does not use another one`() throws {
        let ended = HealthKitWorld(name: "ended")
        let error = ended.run {
            ended.end()
            return #expect(throws: WorldError.self) { try HealthKitWorld.current }
        }
        #expect(error.map { "\($0)" } == "The world of ended has ended.")
    }

    @Test(.healthKit(sensors: .simulate(durationInSeconds: 30)), arguments: 1...200)
    func `two hundred worlds side by side are independent`(number: Int) async throws {
        let world = try HealthKitWorld.current
        let app = TestedApp()
        let mass = HKQuantityType(.bodyMass)
        try await app.healthStore.requestAuthorization(toShare: [mass], read: [mass])
        let now = Date()
        let kilograms = HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: Double(number))
        try await app.healthStore.save(HKQuantitySample(type: mass, quantity: kilograms, start: now, end: now))
        app.start()
        try await world.finished()
        let descriptor = HKSampleQueryDescriptor(predicates: [.quantitySample(type: mass)], sortDescriptors: [])
        // Of a store that another store's delegate created later.
        let found = try await descriptor.result(for: #require(app.storeMadeInDelegate))
        #expect(found.map { $0.quantity } == [kilograms])
        #expect(try world.savedWorkouts.count == 1)
        #expect(try world.saved.filter { $0.sampleType == mass }.count == 1)
        #expect(world.authorizationRequests.count == 2)
    }

    @Suite(.healthKit(authorization: .deny)) struct OfASuite {
        @Test func `a suite's trait applies to each of its tests`() async throws {
            let store = HKHealthStore()
            try await store.requestAuthorization(toShare: [.workoutType()], read: [])
            #expect(store.authorizationStatus(for: .workoutType()) == .sharingDenied)
        }

        @Test(.healthKit(authorization: .allow)) func `a test's own trait overrides its suite's`() async throws {
            let store = HKHealthStore()
            try await store.requestAuthorization(toShare: [.workoutType()], read: [])
            #expect(store.authorizationStatus(for: .workoutType()) == .sharingAuthorized)
        }
    }
}
