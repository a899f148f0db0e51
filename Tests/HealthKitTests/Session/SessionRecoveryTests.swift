import CoreLocation
import Engine
import Foundation
import HealthKit
import SessionLog
import Testing

/// Recovery from a copy of the journal that was made while the session ran.
@Suite struct SessionRecoveryTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("recovery-\(UUID())")
    private let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

    private func environment(_ name: String) -> HealthEnvironment {
        var environment = HealthEnvironment(sensors: [], time: ManualTime(start + 100))
        environment.journalFolder = folder.appendingPathComponent(name)
        return environment
    }

    private func heartRate(_ value: Double, at seconds: Double) -> SessionEntry {
        let date = start + seconds
        return SessionEntry(
            date, .quantity(QuantityReading("heartRate", value, unit: "count/min", start: date, end: date, sensor: "s"))
        )
    }

    /// A session that runs, is paused, and has a lap. Returns its journal while it is running.
    private func live(in environment: HealthEnvironment) async throws -> (HKWorkoutSession, URL) {
        let store = HKHealthStore(environment: environment)
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        let session = try HKWorkoutSession(healthStore: store, configuration: configuration)
        let builder = session.associatedWorkoutBuilder()
        builder.dataSource = HKLiveWorkoutDataSource(healthStore: store, workoutConfiguration: configuration)
        session.startActivity(with: start)
        try await builder.beginCollection(at: start)
        await session.recorder.collect([
            SessionEntry(start, .sensor(SensorStatus(id: "s", kind: .bluetooth, presence: .present)))
        ])
        for second in 1...60 { await session.recorder.collect([heartRate(Double(100 + second), at: Double(second))]) }
        try await builder.addMetadata(["Shoes": "old"])
        session.pause()
        _ = await session.recorder.log
        let folder = try #require(environment.journalFolder)
        return (session, try #require(SessionJournal.left(in: folder).first))
    }

    private func crashed(_ journal: URL, as name: String, cutTo bytes: Int? = nil) throws -> HealthEnvironment {
        let environment = environment(name)
        let left = try #require(environment.journalFolder)
        try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
        let data = try Data(contentsOf: journal)
        try data.prefix(bytes ?? data.count).write(to: left.appendingPathComponent(journal.lastPathComponent))
        return environment
    }

    @Test func `a killed session is recovered with everything acknowledged`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (session, journal) = try await live(in: environment("live"))
        let store = HKHealthStore(environment: try crashed(journal, as: "crashed"))
        let offered = try await store.recoverActiveWorkoutSession()
        let recovered = try #require(offered)
        #expect(recovered.recorder.id == session.recorder.id)
        #expect(recovered.state == .paused)
        #expect(recovered.startDate == start)
        let builder = recovered.associatedWorkoutBuilder()
        #expect(builder.statistics(for: HKQuantityType(.heartRate))?.total.count == 60)
        #expect(builder.metadata["Shoes"] as? String == "old")

        recovered.resume()
        recovered.stopActivity(with: start + 200)
        _ = await recovered.recorder.log
        try await builder.endCollection(at: start + 200)
        let finished = try await builder.finishWorkout()
        let workout = try #require(finished)
        #expect(workout.uuid == session.recorder.id)
        #expect(workout.statistics(for: HKQuantityType(.heartRate))?.total.count == 60)
        #expect(try await store.recoverActiveWorkoutSession() == nil)
        let folder = try #require(store.environment.journalFolder)
        #expect(SessionJournal.left(in: folder).isEmpty)
    }

    @Test func `a recovered log continues with the loss of its sensors, and an ended one stays unchanged`()
        async
        throws
    {
        let running: [SessionEntry] = [
            SessionEntry(start, .header(SessionHeader(id: UUID(), activity: ActivityDescription()))),
            SessionEntry(start, .sensor(SensorStatus(id: "s", kind: .bluetooth, presence: .present))),
            SessionEntry(start, .state(.running)),
        ]
        let away = SessionEntry(start, .sensor(SensorStatus(id: "s", kind: .bluetooth, presence: .away)))
        func resumed(_ entries: [SessionEntry]) async throws -> [SessionEntry] {
            let log = LiveSessionLog()
            for entry in entries { log.append(entry) }
            return try await WorkoutRecorder(resuming: log, SessionState(entries)).log.entries
        }
        #expect(try await resumed(running) == running + [away])
        let stopped = running + [SessionEntry(start + 1, .state(.stopped))]
        #expect(try await resumed(stopped).count == stopped.count + 1)
        let ended = stopped + [SessionEntry(start + 2, .state(.ended))]
        #expect(try await resumed(ended) == ended)
    }

    @Test func `a live session is not recovered`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let environment = environment("live")
        let (session, _) = try await live(in: environment)
        #expect(try await HKHealthStore(environment: environment).recoverActiveWorkoutSession() == nil)
        #expect(session.state == .paused)
    }

    @Test func `a journal truncated anywhere gives a session that can be finished, or none`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (_, journal) = try await live(in: environment("live"))
        let size = try Data(contentsOf: journal).count
        for cut in stride(from: 0, through: size, by: 97) {
            let store = HKHealthStore(environment: try crashed(journal, as: "cut\(cut)", cutTo: cut))
            guard let recovered = try? await store.recoverActiveWorkoutSession() else { continue }
            let builder = recovered.associatedWorkoutBuilder()
            recovered.stopActivity(with: start + 100)
            _ = await recovered.recorder.log
            guard builder.startDate != nil else { continue }
            try await builder.endCollection(at: start + 100)
            let workout = try await builder.finishWorkout()
            #expect(workout?.endDate == start + 100)
        }
    }

    @Test func `a workout saved before the crash is not offered again`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (session, journal) = try await live(in: environment("live"))
        let crashed = try crashed(journal, as: "crashed")
        let store = HKHealthStore(environment: crashed)
        let workout = try HKWorkout.validated(
            ObjectIdentity(uuid: session.recorder.id), configuration: HKWorkoutConfiguration(), start: start,
            end: start + 60)
        try await store.save(workout)
        #expect(try await store.recoverActiveWorkoutSession() == nil)
        let left = try #require(crashed.journalFolder)
        #expect(SessionJournal.left(in: left).isEmpty)
    }

    @Test func `a route discarded before the crash is not saved, but sensor readings are`()
        async throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (session, journal) = try await live(in: environment("live"))
        session.resume()
        let builder = session.associatedWorkoutBuilder()
        let route = try #require(builder.seriesBuilder(for: .workoutRoute()) as? HKWorkoutRouteBuilder)
        try await route.insertRouteData([CLLocation(latitude: 1, longitude: 2), CLLocation(latitude: 1, longitude: 3)])
        await session.recorder.collect([
            SessionEntry(start + 90, .position(PositionReading(latitudeInDegrees: 5, longitudeInDegrees: 6)))
        ])
        route.discard()
        #expect(try await session.recorder.log.entries.last?.content == .routeDiscarded)

        let store = HKHealthStore(environment: try crashed(journal, as: "crashed"))
        let offered = try await store.recoverActiveWorkoutSession()
        let recovered = try #require(offered)
        recovered.stopActivity(with: start + 100)
        _ = await recovered.recorder.log
        try await recovered.associatedWorkoutBuilder().endCollection(at: start + 100)
        let finished = try await recovered.associatedWorkoutBuilder().finishWorkout()
        let routes = try await HKSampleQueryDescriptor(
            predicates: [.workoutRoute(HKQuery.predicateForObjects(from: try #require(finished)))], sortDescriptors: []
        ).result(for: store)
        #expect(routes.map(\.count) == [1])
    }

    @Test func `a discarded workout leaves no journal`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let environment = environment("live")
        let (session, _) = try await live(in: environment)
        session.associatedWorkoutBuilder().discardWorkout()
        _ = await session.recorder.log
        let left = try #require(environment.journalFolder)
        #expect(SessionJournal.left(in: left).isEmpty)
    }
}
