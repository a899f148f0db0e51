import Foundation
import HealthKit
import HealthKitTesting
import Synchronization
import Testing

/// An app that crashes during a workout, and starts again.
///
/// Apple: hkhealthstore/recoveractiveworkoutsession(completion:), and "Running workout sessions", section "Recover from crashes"
/// (developer.apple.com/documentation/healthkit/running-workout-sessions): the app gets the session in its former state, and sets the
/// data source and the delegates again.
@Suite struct RestartTests {
    private final class Counter: Sendable {
        private let value = Mutex(0)
        var count: Int { value.withLock { $0 } }
        func add() { value.withLock { $0 += 1 } }
    }

    @Test(.healthKit(sensors: .script, authorization: .allowedBefore, store: .file, clock: .byHand))
    func `a session continues after a crash, and its workout contains both parts`() async throws {
        let world = try HealthKitWorld.current
        let crashed = try WatchWorkout()
        try await crashed.begin()
        let start = try #require(crashed.builder.startDate)
        for rate in [100, 110] {
            try await world.strap.send(heartRate: rate)
            try await world.advance(by: .seconds(1))
        }
        try await world.restartApp()
        let workout = try await WatchWorkout.recovered()
        #expect(workout.session.state == .running)
        #expect(workout.builder.startDate == start)
        #expect(workout.latestHeartRate() == 110)
        for rate in [120, 130] {
            try await world.strap.send(heartRate: rate)
            try await world.advance(by: .seconds(1))
        }
        #expect(workout.heartRates == [120, 130])
        #expect(crashed.heartRates == [100, 110])
        let finished = try #require(try await workout.finish())
        let samples = try await workout.heartRates(of: finished)
        #expect(samples.map { $0.quantity.doubleValue(for: WatchWorkout.beats) } == [100, 110, 120, 130])
        #expect(finished.startDate == start && finished.duration == 4)
        #expect(try await world.finished()?.uuid == finished.uuid)
        #expect(try await workout.store.recoverActiveWorkoutSession() == nil)
    }

    @Test(.healthKit(sensors: .script, authorization: .allowedBefore, store: .file, clock: .byHand))
    func `a paused session is paused after a crash`() async throws {
        let world = try HealthKitWorld.current
        let crashed = try WatchWorkout()
        try await crashed.begin()
        try await world.advance(by: .seconds(10))
        crashed.session.pause()
        await world.settle()
        try await world.restartApp()
        let workout = try await WatchWorkout.recovered()
        #expect(workout.session.state == .paused)
        try await world.advance(by: .seconds(20))
        workout.session.resume()
        try await world.strap.send(heartRate: 100)
        try await world.advance(by: .seconds(5))
        #expect(try await workout.finish()?.duration == 15)
    }

    @Test(.healthKit(sensors: .script, authorization: .allowedBefore, store: .file, clock: .byHand))
    func `objects from before the crash are dead`() async throws {
        let world = try HealthKitWorld.current
        let calls = Counter()
        let crashed = try WatchWorkout()
        let query = HKObserverQuery(sampleType: WatchWorkout.heartRate, predicate: nil) { _, done, _ in
            calls.add()
            done()
        }
        crashed.store.execute(query)
        try await crashed.begin()
        try await world.strap.send(heartRate: 100)
        await world.settle()
        let before = (calls.count, crashed.changes.count)
        try await world.restartApp()
        let workout = try await WatchWorkout.recovered()
        try await world.strap.send(heartRate: 101)
        crashed.session.pause()
        await world.settle()
        #expect((calls.count, crashed.changes.count) == before)
        #expect(workout.session.state == .running)
        await #expect(throws: HKError.self) { try await crashed.builder.endCollection(at: Date()) }
        #expect(try await workout.finish() != nil)
    }

    /// The sensors continue; they don't start again.
    @Test(
        .healthKit(
            sensors: .simulate(seed: 3, durationInSeconds: 60, speed: 1), authorization: .allowedBefore, store: .file,
            clock: .byHand))
    func `a simulation continues where it was`() async throws {
        let world = try HealthKitWorld.current
        let crashed = try WatchWorkout()
        try await crashed.begin()
        try await world.advance(by: .seconds(20))
        let before = crashed.heartRates.count
        #expect(before > 0)
        try await world.restartApp()
        let workout = try await WatchWorkout.recovered()
        // The session stops with the simulation, on a busy machine somewhat later.
        try await world.until(within: .seconds(60)) {
            if workout.session.state == .running { try await world.advance(by: .seconds(10)) }
            return workout.session.state != .running
        }
        let finished = try #require(try await workout.finish())
        let samples = try await workout.heartRates(of: finished)
        #expect(samples.count > before)
        #expect(Set(samples.map(\.startDate)).count == samples.count)
        #expect(samples.last.map { $0.endDate.timeIntervalSince(finished.startDate) <= 60 } == true)
    }

    /// Samples wait for a reader for up to a minute. Until then only the journal has them.
    @Test(.healthKit(sensors: .script, authorization: .allowedBefore, store: .file))
    func `samples that nobody read before a crash are in the store afterwards`() async throws {
        let world = try HealthKitWorld.current
        let crashed = try WatchWorkout()
        try await crashed.begin()
        for rate in [100, 110, 120] { try await world.strap.send(heartRate: rate) }
        try await world.restartApp()
        let workout = try await WatchWorkout.recovered()
        // A query waits at most a second for a session that saves, and a busy machine may take longer.
        var stored: [HKQuantitySample] = []
        try await world.until {
            stored = try await HKSampleQueryDescriptor(
                predicates: [.quantitySample(type: WatchWorkout.heartRate)],
                sortDescriptors: [SortDescriptor(\.startDate)]
            ).result(for: workout.store)
            return !stored.isEmpty
        }
        #expect(stored.map { $0.quantity.doubleValue(for: WatchWorkout.beats) } == [100, 110, 120])
        workout.builder.discardWorkout()
        workout.session.end()
    }

    @Test(.healthKit(sensors: .script))
    func `a world in memory has nothing that outlives the app`() async throws {
        let world = try HealthKitWorld.current
        await #expect(throws: WorldError.self) { try await world.restartApp() }
    }
}
