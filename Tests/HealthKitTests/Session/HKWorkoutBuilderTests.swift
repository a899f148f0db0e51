import Engine
import Foundation
import HealthKit
import SessionLog
import Testing

@Suite struct HKWorkoutBuilderTests {
    private let start = Date(timeIntervalSinceReferenceDate: 800_000_000)
    private let beatsPerMinute = HKUnit.count().unitDivided(by: .minute())

    private func builder(_ activity: HKWorkoutActivityType = .running) -> HKWorkoutBuilder {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = activity
        let store = HKHealthStore(environment: HealthEnvironment(sensors: [], time: ManualTime(start)))
        return HKWorkoutBuilder(healthStore: store, configuration: configuration, device: .local())
    }

    private func heartRate(_ value: Double, at seconds: Double) -> HKQuantitySample {
        HKQuantitySample(
            type: HKQuantityType(.heartRate), quantity: HKQuantity(unit: beatsPerMinute, doubleValue: value),
            start: start + seconds, end: start + seconds)
    }

    private func event(_ type: HKWorkoutEventType, at seconds: Double, for duration: Double = 0) -> HKWorkoutEvent {
        HKWorkoutEvent(
            type: type, dateInterval: DateInterval(start: start + seconds, duration: duration), metadata: nil)
    }

    @Test(arguments: [1e300, -1e300, 1e12])
    func `a date that a log cannot represent becomes the nearest possible one`(seconds: Double) async throws {
        let builder = builder()
        let far = Date(timeIntervalSinceReferenceDate: seconds)
        try await builder.beginCollection(at: min(far, start))
        let sample = HKQuantitySample(
            type: HKQuantityType(.heartRate), quantity: HKQuantity(unit: beatsPerMinute, doubleValue: 120),
            start: min(far, start), end: max(far, start))
        try await builder.addSamples([sample])
        let marker = HKWorkoutEvent(type: .marker, dateInterval: DateInterval(start: far, end: far), metadata: nil)
        try await builder.addWorkoutEvents([marker])
        let interval = builder.statistics(for: HKQuantityType(.heartRate))?.mostRecentQuantityDateInterval()
        #expect(try #require(interval).duration < 1e12)
        try await builder.endCollection(at: max(far, start))
        #expect(try await builder.finishWorkout()?.allStatistics.count == 1)
        for entry in try await builder.recorder.log.entries {
            var encoder = SessionLogEncoder()
            #expect(throws: Never.self) { try encoder.append(entry) }
        }
    }

    @Test func `a workout is built from what was added`() async throws {
        let builder = builder()
        #expect(builder.elapsedTime(at: start + 10) == 0)
        try await builder.beginCollection(at: start)
        try await builder.addSamples([heartRate(120, at: 0), heartRate(140, at: 10)])
        try await builder.addWorkoutEvents([event(.pause, at: 20), event(.resume, at: 50), event(.lap, at: 0, for: 60)])
        try await builder.addMetadata(["Shoes": "old", "Wind": 3])
        try await builder.addMetadata(["Shoes": "new"])
        #expect(builder.elapsedTime(at: start + 60) == 30)
        #expect(
            builder.statistics(for: HKQuantityType(.heartRate))?.maximumQuantity()?.doubleValue(for: beatsPerMinute)
                == 140)
        try await builder.endCollection(at: start + 100)
        let workout = try #require(try await builder.finishWorkout())
        #expect(workout.startDate == start)
        #expect(workout.endDate == start + 100)
        #expect(workout.duration == 70)
        #expect(workout.workoutActivityType == .running)
        #expect(workout.metadata?["Shoes"] as? String == "new")
        #expect(workout.workoutEvents?.map(\.type) == [.lap, .pause, .resume])
        #expect(
            workout.statistics(for: HKQuantityType(.heartRate))?.averageQuantity()?.doubleValue(for: beatsPerMinute)
                == 130)
        #expect(workout.workoutActivities.count == 1)
        #expect(builder.allStatistics.keys.map(\.identifier) == ["HKQuantityTypeIdentifierHeartRate"])
    }

    @Test func `cumulative samples add up, and types without samples have no statistics`() async throws {
        let builder = builder()
        try await builder.beginCollection(at: start)
        let distance = HKQuantityType(.distanceWalkingRunning)
        for index in 0..<3 {
            let sample = HKQuantitySample(
                type: distance, quantity: HKQuantity(unit: .meterUnit(with: .kilo), doubleValue: 0.5),
                start: start + Double(index) * 10, end: start + Double(index) * 10 + 10)
            try await builder.addSamples([sample])
        }
        #expect(builder.statistics(for: distance)?.sumQuantity()?.doubleValue(for: .meter()) == 1500)
        #expect(builder.statistics(for: distance)?.averageQuantity() == nil)
        #expect(builder.statistics(for: HKQuantityType(.heartRate)) == nil)
    }

    @Test func `activities can be described after their samples, and have their own statistics`() async throws {
        let builder = builder(.swimBikeRun)
        try await builder.beginCollection(at: start)
        try await builder.addSamples([heartRate(150, at: 10), heartRate(120, at: 110)])
        let swim = HKWorkoutConfiguration()
        swim.activityType = .swimming
        let ride = HKWorkoutConfiguration()
        ride.activityType = .cycling
        let first = HKWorkoutActivity(workoutConfiguration: swim, start: start, end: start + 100, metadata: nil)
        let second = HKWorkoutActivity(workoutConfiguration: ride, start: start + 100, end: nil, metadata: ["Gear": 3])
        try await builder.addWorkoutActivity(first)
        try await builder.addWorkoutActivity(second)
        try await builder.updateActivity(uuid: second.uuid, adding: ["Tyres": "wide"])
        try await builder.updateActivity(uuid: second.uuid, end: start + 200)
        await #expect(throws: HKError.self) { try await builder.updateActivity(uuid: UUID(), end: start + 200) }
        await #expect(throws: HKError.self) { try await builder.addWorkoutActivity(first) }
        try await builder.endCollection(at: start + 200)
        let workout = try #require(try await builder.finishWorkout())
        #expect(workout.workoutActivities.map(\.uuid) == [first.uuid, second.uuid])
        #expect(workout.workoutActivities.map(\.duration) == [100, 100])
        let rates = workout.workoutActivities.map {
            $0.statistics(for: HKQuantityType(.heartRate))?.maximumQuantity()?.doubleValue(for: beatsPerMinute)
        }
        #expect(rates == [150, 120])
        #expect(workout.workoutActivities.last?.metadata?["Tyres"] as? String == "wide")
        #expect(workout.workoutActivities.last?.metadata?["Gear"] as? Int == 3)
    }

    @Test(arguments: [HKWorkoutActivityType.other, .swimBikeRun])
    func `the total distance of several legs is the sum of theirs`(whole: HKWorkoutActivityType) async throws {
        let builder = builder(whole)
        try await builder.beginCollection(at: start)
        for (index, (activity, type)) in [
            (HKWorkoutActivityType.running, HKQuantityTypeIdentifier.distanceWalkingRunning),
            (.cycling, .distanceCycling),
        ].enumerated() {
            let (from, to) = (start + Double(index) * 100, start + Double(index) * 100 + 100)
            let configuration = HKWorkoutConfiguration()
            configuration.activityType = activity
            try await builder.addWorkoutActivity(
                HKWorkoutActivity(workoutConfiguration: configuration, start: from, end: to, metadata: nil))
            let quantity = HKQuantity(unit: .meter(), doubleValue: Double(index + 1) * 100)
            try await builder.addSamples([
                HKQuantitySample(type: HKQuantityType(type), quantity: quantity, start: from, end: to)
            ])
        }
        try await builder.endCollection(at: start + 200)
        let workout = try #require(try await builder.finishWorkout())
        #expect(workout.totalDistance?.doubleValue(for: .meter()) == 300)
    }

    enum Step: CaseIterable, Sendable { case add, events, metadata, end, finish }

    private func take(_ step: Step, _ builder: HKWorkoutBuilder) async throws {
        switch step {
        case .add: try await builder.addSamples([heartRate(100, at: 1)])
        case .events: try await builder.addWorkoutEvents([event(.marker, at: 1)])
        case .metadata: try await builder.addMetadata(["a": 1])
        case .end: try await builder.endCollection(at: start + 10)
        case .finish: _ = try await builder.finishWorkout()
        }
    }

    @Test(arguments: Step.allCases)
    func `nothing works before collection begins`(step: Step) async throws {
        let error = await #expect(throws: HKError.self) { try await take(step, builder()) }
        #expect(error?.code == .errorInvalidArgument)
    }

    @Test(arguments: Step.allCases)
    func `nothing works after the workout was discarded`(step: Step) async throws {
        let builder = builder()
        try await builder.beginCollection(at: start)
        builder.discardWorkout()
        let error = await #expect(throws: HKError.self) { try await take(step, builder) }
        #expect(error?.code == .errorInvalidArgument)
    }

    @Test(arguments: Step.allCases)
    func `nothing works after the workout was finished`(step: Step) async throws {
        let builder = builder()
        try await builder.beginCollection(at: start)
        try await builder.endCollection(at: start + 10)
        _ = try await builder.finishWorkout()
        let error = await #expect(throws: HKError.self) { try await take(step, builder) }
        #expect(error?.code == .errorInvalidArgument)
    }

    @Test func `collection begins once, and a workout needs its end`() async throws {
        let builder = builder()
        try await builder.beginCollection(at: start)
        await #expect(throws: HKError.self) { try await builder.beginCollection(at: start) }
        await #expect(throws: HKError.self) { try await builder.finishWorkout() }
        await #expect(throws: HKError.self) { try await builder.endCollection(at: start - 1) }
        #expect(builder.endDate == nil)
    }

    @Test func `early samples and empty lists are rejected, and nothing is added`() async throws {
        let builder = builder()
        try await builder.beginCollection(at: start)
        await #expect(throws: HKError.self) { try await builder.addSamples([]) }
        await #expect(throws: HKError.self) {
            try await builder.addSamples([heartRate(100, at: 5), heartRate(100, at: -5)])
        }
        #expect(builder.allStatistics.isEmpty)
    }

    @Test func `invalid metadata is rejected and changes nothing`() async throws {
        let builder = builder()
        try await builder.beginCollection(at: start)
        await #expect(throws: HKError.self) { try await builder.addMetadata(["good": 1, "bad": [1, 2]]) }
        #expect(builder.metadata.isEmpty)
    }

    @Test func `completion handlers get success and failure`() async {
        let builder = builder()
        let start = start
        let answers = await withCheckedContinuation { (done: CheckedContinuation<[Bool], Never>) in
            builder.endCollection(withEnd: start) { success, error in
                let first = success || error == nil
                builder.beginCollection(withStart: start) { success, error in
                    done.resume(returning: [first, success && error == nil])
                }
            }
        }
        #expect(answers == [false, true])
    }
}
