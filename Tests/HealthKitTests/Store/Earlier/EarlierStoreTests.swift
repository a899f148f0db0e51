import Engine
import Foundation
import HealthKit
import MadeSamples
import SessionLog
import Testing
import UniformTypeIdentifiers

/// Stores of earlier versions, in `Tests/Stores`: each folder contains a store, its waiting data, and `contents.txt`,
/// the contents as that version read them.
@Suite struct EarlierStoreTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Stores")

    private static func makers() -> String? { ProcessInfo.processInfo.environment["HEALTHKIT_MAKE_EARLIER_STORE"] }

    static func versions() -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    /// Calls `body` with the path of a copied store.
    private func withCopy(of version: String, _ body: (String) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            try FileManager.default.copyItem(
                at: Self.folder.appending(path: version), to: URL(fileURLWithPath: folder))
            try body(folder + "/health.sqlite")
        }
    }

    @Test func `there are earlier stores`() {
        #expect(!Self.versions().isEmpty)
    }

    @Test(arguments: versions())
    func `everything in an earlier store reads as with the version that wrote it`(version: String) throws {
        try withCopy(of: version) { path in
            let database = SQLiteHealthDatabase(.file(path))
            let expected = try String(
                contentsOf: Self.folder.appending(path: "\(version)/contents.txt"), encoding: .utf8)
            let lines = try StoreContents.lines(of: database)
            #expect(lines == expected.split(separator: "\n").map(String.init))
            #expect(try database.checkIntegrity() == [])
        }
    }

    @Test(arguments: versions())
    func `data saved beside an earlier store while locked is stored`(version: String) throws {
        try withCopy(of: version) { path in
            let database = SQLiteHealthDatabase(.file(path))
            let before = try database.all(Made.steps).count
            try LockedJournal(besideStore: path).merge(into: database)
            #expect(try database.all(Made.steps).count == before + 1)
            let workouts = try database.all(.workoutType())
            #expect(workouts.contains { $0.uuid == EarlierSamples.lockedWorkout })
            let left = try FileManager.default.contentsOfDirectory(atPath: path + "-locked")
            #expect(left.filter { $0 != "lock" } == [])
        }
    }

    @Test(arguments: versions())
    func `a session that was killed in an earlier version is recovered with its readings`(version: String) throws {
        try withCopy(of: version) { path in
            var environment = HealthEnvironment(sensors: [], database: SQLiteHealthDatabase(.file(path)))
            environment.journalFolder = URL(fileURLWithPath: path + "-sessions")
            let session = try #require(try SessionRecovery.recover(from: HKHealthStore(environment: environment)))
            #expect(session.state == .running)
            let heartRate = session.recorder.read { $0.quantities["heartRate"]?.statistics.count }
            #expect(heartRate == 25)
        }
    }

    /// Not a test: writes a store with this version into the folder of the variable.
    @Test(.enabled(if: makers() != nil)) func `a store of this version is created`() throws {
        let folder = try #require(Self.makers())
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = folder + "/health.sqlite"
        let database = SQLiteHealthDatabase(.file(path))
        let source = EarlierSamples.source
        try database.save(EarlierSamples.objects(), from: source)
        let beats = try EarlierSamples.beats()
        try database.save(beats.0, series: .heartbeats(beats.1), from: source)
        let route = try EarlierSamples.route()
        try database.save(route.0, series: .positions(route.1), from: source)
        let quantities = try EarlierSamples.quantities()
        try database.save(quantities.0, series: .quantities(quantities.1), from: source)
        let workout = try EarlierSamples.workout()
        let effort = try EarlierSamples.effort()
        try database.save([effort], from: source)
        try database.relateEffort(effort, toWorkout: workout.uuid, activity: nil, from: source)
        let attachment = HKAttachment(
            identifier: EarlierSamples.attachment, name: "letter.pdf", contentType: .pdf, size: 4,
            creationDate: EarlierSamples.start, metadata: ["page": 1])
        try database.add(attachment, data: Data("%PDF".utf8), to: workout.uuid)
        let (session, log) = try EarlierSamples.session()
        try database.save(session, log: log, from: source)
        let lines = try StoreContents.lines(of: database)
        try (lines.joined(separator: "\n") + "\n").write(
            toFile: folder + "/contents.txt", atomically: true, encoding: .utf8)
        let journal = LockedJournal(besideStore: path)
        try journal.append(.objects([Made.steps(99, from: 5000, to: 5060)]), from: source)
        let (locked, lockedLog) = try EarlierSamples.session(id: EarlierSamples.lockedWorkout, from: 10_000)
        try journal.append(.workout(locked, log: lockedLog, adding: AddedSeries()), from: source)
    }
}
