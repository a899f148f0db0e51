import DiskRecorder
import Engine
import Foundation
import GRDB
import MadeSamples
import PowerCuts
import Recordings
import SessionLog
import Testing

@testable import HealthKit
@testable import HealthStore

/// A power cut at any moment loses nothing that was acknowledged before it.
@Suite(.enabled(if: disk_recorder_is_available() == 1, "a sanitizer has the calls")) struct PowerCutTests {
    private static let start = Made.start

    // MARK: Sessions

    private static func healthStore(_ disk: PowerCut) -> HKHealthStore {
        var environment = HealthEnvironment(
            sensors: [], time: ManualTime(start + 100), database: SQLiteHealthDatabase(.file(disk.store)))
        environment.journalFolder = URL(fileURLWithPath: disk.store + "-sessions")
        return HKHealthStore(environment: environment)
    }

    private static func heartRates(_ range: Range<Int>) -> [SessionEntry] {
        range.map { second in
            let date = start + Double(second)
            return SessionEntry(
                date, .quantity(QuantityReading("heartRate", 60, unit: "count/min", start: date, end: date)))
        }
    }

    /// A session of 20 heart rates: the first ten are acknowledged, then all, then the finished workout.
    private static func exercise(_ disk: PowerCut, _ acknowledged: () -> Void) async throws {
        let store = healthStore(disk)
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        let session = try HKWorkoutSession(healthStore: store, configuration: configuration)
        let builder = session.associatedWorkoutBuilder()
        builder.dataSource = HKLiveWorkoutDataSource(healthStore: store, workoutConfiguration: configuration)
        session.startActivity(with: start)
        try await builder.beginCollection(at: start)
        await session.recorder.collect(heartRates(0..<10))
        try await builder.addMetadata(["half": 1])
        acknowledged()
        await session.recorder.collect(heartRates(10..<20))
        session.stopActivity(with: start + 50)
        try await builder.endCollection(at: start + 50)
        acknowledged()
        _ = try await builder.finishWorkout()
        acknowledged()
        session.end()
        _ = await session.recorder.log
    }

    @Test func `a session and its workout survive`() async throws {
        try await PowerCut.with { disk in
            let before = try CutDisk(of: disk.root)
            await #expect(processExitsWith: .success) { [root = disk.root as String] in
                let disk = PowerCut(root: root)
                try await disk.record { try await PowerCutTests.exercise(disk, $0) }
            }
            try await disk.cut(before) { cut, acknowledged in
                let store = Self.healthStore(cut)
                let stored = try Self.heartRatesOfWorkouts(cut)
                if acknowledged == 3 { #expect(stored == [20], "\(cut.moment)") }
                let recovered = try await store.recoverActiveWorkoutSession()
                let count =
                    recovered?.associatedWorkoutBuilder().statistics(for: Made.heartRate)?.total.count ?? stored.first
                #expect(stored.count + (recovered == nil ? 0 : 1) <= 1)
                if acknowledged > 0 { #expect(try #require(count) >= min(20, acknowledged * 10), "\(cut.moment)") }
                recovered?.associatedWorkoutBuilder().discardWorkout()
            }
        }
    }

    private static func heartRatesOfWorkouts(_ disk: PowerCut) throws -> [Int] {
        let database = SQLiteHealthDatabase(.file(disk.store))
        #expect(try database.checkIntegrity() == [])
        return try database.all(.workoutType()).map {
            try database.all(Made.heartRate, .workout($0.uuid)).count
        }
    }

    @Test func `a workout whose log is still mirrored survives`() async throws {
        try await PowerCut.with { disk in
            let before = try CutDisk(of: disk.root)
            await #expect(processExitsWith: .success) { [root = disk.root as String] in
                let disk = PowerCut(root: root)
                try await disk.record { acknowledged in
                    let id = UUID()
                    let journal = try SessionJournal(id: id, in: URL(fileURLWithPath: disk.store + "-sessions"))
                    let header = SessionHeader(id: id, activity: ActivityDescription())
                    let log =
                        [SessionEntry(PowerCutTests.start, .header(header))] + PowerCutTests.heartRates(0..<20)
                    for entry in log { journal.append(entry) }
                    try journal.commit()
                    acknowledged()
                    let workout = try HKWorkout.validated(
                        ObjectIdentity(uuid: id), configuration: HKWorkoutConfiguration(), start: PowerCutTests.start,
                        end: PowerCutTests.start + 60)
                    try SQLiteHealthDatabase(.file(disk.store)).save(workout, log: log, from: Made.source("App"))
                    journal.append(SessionEntry(PowerCutTests.start, .collection(.finished)))
                    journal.setAside()
                    acknowledged()
                    journal.append(SessionEntry(PowerCutTests.start, .state(.ended)))
                    try journal.commit()
                    acknowledged()
                }
            }
            try await disk.cut(before) { cut, acknowledged in
                guard acknowledged > 0 else { return }
                let folder = URL(fileURLWithPath: cut.store + "-sessions")
                let left = SessionJournal.left(in: folder)
                let apart = SessionJournal.left(in: folder.appendingPathComponent(SessionJournal.undelivered))
                if acknowledged > 1 {
                    #expect(try Self.heartRatesOfWorkouts(cut) == [20])
                    #expect(left.isEmpty)
                }
                let journal = try #require((left + apart).first)
                let entries = try SessionLogFile.entries(journal).entries
                #expect(entries.count >= [0, 21, 22, 23][acknowledged])
            }
        }
    }

    // MARK: Saving and deleting

    /// The number of samples in an intact store.
    private static func count(_ type: HKSampleType, _ disk: PowerCut) throws -> Int {
        let database = SQLiteHealthDatabase(.file(disk.store))
        #expect(try database.checkIntegrity() == [])
        return try database.all(type).count
    }

    @Test func `single saved samples survive`() async throws {
        try await PowerCut.with { disk in
            let before = try CutDisk(of: disk.root)
            await #expect(processExitsWith: .success) { [root = disk.root as String] in
                let disk = PowerCut(root: root)
                try await disk.record { acknowledged in
                    let database = SQLiteHealthDatabase(.file(disk.store))
                    for second in 0..<5 {
                        try database.save([Made.heartRate(60, at: Double(second))], from: Made.source("App"))
                        acknowledged()
                    }
                }
            }
            try await disk.cut(before) { cut, acknowledged in
                let count = try Self.count(Made.heartRate, cut)
                #expect(count >= acknowledged, "\(cut.moment)")
            }
        }
    }

    @Test func `deletions survive`() async throws {
        try await PowerCut.with { disk in
            let samples = (0..<4).map { Made.steps(60, from: Double($0), to: Double($0)) }
            try SQLiteHealthDatabase(.file(disk.store)).save(samples, from: Made.source("App"))
            let before = try CutDisk(of: disk.root)
            await #expect(processExitsWith: .success) { [root = disk.root as String] in
                let disk = PowerCut(root: root)
                try await disk.record { acknowledged in
                    let database = SQLiteHealthDatabase(.file(disk.store))
                    for sample in try database.all(Made.steps).prefix(3) {
                        _ = try database.delete([sample.uuid], owner: nil)
                        acknowledged()
                    }
                }
            }
            try await disk.cut(before) { cut, acknowledged in
                let count = try Self.count(Made.steps, cut)
                #expect((1...4 - acknowledged).contains(count), "\(cut.moment)")
            }
        }
    }

    // MARK: Older stores

    @Test func `a migrated store survives`() async throws {
        try await PowerCut.with { disk in
            let workout = HKWorkout(activityType: .rowing, start: Self.start, end: Self.start + 60)
            try Self.makeOlderStore(disk.store, of: workout)
            let before = try CutDisk(of: disk.root)
            await #expect(processExitsWith: .success) { [root = disk.root as String] in
                let disk = PowerCut(root: root)
                try await disk.record { acknowledged in
                    _ = try SQLiteHealthDatabase(.file(disk.store)).all(.workoutType())
                    acknowledged()
                }
            }
            try await disk.cut(before) { cut, _ in
                let workouts = try SQLiteHealthDatabase(.file(cut.store)).all(.workoutType())
                #expect(workouts.map(\.uuid) == [workout.uuid])
                #expect(try Self.count(Made.heartRate, cut) == 3)
            }
        }
    }

    /// The schema before workouts were columns.
    private static func makeOlderStore(_ path: String, of workout: HKWorkout) throws {
        try FileManager.default.createDirectory(
            at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
        let database = try DatabaseQueue(path: path)
        try Schema.migrator.migrate(database, upTo: "effort and attachments")
        try database.write { db in
            // The present writer expects these.
            try db.execute(sql: Schema.growingRuns)
            let writer = try StoreWriter(SQLiteStatements(db))
            var batch = SavedBatch(writer: writer, source: Made.source("App"))
            for second in 0..<3 { try batch.add(Made.heartRate(60, at: Double(second))) }
            try batch.add(workout)
            try batch.store()
            try db.execute(
                sql: """
                    UPDATE content SET columns = NULL, archive = ? WHERE run = (SELECT id FROM run WHERE kind = ?)
                    """, arguments: [try ObjectArchive.encoded(workout), StoredRun.Kind.workout.rawValue])
            try db.execute(
                sql: "UPDATE run SET kind = ? WHERE kind = ?",
                arguments: [StoredRun.Kind.object.rawValue, StoredRun.Kind.workout.rawValue])
            try writer.finish()
        }
    }

    // MARK: A locked device

    private static func healthStore(_ disk: PowerCut, _ condition: String) async throws -> HKHealthStore {
        let store = HKHealthStore(
            environment: HealthEnvironment(variables: [
                "HEALTHKIT_STORE": disk.store, "HEALTHKIT_SIMULATE": condition, "HEALTHKIT_AUTHORIZATION": "allow",
                "XDG_CONFIG_HOME": disk.root,
            ]))
        try await store.requestAuthorization(toShare: [Made.heartRate], read: [Made.heartRate])
        return store
    }

    @Test func `data saved while locked and stored later survives`() async throws {
        try await PowerCut.with { disk in
            let before = try CutDisk(of: disk.root)
            await #expect(processExitsWith: .success) { [root = disk.root as String] in
                let disk = PowerCut(root: root)
                try await disk.record { acknowledged in
                    let locked = try await PowerCutTests.healthStore(disk, "locked")
                    for second in 0..<3 {
                        try await locked.save(Made.heartRate(60, at: Double(second)))
                        acknowledged()
                    }
                    let unlocked = try await PowerCutTests.healthStore(disk, "")
                    try await unlocked.save(Made.heartRate(60, at: 3))
                    acknowledged()
                }
            }
            try await disk.cut(before) { cut, acknowledged in
                let journal = LockedJournal(besideStore: cut.store)
                try journal.merge(into: SQLiteHealthDatabase(.file(cut.store)))
                let count = try Self.count(Made.heartRate, cut)
                #expect(count >= acknowledged, "\(cut.moment)")
                #expect(journal.isEmpty)
            }
        }
    }
}
