import Foundation
import Recordings
import Testing

@testable import HealthKit

/// A disk that is full in the middle of a session takes nothing of it: that is told, and everything is saved once there is
/// room.
///
/// Each in a process of its own, as the limit that stands in for a full disk is the whole process's.
@Suite struct FullDiskSessionTests {
    private static let start = Made.start

    /// From here on no file may grow.
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

    private static func heartRate(at second: Int) -> [SessionEntry] {
        let date = start + Double(second)
        return [
            SessionEntry(
                date, .quantity(QuantityReading("heartRate", 60, unit: "count/min", start: date, end: date)))
        ]
    }

    @Test func `a session goes on, its delegate hears of it once, and the workout is whole`() async {
        await #expect(processExitsWith: .success) {
            let folder = FileManager.default.temporaryDirectory.appending(path: "full-\(UUID())").path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let database = SQLiteHealthDatabase(.file(folder + "/health.sqlite"))
            _ = try database.setting("opened")
            var environment = HealthEnvironment(
                sensors: [], time: ManualTime(FullDiskSessionTests.start + 100), database: database)
            environment.journalFolder = URL(fileURLWithPath: folder + "/sessions")
            let store = HKHealthStore(environment: environment)
            let session = try HKWorkoutSession(healthStore: store, configuration: HKWorkoutConfiguration())
            let builder = session.associatedWorkoutBuilder()
            builder.dataSource = HKLiveWorkoutDataSource(healthStore: store, workoutConfiguration: nil)
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
            try #require(try database.all(Made.heartRate, .workout(workout.uuid)).count == 15)
            try #require(diary.notes.filter { if case .failed = $0 { true } else { false } }.count == 1)
        }
    }

    @Test func `a workout that a full disk keeps from being begun is begun once there is room`() async {
        await #expect(processExitsWith: .success) {
            let folder = FileManager.default.temporaryDirectory.appending(path: "full-\(UUID())").path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let database = SQLiteHealthDatabase(.file(folder + "/health.sqlite"))
            _ = try database.setting("opened")
            var environment = HealthEnvironment(
                sensors: [], time: ManualTime(FullDiskSessionTests.start + 100), database: database)
            environment.journalFolder = URL(fileURLWithPath: folder + "/sessions")
            let store = HKHealthStore(environment: environment)
            let session = try HKWorkoutSession(healthStore: store, configuration: HKWorkoutConfiguration())
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

    @Test func `a journal catches up by itself, and says so`() async {
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
            // Nothing waits for the disk, and nothing comes after it.
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
