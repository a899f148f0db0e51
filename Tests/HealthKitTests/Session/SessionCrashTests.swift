import Engine
import Foundation
import HealthKit
import MadeSamples
import SessionLog
import Testing

/// A live session that is killed at any moment is recovered with everything acknowledged, or was saved completely.
@Suite(.serialized) struct SessionCrashTests {
    /// `HEALTHKIT_KILLS=10000` runs the long version.
    private static let kills = ProcessInfo.processInfo.environment["HEALTHKIT_KILLS"].flatMap { Int($0) } ?? 20
    private static let killsPerStore = 20
    private static let batch = 5
    private static let start = Date(timeIntervalSinceReferenceDate: 800_000_000)
    private static let finished: UInt8 = 2

    private static func store(in folder: String) -> HKHealthStore {
        var environment = HealthEnvironment(
            sensors: [], time: ManualTime(start + 100),
            database: SQLiteHealthDatabase(.file(folder + "/health.sqlite")))
        environment.journalFolder = URL(fileURLWithPath: folder + "/sessions")
        return HKHealthStore(environment: environment)
    }

    @Test func `kill -9 at any moment of a session loses nothing that was acknowledged`() async throws {
        var folder = ""
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var saved = 0
        for kill in 0..<Self.kills {
            if kill % Self.killsPerStore == 0 {
                try? FileManager.default.removeItem(atPath: folder)
                folder = FileManager.default.temporaryDirectory.appending(path: "healthkit-\(UUID())").path
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                saved = 0
            }
            try? FileManager.default.removeItem(atPath: folder + "/acknowledged")
            let microseconds = UInt32.random(in: 0..<60_000)
            let batches = Int.random(in: 1...60)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [folder = folder as String, microseconds = microseconds as UInt32, batches = batches as Int] in
                try await SessionCrashTests.recordUntilKilled(in: folder, after: microseconds, batches)
            }
            let marks = (try? Data(contentsOf: URL(fileURLWithPath: folder + "/acknowledged"))) ?? Data()
            let acknowledged = marks.count { $0 != Self.finished }
            let count = try await Self.recover(in: folder)
            if let count {
                #expect(count >= acknowledged * Self.batch)
            } else {
                let stored = try Self.newestCount(in: folder) ?? 0
                #expect(acknowledged == 0 || stored >= acknowledged * Self.batch)
            }
            let workouts = try SQLiteHealthDatabase(.file(folder + "/health.sqlite")).all(.workoutType()).count
            let isSaved = workouts > saved
            #expect(workouts - saved <= 1)
            #expect(isSaved || acknowledged == 0)
            #expect(isSaved || !marks.contains(Self.finished))
            saved = workouts
            #expect(SessionJournal.left(in: URL(fileURLWithPath: folder + "/sessions")).isEmpty)
            #expect(try SQLiteHealthDatabase(.file(folder + "/health.sqlite")).checkIntegrity() == [])
        }
    }

    /// Recovers the session of the dead process. Returns the number of recovered heart rates, or nil if there was
    /// nothing to recover.
    private static func recover(in folder: String) async throws -> Int? {
        let store = store(in: folder)
        guard let session = try await store.recoverActiveWorkoutSession() else { return nil }
        let builder = session.associatedWorkoutBuilder()
        let count = builder.statistics(for: Made.heartRate)?.total.count ?? 0
        session.stopActivity(with: start + 100_000)
        _ = await session.recorder.log
        guard builder.startDate != nil else {
            builder.discardWorkout()
            _ = await session.recorder.log
            return count
        }
        if builder.endDate == nil { try await builder.endCollection(at: start + 100_000) }
        let workout = try await builder.finishWorkout()
        let finished = try #require(workout)
        #expect((finished.statistics(for: Made.heartRate)?.total.count ?? 0) == count)
        let members = try store.database.samples(
            [SampleSelection(Made.heartRate, .workout(finished.uuid))], sortedBy: [], limit: nil)
        #expect(members.count == count)
        return count
    }

    private static func newestCount(in folder: String) throws -> Int? {
        let workouts = try SQLiteHealthDatabase(.file(folder + "/health.sqlite")).samples(
            [SampleSelection(.workoutType())], sortedBy: [], limit: nil)
        return (workouts.last as? HKWorkout)?.statistics(for: Made.heartRate)?.total.count
    }

    /// Collects and acknowledges batch after batch, finishes the workout, and waits until another thread kills the
    /// process.
    private static func recordUntilKilled(in folder: String, after microseconds: UInt32, _ batches: Int) async throws {
        let descriptor = open(folder + "/acknowledged", O_CREAT | O_WRONLY | O_APPEND, 0o600)
        let store = store(in: folder)
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        let session = try HKWorkoutSession(healthStore: store, configuration: configuration)
        let builder = session.associatedWorkoutBuilder()
        builder.dataSource = HKLiveWorkoutDataSource(healthStore: store, workoutConfiguration: configuration)
        // Dying at a random moment needs a real clock.
        Thread.detachNewThread {
            usleep(microseconds)
            kill(getpid(), SIGKILL)
        }
        session.startActivity(with: start)
        try await builder.beginCollection(at: start)
        for number in 0..<batches {
            for second in 0..<batch {
                let date = start + Double(number * batch + second)
                let reading = QuantityReading(
                    "heartRate", Double(60 + second), unit: "count/min", start: date, end: date)
                await session.recorder.collect([SessionEntry(date, .quantity(reading))])
            }
            // When it returns, everything before it is acknowledged.
            try await builder.addMetadata(["batch": number])
            var mark: UInt8 = 1
            write(descriptor, &mark, 1)
        }
        session.stopActivity(with: start + 100_000)
        _ = await session.recorder.log
        try await builder.endCollection(at: start + 100_000)
        _ = try await builder.finishWorkout()
        var mark = finished
        write(descriptor, &mark, 1)
        while true { usleep(1000) }
    }
}
