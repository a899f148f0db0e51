import Analytics
import Engine
import Foundation
import HealthKit
import SessionLog
import Synchronization
import Testing

@Suite struct HKWorkoutSessionTests {
    enum Call: CaseIterable, Sendable { case prepare, start, pause, resume, stop, end }

    private func make(_ call: Call, on session: HKWorkoutSession) {
        switch call {
        case .prepare: session.prepare()
        case .start: session.startActivity(with: nil)
        case .pause: session.pause()
        case .resume: session.resume()
        case .stop: session.stopActivity(with: nil)
        case .end: session.end()
        }
    }

    private static let ways: [HKWorkoutSessionState: [Call]] = [
        .notStarted: [], .prepared: [.prepare], .running: [.start], .paused: [.start, .pause],
        .stopped: [.start, .stop], .ended: [.start, .end],
    ]

    private static let legal: [HKWorkoutSessionState: [Call: HKWorkoutSessionState]] = [
        .notStarted: [.prepare: .prepared, .start: .running, .end: .ended],
        .prepared: [.start: .running, .end: .ended],
        .running: [.pause: .paused, .stop: .stopped, .end: .ended],
        .paused: [.resume: .running, .stop: .stopped, .end: .ended],
        .stopped: [.end: .ended],
        .ended: [:],
    ]

    @Test(arguments: [HKWorkoutSessionState.notStarted, .prepared, .running, .paused, .stopped, .ended], Call.allCases)
    func `every call in every state follows the table`(
        state: HKWorkoutSessionState, call: Call
    ) async throws {
        let test = TestSession()
        for step in try #require(Self.ways[state]) { make(step, on: test.session) }
        await test.settle()
        #expect(test.session.state == state)
        let before = test.diary.notes.count

        make(call, on: test.session)
        await test.settle()
        let expected = Self.legal[state]?[call]
        #expect(test.session.state == expected ?? state)
        if expected == nil {
            let heard = Array(test.diary.notes.dropFirst(before))
            #expect(heard.isEmpty || heard == [.failed(.errorInvalidArgument)])
        }
    }

    /// A session without a store cannot throw (Apple's `init(activityType:locationType:)`).
    @Test func `a session that an old initializer cannot create reports it when it begins`() async throws {
        var environment = HealthEnvironment(sensors: [])
        environment.sensors = .failure(HKError.make(.errorInvalidArgument, "there is no such recording"))
        let store = HKHealthStore(environment: environment)
        let session = HKWorkoutSession(healthStore: store, activityType: .rowing, locationType: .indoor)
        #expect(session.workoutConfiguration.activityType == .rowing)
        #expect(session.workoutConfiguration.locationType == .indoor)
        let diary = SessionDiary()
        session.delegate = diary
        store.start(session)
        _ = await session.recorder.log
        #expect(diary.notes == [.failed(.errorInvalidArgument)])
        #expect(session.state == .notStarted && session.startDate == nil)
    }

    /// Apple's documentation of `stopActivity(with:)`: it sets the end date.
    @Test func `the end date is that of the stop, or of the end without a stop`() async throws {
        let stopped = TestSession()
        let start = stopped.time.now()
        stopped.session.startActivity(with: start)
        #expect(stopped.session.endDate == nil)
        stopped.time.advance(by: 30)
        stopped.session.stopActivity(with: start + 20)
        await stopped.settle()
        #expect(stopped.session.state == .stopped && stopped.session.endDate == start + 20)
        stopped.session.end()
        await stopped.settle()
        #expect(stopped.session.endDate == start + 20)

        let ended = TestSession()
        ended.session.startActivity(with: start)
        await ended.settle()
        ended.time.advance(by: 40)
        ended.session.end()
        await ended.settle()
        #expect(ended.session.endDate == start + 40)

        let never = TestSession()
        never.session.end()
        await never.settle()
        #expect(never.session.state == .ended && never.session.endDate == nil)
    }

    @Test func `delegates are called in the order of the log`() async throws {
        let test = TestSession()
        let start = test.time.now()
        test.session.prepare()
        test.session.startActivity(with: start)
        test.builder.beginCollection(withStart: start) { _, _ in }
        await test.settle()
        test.time.advance(by: 10)
        test.session.pause()
        await test.settle()
        test.time.advance(by: 5)
        test.session.resume()
        await test.settle()
        test.time.advance(by: 5)
        test.session.stopActivity(with: test.time.now())
        test.session.end()
        await test.settle()
        #expect(
            test.diary.notes == [
                .changed(.prepared, from: .notStarted, start),
                .changed(.running, from: .prepared, start),
                .changed(.paused, from: .running, start + 10), .event(.pause, start + 10), .builderEvent,
                .changed(.running, from: .paused, start + 15), .event(.resume, start + 15), .builderEvent,
                .changed(.stopped, from: .running, start + 20),
                .changed(.ended, from: .stopped, start + 20),
            ])
        #expect(test.session.startDate == start)
        #expect(test.session.endDate == start + 20)
        #expect(test.builder.elapsedTime == 15)
    }

    /// A batch that the sensor already has is read without suspension, but not before the app's earlier calls.
    @Test func `a pause comes before readings that arrive after it`() async throws {
        let sensor = PausingSensor()
        let test = TestSession(sensors: [sensor])
        sensor.session.withLock { $0 = test.session }
        test.session.startActivity(with: test.time.now())
        test.builder.beginCollection(withStart: test.time.now()) { _, _ in }
        await test.diary.waitUntil(.paused)
        await test.settle()
        #expect(test.builder.statistics(for: HKQuantityType(.heartRate))?.total.count == 1)
        #expect(
            test.diary.notes.dropFirst() == [
                .collected([HKQuantityTypeIdentifier.heartRate.rawValue]),
                .changed(.paused, from: .running, test.time.now()), .event(.pause, test.time.now()), .builderEvent,
            ])
    }

    /// A sensor with two heart rates. The app pauses the session before the second one arrives.
    private final class PausingSensor: Sensor {
        let pace = SessionTimeline.Pace.wall
        let fixedStart: Date? = nil
        let session = Mutex<HKWorkoutSession?>(nil)

        func batches(from start: Date, time: any TimeSource) -> Batches { Batches(sensor: self, start: start) }

        struct Batches: AsyncSequence, AsyncIteratorProtocol {
            let sensor: PausingSensor
            let start: Date
            var count = 0

            func makeAsyncIterator() -> Batches { self }

            mutating func next(isolation actor: isolated (any Actor)?) async throws -> [SessionEntry]? {
                count += 1
                if count == 2 { sensor.session.withLock { $0.take()?.pause() } }
                let date = start + Double(count - 1)
                let rate = QuantityReading.heartRate(100 + Double(count), at: date, sensor: nil)
                return count > 2 ? nil : [SessionEntry(date, .quantity(rate))]
            }

            mutating func next() async throws -> [SessionEntry]? { try await next(isolation: nil) }
        }
    }

    @Test func `a delegate without the optional methods works`() async {
        final class Plain: NSObject, HKWorkoutSessionDelegate {
            func workoutSession(
                _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
                from fromState: HKWorkoutSessionState, date: Date
            ) {}
            func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error) {}
        }
        let test = TestSession()
        let plain = Plain()
        test.session.delegate = plain
        test.session.startActivity(with: nil)
        test.session.pause()
        await test.settle()
        #expect(test.session.state == .paused)
    }

    @Test func `a change cannot be dated before the last one`() async {
        let test = TestSession()
        let start = test.time.now()
        test.session.startActivity(with: start)
        await test.settle()
        test.time.advance(by: 20)
        test.session.pause()
        await test.settle()
        test.session.stopActivity(with: start + 5)
        await test.settle()
        #expect(test.session.endDate == start + 20)
    }

    // MARK: Activities

    private func configuration(_ activity: HKWorkoutActivityType) -> HKWorkoutConfiguration {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = activity
        return configuration
    }

    @Test func `a triathlon has activities with their own statistics`() async throws {
        let test = TestSession(.swimBikeRun)
        let start = test.time.now()
        test.session.startActivity(with: start)
        test.builder.beginCollection(withStart: start) { _, _ in }
        test.session.beginNewActivity(configuration: configuration(.swimming), date: start, metadata: ["Lake": "cold"])
        await test.settle()
        await test.collect([test.heartRate(150, at: start + 10)])
        test.time.advance(by: 100)
        test.session.beginNewActivity(configuration: configuration(.cycling), date: start + 100, metadata: nil)
        await test.settle()
        await test.collect([test.heartRate(130, at: start + 110)])
        #expect(test.session.currentActivity.workoutConfiguration.activityType == .cycling)
        #expect(test.builder.currentWorkoutActivity?.startDate == start + 100)
        test.session.endCurrentActivity(on: start + 200)
        await test.settle()
        #expect(test.builder.currentWorkoutActivity == nil)
        #expect(test.session.currentActivity.workoutConfiguration.activityType == .swimBikeRun)

        let parts = test.builder.workoutActivities
        #expect(parts.map(\.workoutConfiguration.activityType) == [.swimming, .cycling])
        #expect(parts.first?.metadata?["Lake"] as? String == "cold")
        #expect(parts.first?.endDate == start + 100)
        let swim = try #require(parts.first?.statistics(for: HKQuantityType(.heartRate)))
        #expect(swim.maximumQuantity()?.doubleValue(for: HKUnit(from: "count/min")) == 150)
        #expect(
            test.diary.notes.filter { if case .collected = $0 { false } else { true } } == [
                .changed(.running, from: .notStarted, start),
                .began(.swimming, start), .builderBegan(.swimming),
                .ended(.swimming, start + 100), .builderEnded(.swimming),
                .began(.cycling, start + 100), .builderBegan(.cycling),
                .ended(.cycling, start + 200), .builderEnded(.cycling),
            ])
    }

    @Test func `a run cannot contain a ride`() async {
        let test = TestSession(.running)
        test.session.startActivity(with: nil)
        test.session.beginNewActivity(configuration: configuration(.cycling), date: test.time.now(), metadata: nil)
        await test.settle()
        #expect(test.diary.notes.last == .failed(.errorWorkoutActivityNotAllowed))
        #expect(test.builder.workoutActivities.isEmpty)
    }

    @Test func `an activity cannot begin before the session`() async {
        let test = TestSession(.running)
        test.session.beginNewActivity(configuration: configuration(.running), date: test.time.now(), metadata: nil)
        await test.settle()
        #expect(test.diary.notes == [.failed(.errorInvalidArgument)])
    }

    @Test func `a second session ends the first one, which gets the reason before it ends`() async throws {
        let first = TestSession()
        first.session.startActivity(with: nil)
        await first.settle()
        let second = HKWorkoutSession(
            healthStore: first.store, recorder: WorkoutRecorder(configuration: ActivityDescription(), time: first.time))
        second.startActivity(with: nil)
        await withCheckedContinuation { done in second.recorder.enqueue { _ in done.resume() } }
        await first.settle()
        #expect(second.state == .running)
        let now = first.time.now()
        #expect(
            first.diary.notes.suffix(2) == [
                .failed(.errorAnotherWorkoutSessionStarted), .changed(.ended, from: .running, now),
            ])
    }

    @Test func `a reading makes one hop, onto the session's queue`() async throws {
        let test = TestSession()
        let start = test.time.now()
        test.session.startActivity(with: start)
        test.builder.beginCollection(withStart: start) { _, _ in }
        let heartRate = test.heartRate(140, at: start + 1)
        let counts = await withCheckedContinuation { (done: CheckedContinuation<[Int], Never>) in
            test.session.recorder.enqueue { recorder in
                let before = test.diary.notes.count
                recorder.collect([heartRate])
                // Without a hop between: statistics and delegate get it in the same job.
                let count = test.builder.statistics(for: HKQuantityType(.heartRate))?.total.count
                done.resume(returning: [count ?? 0, test.diary.notes.count - before])
            }
        }
        #expect(counts == [1, 1])
    }

    @Test func `a reading that ends before it starts, after the clock was set back, is left out`() async throws {
        let test = TestSession()
        let start = test.time.now()
        test.session.startActivity(with: start)
        try await test.builder.beginCollection(at: start)
        await test.collect([
            SessionEntry(
                start + 1,
                .quantity(QuantityReading("heartRate", 100, unit: "count/min", start: start + 2, end: start + 1))),
            test.heartRate(120, at: start + 3),
        ])
        let statistics = try #require(test.builder.statistics(for: HKQuantityType(.heartRate)))
        #expect(statistics.total.count == 1)
        #expect(statistics.mostRecentQuantityDateInterval() == DateInterval(start: start + 3, duration: 0))
        let log = try await test.session.recorder.log.entries
        #expect(log.count { if case .quantity = $0.content { true } else { false } } == 1)
    }

    @Test func `calls in any order never crash and end in a valid state`() async throws {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<100 {
            let test = TestSession(.swimBikeRun)
            for _ in 0..<30 {
                if Bool.random(using: &generator) {
                    test.time.advance(by: Double.random(in: 0...100, using: &generator))
                }
                let date = test.time.now().addingTimeInterval(Double.random(in: -50...50, using: &generator))
                switch Int.random(in: 0..<16, using: &generator) {
                case 0..<6: make(Call.allCases.randomElement(using: &generator) ?? .end, on: test.session)
                case 6: test.session.stopActivity(with: date)
                case 7: test.session.beginNewActivity(configuration: configuration(.running), date: date, metadata: nil)
                case 8: test.session.endCurrentActivity(on: date)
                case 9: test.builder.beginCollection(withStart: date) { _, _ in }
                case 10: test.builder.endCollection(withEnd: date) { _, _ in }
                case 11: test.builder.finishWorkout { _, _ in }
                case 12: test.builder.discardWorkout()
                case 13: test.builder.addMetadata(["a": 1]) { _, _ in }
                case 14: await test.collect([test.heartRate(100, at: date)])
                default:
                    test.builder.addWorkoutEvents(
                        [
                            HKWorkoutEvent(
                                type: .pause, dateInterval: DateInterval(start: date, duration: 0), metadata: nil)
                        ]
                    ) { _, _ in }
                }
            }
            await test.settle()
            #expect(test.builder.elapsedTime >= 0)
            var again = SessionState()
            for entry in try await test.session.recorder.log.entries { again.apply(entry) }
            #expect(again == test.session.recorder.state)
        }
    }
}
