#if os(Linux)
import HealthKit
import HealthKitTesting
import Testing

@testable import Workouts

@MainActor @Suite struct WorkoutManagerTests {
    @Test(.healthKit(sensors: .replay("intervals.jsonl"), authorization: .allow))
    func `shows the average and saves the workout`() async throws {
        let manager = WorkoutManager()
        manager.start(.running)
        try await HealthKitWorld.current.finished()
        #expect(manager.averageHeartRate == 142)
        try await HealthKitWorld.current.until { manager.workout != nil }
        #expect(manager.problem == nil)
        let workout = try #require(manager.workout)
        #expect(workout.duration == 1140)
        try HealthKitWorld.current.expectSummary(of: workout, matches: "intervals.golden.json", tolerance: ["0.1%"])
    }

    @Test(.healthKit(sensors: .script, clock: .byHand))
    func `shows each heart rate as it arrives`() async throws {
        let world = try HealthKitWorld.current
        let manager = WorkoutManager()
        manager.start(.cycling)
        try await world.strap.send(heartRate: 120)
        try await world.until { manager.heartRate == 120 }
        try await world.advance(by: .seconds(1))
        try await world.strap.send(heartRate: 132)
        try await world.until { manager.heartRate == 132 }
        manager.end()
        let workout = try await world.finished()
        #expect(workout?.workoutActivityType == .cycling)
    }

    @Test(.healthKit(sensors: .script, clock: .byHand))
    func `a strap that loses its link leaves a gap, not a zero`() async throws {
        let world = try HealthKitWorld.current
        let manager = WorkoutManager()
        manager.start(.running)
        for _ in 0..<3 {
            try await world.strap.send(heartRate: 120)
            try await world.advance(by: .seconds(1))
        }
        try await world.strap.loseLink()
        try await world.advance(by: .seconds(60))
        #expect(manager.state == .running)
        #expect(manager.heartRate == 120)
        // It is back with its next packet.
        try await world.strap.send(heartRate: 140)
        try await world.until { manager.heartRate == 140 }
        manager.end()
        let workout = try #require(try await world.finished())
        #expect(workout.duration == 63)
        let rates = workout.statistics(for: HKQuantityType(.heartRate))
        let unit = HKUnit.count().unitDivided(by: .minute())
        #expect(rates?.minimumQuantity() == HKQuantity(unit: unit, doubleValue: 120))
        // An average over the time in which there was a heart rate.
        #expect(rates?.averageQuantity() == HKQuantity(unit: unit, doubleValue: 120))
        // The session's log shows when the strap came and went.
        let presence = try await world.entries().compactMap { $0["presence"] }
        #expect(presence == ["away", "present", "away", "present"])
    }

    @Test(.healthKit(sensors: .script, authorization: .deny))
    func `reports an error if the workout may not be saved`() async throws {
        let world = try HealthKitWorld.current
        let manager = WorkoutManager()
        manager.start(.running)
        try await world.until { manager.problem != nil }
        #expect(try world.savedWorkouts.isEmpty)
    }
}

@MainActor @Suite struct PhoneWorkoutTests {
    @Test(.healthKit(sensors: .script))
    func `the phone shows the watch's workout and can end it`() async throws {
        let watch = try HealthKitWorld.current
        let phone = try await watch.makeCompanion()
        let shown = phone.run { PhoneWorkout() }
        shown.listen()
        let manager = WorkoutManager()
        manager.start(.running, mirrors: true)
        try await watch.strap.send(heartRate: 120)
        try await watch.until { shown.state == .running }
        #expect(shown.activity == .running)
        await phone.cutLink()
        try await watch.until { !shown.isReachable }
        try await phone.restoreLink()
        try await watch.until(within: .seconds(30)) { shown.isReachable }
        shown.end()
        try await watch.finished()
        try await watch.until { shown.state == .stopped || shown.state == .ended }
    }
}

@Suite struct HeartRateTrendTests {
    @Test(.healthKit(authorization: .allowedBefore))
    func `a day's average is the average of its heart rates`() async throws {
        let now = Date()
        let unit = HKUnit.count().unitDivided(by: .minute())
        let samples = [100.0, 140].map { value in
            HKQuantitySample(
                type: HKQuantityType(.heartRate), quantity: HKQuantity(unit: unit, doubleValue: value), start: now,
                end: now)
        }
        try HealthKitWorld.current.place(samples, from: "watch")
        #expect(try await HeartRateTrend().days(7, endingAt: now + 1).map(\.average) == [120])
    }
}
#endif
