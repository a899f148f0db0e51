import Engine
import Foundation
import HealthKit
import SessionLog
import Synchronization
import Testing

/// A session after its app has crashed.
///
/// Apple: `HKHealthStore.recoverActiveWorkoutSession(completion:)`, and "Running workout sessions"
/// (developer.apple.com/documentation/healthkit/workouts_and_activity_rings/running_workout_sessions): the app gets the session in its
/// former state, sets the data source and the delegates again, and goes on.
@Suite struct RecoveredSessionTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("recovered-\(UUID())")
    private let database = SQLiteHealthDatabase(.memory)
    private static let heartRate = HKQuantityType(.heartRate)

    private func environment(_ name: String, _ sensors: [SensorSpecification]) -> HealthEnvironment {
        var environment = HealthEnvironment(
            sensors: sensors, time: ManualTime(TestSession.start + 2000), database: database)
        environment.journalFolder = folder.appendingPathComponent(name)
        return environment
    }

    private func start(_ store: HKHealthStore, _ diary: SessionDiary) async throws -> HKWorkoutSession {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        let session = try HKWorkoutSession(healthStore: store, configuration: configuration)
        follow(session, store, diary)
        let now = store.environment.time.now()
        session.startActivity(with: now)
        try await session.associatedWorkoutBuilder().beginCollection(at: now)
        return session
    }

    /// Acts as an app that created a session or recovered it.
    private func follow(_ session: HKWorkoutSession, _ store: HKHealthStore, _ diary: SessionDiary) {
        session.delegate = diary
        let builder = session.associatedWorkoutBuilder()
        builder.delegate = diary
        builder.dataSource = HKLiveWorkoutDataSource(
            healthStore: store, workoutConfiguration: session.workoutConfiguration)
    }

    private func finish(_ session: HKWorkoutSession) async throws -> HKWorkout {
        let builder = session.associatedWorkoutBuilder()
        _ = await session.recorder.log
        try await builder.endCollection(at: try #require(session.endDate))
        return try #require(try await builder.finishWorkout())
    }

    /// The journal of a session as a crash leaves it: the first part of the complete one.
    private func crashed(_ environment: HealthEnvironment, part: Double, as name: String) throws {
        let running = try #require(environment.journalFolder)
        let journal = try #require(SessionJournal.left(in: running).first)
        let left = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
        let data = try Data(contentsOf: journal)
        try data.prefix(Int(Double(data.count) * part)).write(
            to: left.appendingPathComponent(journal.lastPathComponent))
    }

    private func recording() throws -> URL {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("recording.jsonl")
        let recorded = Date(timeIntervalSinceReferenceDate: 400_000_000)
        var writer = try SessionLogWriter(file)
        let header = SessionHeader(id: UUID(), activity: ActivityDescription(activity: "running"))
        try writer.append(SessionEntry(recorded, .header(header)))
        try writer.append(SessionEntry(recorded, .state(.running)))
        try writer.append(
            SessionEntry(recorded, .sensor(SensorStatus(id: "strap", kind: .bluetooth, presence: .present))))
        for second in 0...300 {
            let date = recorded + Double(second)
            if second == 250 { try writer.append(SessionEntry(date, .state(.paused))) }
            if second == 260 { try writer.append(SessionEntry(date, .state(.running))) }
            try writer.append(
                SessionEntry(date, .quantity(.heartRate(Double(100 + second % 50), at: date, sensor: "strap"))))
        }
        try writer.append(SessionEntry(recorded + 300, .state(.stopped)))
        try writer.close()
        return file
    }

    @Test(arguments: [1, 60, Double.infinity])
    func `a recovered replay continues where it was`(speed: Double) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let sensors = [SensorSpecification.replay(try recording(), speed: speed)]
        try await expectToGoOn(sensors)
    }

    @Test func `a recovered simulation continues where it was`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await expectToGoOn([.simulate(seed: 3, speed: .infinity, durationInSeconds: 300)])
    }

    private func expectToGoOn(_ sensors: [SensorSpecification]) async throws {
        let first = environment("live", sensors)
        let diary = SessionDiary()
        let whole = try await start(HKHealthStore(environment: first), diary)
        await diary.waitUntil(.stopped)
        _ = await whole.recorder.log
        try crashed(first, part: 0.4, as: "crashed")
        let expected = try await finish(whole)

        // The store of another machine: the workout is finished in this one.
        var second = environment("crashed", sensors)
        second.database = SQLiteHealthDatabase(.memory)
        let store = HKHealthStore(environment: second)
        let offered = try await store.recoverActiveWorkoutSession()
        let session = try #require(offered)
        #expect(session.recorder.id == whole.recorder.id)
        #expect(session.state == .running)
        let before = session.associatedWorkoutBuilder().statistics(for: Self.heartRate)?.total.count ?? 0
        let again = SessionDiary()
        follow(session, store, again)
        await again.waitUntil(.stopped)
        let workout = try await finish(session)
        let (all, got) = (expected.statistics(for: Self.heartRate), workout.statistics(for: Self.heartRate))
        let count = try #require(got?.total.count)
        #expect(before > 0 && before < count)
        #expect(count == all?.total.count)
        #expect(got?.total.sum == all?.total.sum)
        #expect(workout.startDate == expected.startDate)
        #expect(workout.endDate == expected.endDate)
        #expect(workout.duration == expected.duration)
        let (one, other) = (
            try await TestSession.heartRates(in: store),
            try await TestSession.heartRates(in: HKHealthStore(environment: first))
        )
        #expect(one.map(\.startDate) == other.map(\.startDate))
        #expect(one.rates == other.rates)
    }

    @Test func `a recovered session without its sensors can be finished`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = environment("live", [.replay(try recording(), speed: .infinity)])
        let diary = SessionDiary()
        let killed = try await start(HKHealthStore(environment: first), diary)
        await diary.waitUntil(.stopped)
        try crashed(first, part: 0.4, as: "crashed")
        killed.end()

        var second = environment("crashed", [.replay(folder.appendingPathComponent("gone.jsonl"))])
        let told = Mutex<[String]>([])
        second.notices = AppNotices { line in told.withLock { $0.append(line) } }
        let store = HKHealthStore(environment: second)
        let offered = try await store.recoverActiveWorkoutSession()
        let session = try #require(offered)
        follow(session, store, SessionDiary())
        #expect(session.state == .running)
        #expect(told.withLock { $0.first?.contains("gone.jsonl") == true })
        session.stopActivity(with: nil)
        let workout = try await finish(session)
        #expect(workout.statistics(for: Self.heartRate)?.total.count ?? 0 > 0)
    }

    @Test func `samples that were in the store before the crash are stored once`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let sensors = [SensorSpecification.replay(try recording(), speed: .infinity)]
        let first = environment("live", sensors)
        let diary = SessionDiary()
        let store = HKHealthStore(environment: first)
        let killed = try await start(store, diary)
        await diary.waitUntil(.stopped)
        let seen = try await TestSession.heartRates(in: store)
        #expect(!seen.isEmpty)
        try crashed(first, part: 1, as: "crashed")
        killed.end()

        // The same store, in the next process.
        let next = HKHealthStore(environment: environment("crashed", []))
        let offered = try await next.recoverActiveWorkoutSession()
        let session = try #require(offered)
        #expect(try await TestSession.heartRates(in: next).map(\.uuid) == seen.map(\.uuid))
        let workout = try await finish(session)
        #expect(
            try await TestSession.heartRates(in: next, HKQuery.predicateForObjects(from: workout)).map(\.uuid)
                == seen.map(\.uuid))
        #expect(try database.checkIntegrity() == [])
    }
}
