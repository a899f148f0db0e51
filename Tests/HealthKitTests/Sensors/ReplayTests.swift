import Analytics
import Engine
import Foundation
import HealthKit
import Recordings
import SessionLog
import Testing

/// Recordings in a session, at every speed.
@Suite struct ReplayTests {
    private static let recorded = Date(timeIntervalSinceReferenceDate: 400_000_000)

    /// Ten minutes with one heart rate a second, a pause, a lap, and a sensor that is away for a while.
    private static let entries: [SessionEntry] = {
        var entries = [
            SessionEntry(
                recorded, .header(SessionHeader(id: UUID(), activity: ActivityDescription(activity: "running")))),
            SessionEntry(recorded, .state(.running)),
            SessionEntry(recorded, .sensor(SensorStatus(id: "strap", kind: .bluetooth, presence: .present))),
        ]
        for second in 0...600 {
            let date = recorded + Double(second)
            if second == 200 { entries.append(SessionEntry(date, .state(.paused))) }
            if second == 230 { entries.append(SessionEntry(date, .state(.running))) }
            if second == 300 {
                entries.append(SessionEntry(date, .event(EventRecord(.lap, start: recorded, end: date))))
            }
            if second == 400 {
                entries.append(
                    SessionEntry(date, .sensor(SensorStatus(id: "strap", kind: .bluetooth, presence: .away))))
            }
            if second == 410 {
                entries.append(
                    SessionEntry(date, .sensor(SensorStatus(id: "strap", kind: .bluetooth, presence: .present))))
            }
            if (201..<230).contains(second) || (400..<410).contains(second) { continue }
            entries.append(
                SessionEntry(
                    date,
                    .quantity(
                        QuantityReading(
                            "heartRate", Double(100 + second % 60), unit: "count/min", start: date, end: date,
                            sensor: "strap"))))
            entries.append(
                SessionEntry(
                    date, .beats(BeatReading(intervalsInMilliseconds: [Double(500 + second % 7)], sensor: "strap"))))
        }
        entries.append(SessionEntry(recorded + 600, .state(.stopped)))
        return entries
    }()

    private func run(speed: Double, keepsDates: Bool = false) async throws -> (TestSession, HKWorkout) {
        let sensor = ReplaySensor(
            ReplayedWorkout(Self.entries, start: Self.recorded), speed: speed, start: keepsDates ? Self.recorded : nil)
        let test = TestSession(sensors: [sensor])
        let now = test.time.now()
        test.session.startActivity(with: now)
        try await test.builder.beginCollection(at: now)
        await test.diary.waitUntil(.stopped)
        test.time.advance(by: 0.01)
        try await test.builder.endCollection(at: test.time.now())
        return (test, try #require(try await test.builder.finishWorkout()))
    }

    @Test(arguments: [1, 60, .infinity])
    func `a replay gives the same workout at every speed`(speed: Double) async throws {
        let (test, workout) = try await run(speed: speed)
        #expect(workout.startDate == Date(timeIntervalSinceReferenceDate: 800_000_000))
        #expect(workout.endDate == workout.startDate + 600)
        #expect(workout.duration == 570)
        let heartRate = try #require(workout.statistics(for: HKQuantityType(.heartRate)))
        #expect(heartRate.total.count == 562)
        #expect(heartRate.total.minimum == 100)
        #expect(heartRate.total.maximum == 159)
        #expect(heartRate.total.weightedSeconds == 600 - 30 - 10)
        #expect(workout.workoutEvents?.map(\.type) == [.lap, .pause, .resume])
        #expect(test.session.recorder.state.beats.count == 562)
    }

    @Test func `a replay that keeps its dates has the recorded dates`() async throws {
        let (_, workout) = try await run(speed: .infinity, keepsDates: true)
        #expect(workout.startDate == Self.recorded)
        #expect(workout.endDate == Self.recorded + 600)
        #expect(workout.duration == 570)
    }

    /// The end of the recorded pause also ends this one, at 230 s.
    @Test(arguments: [1, 60, .infinity])
    func `the recorded start does not end a pause that begins before it arrives`(speed: Double) async throws {
        let test = TestSession(sensors: [
            ReplaySensor(ReplayedWorkout(Self.entries, start: Self.recorded), speed: speed)
        ])
        let now = test.time.now()
        test.session.recorder.enqueue { recorder in
            recorder.start(at: now)
            recorder.pause()
        }
        try await test.builder.beginCollection(at: now)
        await test.diary.waitUntil(.stopped)
        #expect(test.diary.states.prefix(4) == [.running, .paused, .running, .stopped])
        #expect(test.session.recorder.state.pauses.map(\.start) == [now])
        #expect(test.session.recorder.state.pauses.map(\.end) == [now + 230])
    }

    @Test(arguments: [0.5, 1, 60, .infinity])
    func `a recording that an app replays is never ahead of the clock`(speed: Double) async throws {
        let time = ManualTime()
        let recording = Recording(entries: Self.entries, file: RecordingSummary(format: "jsonl"))
        let sensor = try ReplaySensor(recording.replayed, ReplayOptions(speed: speed), now: time.now())
        let test = TestSession(sensors: [sensor], time: time)
        let begin = time.now()
        test.session.startActivity(with: begin)
        try await test.builder.beginCollection(at: time.now())
        await test.diary.waitUntil(.stopped)
        let end = try #require(test.session.endDate)
        #expect(end <= time.now() && time.now().timeIntervalSince(end) < (speed > 1 ? 3 : 700))
        #expect(test.session.startDate == end - 600)
        if speed <= 1 { #expect(test.session.startDate == begin) }
        try await test.builder.endCollection(at: time.now())
        let workout = try #require(try await test.builder.finishWorkout())
        #expect(abs(workout.duration - 570) < 0.001)
        #expect(workout.endDate == end)
    }

    @Test func `the wearer is the recording's, unless this machine's is requested`() async throws {
        let (theirs, mine) = (WearerProfile(restingHeartRate: 50), WearerProfile(restingHeartRate: 70))
        let file = FileManager.default.temporaryDirectory.appending(path: "worn-\(UUID()).jsonl")
        defer { try? FileManager.default.removeItem(at: file) }
        func write(_ entries: [SessionEntry]) throws {
            try? FileManager.default.removeItem(at: file)
            var writer = try SessionLogWriter(file)
            for entry in entries { try writer.append(entry) }
            try writer.close()
        }
        func wearer(_ specification: SensorSpecification) throws -> WearerProfile? {
            var environment = HealthEnvironment(sensors: [specification])
            var profile = StoredProfile()
            profile.restingHeartRate = 70
            environment.configuredProfile = profile
            let configuration = HKWorkoutConfiguration()
            configuration.activityType = .running
            let session = try HKWorkoutSession(
                healthStore: HKHealthStore(environment: environment), configuration: configuration)
            return session.recorder.state.wearer
        }
        try write(Self.entries)
        #expect(try wearer(.replay(file)) == nil)
        #expect(try wearer(.replay(file, wearer: .profile)) == mine)
        try write([Self.entries[0], SessionEntry(Self.recorded, .wearer(theirs))] + Self.entries.dropFirst())
        #expect(try wearer(.replay(file)) == theirs)
        #expect(try wearer(.replay(file, wearer: .profile)) == mine)
        #expect(try wearer(.simulate())?.massInKilograms == 62)
    }

    @Test func `an app that waits for the end of the session gets its workout too`() async throws {
        let sensor = ReplaySensor(ReplayedWorkout(Self.entries, start: Self.recorded), speed: .infinity)
        let test = TestSession(sensors: [sensor])
        test.session.startActivity(with: test.time.now())
        try await test.builder.beginCollection(at: test.time.now())
        await test.diary.waitUntil(.ended)
        #expect(test.diary.states == [.running, .paused, .running, .stopped, .ended])
    }

    @Test func `an app that finishes when stopped ends the session itself`() async throws {
        let (test, _) = try await run(speed: .infinity)
        test.session.end()
        await test.settle()
        #expect(test.diary.states.last == .ended)
        #expect(test.diary.states.filter { $0 == .ended }.count == 1)
    }

    @Test func `collection that begins before the session waits for it`() async throws {
        let sensor = ReplaySensor(ReplayedWorkout(Self.entries, start: Self.recorded), speed: .infinity)
        let test = TestSession(sensors: [sensor])
        try await test.builder.beginCollection(at: test.time.now())
        #expect(test.builder.allStatistics.isEmpty)
        test.session.startActivity(with: test.time.now())
        await test.diary.waitUntil(.stopped)
        #expect(test.builder.statistics(for: HKQuantityType(.heartRate))?.total.count == 562)
    }

    @Test func `pausing in a callback takes effect before the next reading, at any speed`() async throws {
        final class PausesAtFirst: NSObject, HKLiveWorkoutBuilderDelegate {
            func workoutBuilder(_ builder: HKLiveWorkoutBuilder, didCollectDataOf types: Set<HKSampleType>) {
                builder.workoutSession?.pause()
            }
            func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {}
        }
        let sensor = ReplaySensor(ReplayedWorkout(Self.entries, start: Self.recorded), speed: .infinity)
        let test = TestSession(sensors: [sensor])
        let pauses = PausesAtFirst()
        test.builder.delegate = pauses
        test.session.startActivity(with: test.time.now())
        try await test.builder.beginCollection(at: test.time.now())
        await test.diary.waitUntil(.stopped)
        // One notice, and another after the recording has continued past its own pause.
        #expect(test.diary.states.prefix(5) == [.running, .paused, .running, .paused, .stopped])
        #expect(test.builder.statistics(for: HKQuantityType(.heartRate))?.total.count == 2)
    }

    @Test func `types that the app did not enable are not collected`() async throws {
        let sensor = ReplaySensor(ReplayedWorkout(Self.entries, start: Self.recorded), speed: .infinity)
        let test = TestSession(sensors: [sensor])
        test.builder.dataSource?.disableCollection(for: HKQuantityType(.heartRate))
        test.session.startActivity(with: test.time.now())
        try await test.builder.beginCollection(at: test.time.now())
        await test.diary.waitUntil(.stopped)
        #expect(test.builder.allStatistics.isEmpty)
    }

    @Test func `energy is estimated if the wearer is known, and absent otherwise`() async throws {
        let wearer = WearerProfile(sex: .male, ageInYears: 35, massInKilograms: 80)
        let sensor = ReplaySensor(ReplayedWorkout(Self.entries, start: Self.recorded), speed: .infinity)
        let test = TestSession(sensors: [sensor], wearer: wearer)
        test.session.startActivity(with: test.time.now())
        try await test.builder.beginCollection(at: test.time.now())
        await test.diary.waitUntil(.stopped)
        let active = test.builder.statistics(for: HKQuantityType(.activeEnergyBurned))?.sumQuantity()
        let basal = test.builder.statistics(for: HKQuantityType(.basalEnergyBurned))?.sumQuantity()
        // 560 s with a heart rate; 80 kcal an hour at rest; at the mean of about 129 bpm, Keytel's formula gives 11.8
        // kcal a minute.
        #expect(abs((basal?.doubleValue(for: .kilocalorie()) ?? 0) - 80.0 * 560 / 3600) < 0.5)
        #expect((95...110).contains(active?.doubleValue(for: .kilocalorie()) ?? 0))

        let (unknown, _) = try await run(speed: .infinity)
        #expect(unknown.builder.statistics(for: HKQuantityType(.activeEnergyBurned)) == nil)
    }
}
