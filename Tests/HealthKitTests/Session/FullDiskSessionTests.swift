import CoreLocation
import Engine
import Foundation
import MadeSamples
import Recordings
import SessionLog
import Testing

@testable import HealthKit

/// A full disk during a session loses nothing: the app gets an error, and everything is saved once there is space.
///
/// Each test runs in a separate process, because the limit that simulates a full disk applies to the whole process.
@Suite struct FullDiskSessionTests {
    private static let start = Made.start

    /// From now on no file may grow.
    private static func fill() {
        signal(SIGXFSZ, SIG_IGN)
        limit(to: 0)
    }

    private static func makeRoom() { limit(to: .max) }

    private static func limit(to bytes: rlim_t) {
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        var limit = rlimit()
        getrlimit(resource, &limit)
        limit.rlim_cur = min(bytes, limit.rlim_max)
        setrlimit(resource, &limit)
    }

    /// A store in an existing file, and a folder for the journals of its sessions.
    private struct SmallDisk {
        private let folder = FileManager.default.temporaryDirectory.appending(path: "full-\(UUID())").path
        let store: HKHealthStore

        init() throws {
            let database = SQLiteHealthDatabase(.file(folder + "/health.sqlite"))
            _ = try database.setting("opened")
            var environment = HealthEnvironment(
                sensors: [], time: ManualTime(FullDiskSessionTests.start + 100), database: database)
            environment.journalFolder = URL(fileURLWithPath: folder + "/sessions")
            store = HKHealthStore(environment: environment)
        }

        func remove() { try? FileManager.default.removeItem(atPath: folder) }
    }

    private static func heartRate(at second: Int) -> [SessionEntry] {
        let date = start + Double(second)
        return [
            SessionEntry(
                date, .quantity(QuantityReading("heartRate", 60, unit: "count/min", start: date, end: date)))
        ]
    }

    @Test func `the session continues, its delegate is called once, and the workout is complete`() async {
        await #expect(processExitsWith: .success) {
            let disk = try SmallDisk()
            defer { disk.remove() }
            let session = try HKWorkoutSession(healthStore: disk.store, configuration: HKWorkoutConfiguration())
            let builder = session.associatedWorkoutBuilder()
            builder.dataSource = HKLiveWorkoutDataSource(healthStore: disk.store, workoutConfiguration: nil)
            builder.dataSource?.enableCollection(for: Made.heartRate, predicate: nil)
            let diary = SessionDiary()
            session.delegate = diary
            session.startActivity(with: FullDiskSessionTests.start)
            try await builder.beginCollection(at: FullDiskSessionTests.start)
            for second in 0..<5 { await session.recorder.collect(FullDiskSessionTests.heartRate(at: second)) }

            FullDiskSessionTests.fill()
            for second in 5..<10 { await session.recorder.collect(FullDiskSessionTests.heartRate(at: second)) }
            try await builder.addMetadata(["Shoes": "old"])
            await diary.wait { $0 == .failed(.errorDatabaseInaccessible) }
            try #require(session.journalFault != nil)
            for second in 10..<15 { await session.recorder.collect(FullDiskSessionTests.heartRate(at: second)) }
            session.pause()
            session.stopActivity(with: FullDiskSessionTests.start + 60)
            try await builder.endCollection(at: FullDiskSessionTests.start + 60)
            var code: HKError.Code?
            do { _ = try await builder.finishWorkout() } catch { code = (error as? HKError)?.code }
            try #require(code == .errorDatabaseInaccessible)

            FullDiskSessionTests.makeRoom()
            let finished = try await builder.finishWorkout()
            let workout = try #require(finished)
            try #require(workout.statistics(for: Made.heartRate)?.total.count == 15)
            try #require(workout.metadata?["Shoes"] as? String == "old")
            try #require(try disk.store.database.all(Made.heartRate, .workout(workout.uuid)).count == 15)
            try #require(diary.notes.filter { if case .failed = $0 { true } else { false } }.count == 1)
        }
    }

    @Test func `a workout that a full disk prevents from beginning begins once there is space`() async {
        await #expect(processExitsWith: .success) {
            let disk = try SmallDisk()
            defer { disk.remove() }
            let session = try HKWorkoutSession(healthStore: disk.store, configuration: HKWorkoutConfiguration())
            let builder = session.associatedWorkoutBuilder()
            FullDiskSessionTests.fill()
            session.startActivity(with: FullDiskSessionTests.start)
            var code: HKError.Code?
            do { try await builder.beginCollection(at: FullDiskSessionTests.start) } catch {
                code = (error as? HKError)?.code
            }
            try #require(code == .errorDatabaseInaccessible)
            try #require(session.recorder.read { $0.collection } == .notBegun)

            FullDiskSessionTests.makeRoom()
            try await builder.beginCollection(at: FullDiskSessionTests.start)
            session.stopActivity(with: FullDiskSessionTests.start + 60)
            try await builder.endCollection(at: FullDiskSessionTests.start + 60)
            let workout = try #require(try await builder.finishWorkout())
            try #require(workout.duration == 60)
        }
    }

    @Test func `series that a full disk refuses are saved once there is space`() async {
        await #expect(processExitsWith: .success) {
            let disk = try SmallDisk()
            defer { disk.remove() }
            let start = FullDiskSessionTests.start
            let workout = try Made.workout(.running, at: 0, lasting: 60)
            try await disk.store.save(workout)
            let beats = HKHeartbeatSeriesBuilder(healthStore: disk.store, device: nil, start: start)
            try await beats.addHeartbeat(at: 1, precededByGap: false)
            let route = HKWorkoutRouteBuilder(healthStore: disk.store, device: nil)
            try await route.insertRouteData([CLLocation(latitude: 1, longitude: 1)])
            let steps = HKQuantitySeriesSampleBuilder(
                healthStore: disk.store, quantityType: Made.steps, startDate: start, device: nil)
            try steps.insert(HKQuantity(unit: .count(), doubleValue: 5), at: start)

            FullDiskSessionTests.fill()
            var refusals = 0
            do { _ = try await beats.finishSeries() } catch { refusals += 1 }
            do { _ = try await route.finishRoute(with: workout, metadata: nil) } catch { refusals += 1 }
            do { _ = try await steps.finishSeries(metadata: nil) } catch { refusals += 1 }
            try #require(refusals == 3)

            FullDiskSessionTests.makeRoom()
            try #require(try await beats.finishSeries().count == 1)
            try #require(try await route.finishRoute(with: workout, metadata: nil).count == 1)
            try #require(try await steps.finishSeries(metadata: nil).count == 1)
            do {
                try await beats.addHeartbeat(at: 2, precededByGap: false)
                Issue.record("a finished builder takes beats")
            } catch {}
        }
    }

    @Test func `a journal catches up by itself and reports it`() async {
        await #expect(processExitsWith: .success) {
            let folder = FileManager.default.temporaryDirectory.appending(path: "full-\(UUID())")
            defer { try? FileManager.default.removeItem(at: folder) }
            let id = UUID()
            let journal = try SessionJournal(id: id, in: folder)
            let (faults, told) = AsyncStream.makeStream(of: Bool.self)
            journal.watch { told.yield($0 != nil) }
            var next = faults.makeAsyncIterator()
            journal.append(
                SessionEntry(
                    FullDiskSessionTests.start, .header(SessionHeader(id: id, activity: ActivityDescription()))))
            try journal.commit()
            FullDiskSessionTests.fill()
            // Nothing waits for the disk, and nothing follows.
            for second in 0..<5 {
                for entry in FullDiskSessionTests.heartRate(at: second) { journal.append(entry) }
            }
            try #require(await next.next() == true)
            try #require(journal.isBehind)
            FullDiskSessionTests.makeRoom()
            try #require(await next.next() == false)
            try #require(try SessionLogFile.entries(journal.url).entries.count == 6)
        }
    }
}
