import Foundation
import MadeSamples
import SessionLog
import Testing
import UniformTypeIdentifiers

@testable import HealthStore

/// A copy has the same contents as its store.
@Suite struct StoreCopyTests {
    private static let source = Made.source("App")
    private static let now = Made.start + 86_400
    private static let app = DeliveryApp(bundleIdentifier: "local.app", name: "App", executable: "/usr/bin/app")

    /// Two stores, possibly of different kinds.
    private func with(
        _ kinds: (StoreUnderTest, StoreUnderTest),
        _ body: (any SQLHealthDatabase, any SQLHealthDatabase) throws -> Void
    ) throws {
        try kinds.0.with { first in
            try kinds.1.with { second in
                try body(
                    try #require(first as? any SQLHealthDatabase), try #require(second as? any SQLHealthDatabase))
            }
        }
    }

    /// One of everything: types, series, a growing session, an edited workout, deletions, an effort, files, settings.
    private func fill(_ store: any SQLHealthDatabase) throws {
        let source = Self.source
        try store.save(EarlierSamples.objects(), from: source)
        let (beats, heartbeats) = try EarlierSamples.beats()
        try store.save(beats, series: .heartbeats(heartbeats), from: source)
        let (route, positions) = try EarlierSamples.route()
        try store.save(route, series: .positions(positions), from: source)
        let workout = try Made.workout(.running, at: 0, lasting: 20)
        let effort = try EarlierSamples.effort()
        let file = HKAttachment(
            identifier: UUID(), name: "map", contentType: .plainText, size: 1, creationDate: Made.start, metadata: nil)
        let rates = (0..<20).map { Made.heartRate(100, at: 5_000 + Double($0)) }
        try store.apply(
            [
                .save(.objects([workout])), .join(rates.map { ($0, nil) }, workout: workout.uuid),
                .relateEffort(effort, workout: workout.uuid, activity: nil),
                .attach(file, data: Data([1, 2]), to: workout.uuid),
            ], from: source, once: "mark")
        let other = try Made.workout(.cycling, at: 0, lasting: 10)
        try store.apply(
            .replace(
                WorkoutReplacement(
                    "edit", at: Self.now, of: [workout.uuid], by: [WorkoutReplacement.Successor(workout: other)]),
                owner: nil),
            from: source)
        let single = Made.heartRate(40, at: 9_000)
        try store.save([single], from: source)
        _ = try store.delete([single.uuid], owner: nil)
        try store.setSetting("permissions", Data("{}".utf8))
        try store.enableDelivery(of: Made.heartRate, .hourly, to: Self.app)
        let session = UUID()
        var logged = LoggedSamples(of: session)
        let growing = (0..<9).compactMap { second in
            let date = Made.start + 20_000 + Double(second)
            return logged.sample(
                of: SessionEntry(date, .quantity(.heartRate(Double(100 + second), at: date, sensor: nil))))
        }
        try store.apply(.collect(growing, of: session, isDurable: false), from: source)
    }

    private func expectSame(_ copy: any SQLHealthDatabase, as store: any SQLHealthDatabase) throws {
        let tables = try StoreTable.all()
        for table in tables {
            let (one, other) = try (
                store.withReader { try StoreDigest(table, $0.db) }, copy.withReader { try StoreDigest(table, $0.db) }
            )
            #expect(one == other, "\(table.name)")
        }
        for type in [Made.heartRate, Made.steps, HKObjectType.workoutType()] as [HKSampleType] {
            #expect(try copy.all(type).map(\.uuid) == store.all(type).map(\.uuid))
            let changes = try [store, copy].map { try $0.changes([SampleSelection(type)], after: 0, limit: nil) }
            #expect(changes[0].anchor == changes[1].anchor)
            #expect(changes[0].deleted.map(\.uuid) == changes[1].deleted.map(\.uuid))
        }
        #expect(try copy.checkIntegrity() == [])
    }

    /// From then on it is a separate store.
    private func use(_ copy: any SQLHealthDatabase) throws {
        #expect(try copy.undo(changeOf: nil, owner: nil, at: Self.now) != nil)
        try copy.save([Made.heartRate(50, at: 30_000)], from: Made.source("Another"))
        try copy.save(EarlierSamples.session().0, log: EarlierSamples.session().1, from: Self.source)
        #expect(try copy.checkIntegrity() == [])
        #expect(try copy.facts().isUnfinishedCopy == false)
    }

    private static let pairs = StoreUnderTest.allCases.flatMap { one in StoreUnderTest.allCases.map { (one, $0) } }

    @Test(arguments: pairs)
    func `everything is copied, and the copy is usable`(from: StoreUnderTest, to: StoreUnderTest) throws {
        try with((from, to)) { store, copy in
            try fill(store)
            var progress: [StoreCopy.Progress] = []
            let outcome = try StoreCopy(from: store, to: copy).run { progress.append($0) }
            try expectSame(copy, as: store)
            #expect(progress.last == StoreCopy.Progress(rows: outcome.rows, total: outcome.rows, isComparing: true))
            let workouts = HKObjectType.workoutType().identifier
            let types = try store.facts().types
            #expect(outcome.samples == types.filter { $0.identifier != workouts }.reduce(0) { $0 + $1.count })
            #expect(outcome.workouts == types.first { $0.identifier == workouts }?.count)
            #expect(outcome.rows > types.count && outcome.samples > 300 && !outcome.wasContinued)
            try use(copy)
        }
    }

    /// Errors of the store itself pass unchanged.
    private static let interruption = HKError.make(.errorUserCanceled, "interrupted")

    private func isInterruption(_ error: any Error) -> Bool { (error as? HKError)?.code == .errorUserCanceled }

    @Test(arguments: StoreUnderTest.allCases)
    func `a copy continues after repeated interruptions`(_ to: StoreUnderTest) throws {
        try with((.memory, to)) { store, copy in
            try fill(store)
            var attempts = 0
            var done = -1
            while true {
                attempts += 1
                do {
                    // One or two steps further each time.
                    var steps = 0
                    let outcome = try StoreCopy(from: store, to: copy, rowsInTransaction: 3).run { progress in
                        #expect(progress.rows >= done)
                        done = progress.rows
                        steps += 1
                        if steps > 2, !progress.isComparing { throw Self.interruption }
                    }
                    #expect(outcome.wasContinued)
                    break
                } catch let error where isInterruption(error) {
                    #expect(try copy.facts().isUnfinishedCopy)
                    guard attempts < 1_000 else { throw error }
                }
            }
            #expect(attempts > 10)
            try expectSame(copy, as: store)
            try use(copy)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a copy starts over if the store has changed meanwhile`(_ to: StoreUnderTest) throws {
        try with((.memory, to)) { store, copy in
            try fill(store)
            var steps = 0
            #expect(throws: Self.interruption) {
                try StoreCopy(from: store, to: copy, rowsInTransaction: 3).run { _ in
                    steps += 1
                    if steps > 20 { throw Self.interruption }
                }
            }
            try store.save([Made.heartRate(70, at: 12_345)], from: Self.source)
            #expect(try StoreCopy(from: store, to: copy).run().wasContinued == false)
            try expectSame(copy, as: store)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a store with data is rejected as a target and stays unchanged`(_ to: StoreUnderTest) throws {
        try with((.memory, to)) { store, copy in
            try store.save([Made.heartRate(70, at: 0)], from: Self.source)
            let own = Made.heartRate(80, at: 1)
            try copy.save([own], from: Self.source)
            let error = #expect(throws: HKError.self) { try StoreCopy(from: store, to: copy).run() }
            #expect(error?.code == .errorInvalidArgument)
            #expect(error?.localizedDescription.contains("has data already") == true)
            #expect(try copy.all(Made.heartRate).map(\.uuid) == [own.uuid])
        }
    }

    @Test func `an unfinished copy is not copied`() throws {
        try with((.memory, .memory)) { store, copy in
            try fill(store)
            #expect(throws: Self.interruption) {
                try StoreCopy(from: store, to: copy).run { _ in throw Self.interruption }
            }
            let error = #expect(throws: HKError.self) {
                try StoreCopy(from: copy, to: SQLiteHealthDatabase(.memory)).run()
            }
            #expect(error?.localizedDescription.contains("is an unfinished copy") == true)
        }
    }

    @Test func `a difference is found, and the next copy starts over`() throws {
        try with((.memory, .memory)) { store, copy in
            try fill(store)
            let error = #expect(throws: HKError.self) {
                try StoreCopy(from: store, to: copy).run { progress in
                    guard progress.isComparing else { return }
                    try copy.withWriter(waitingForDisk: true, collecting: true) {
                        _ = try $0.db.execute(sql: "UPDATE run SET minimum = 1 WHERE id = (SELECT max(id) FROM run)")
                    }
                }
            }
            #expect(error?.localizedDescription.contains("differs") == true)
            #expect(error?.localizedDescription.contains(" run:") == true, "\(error?.localizedDescription ?? "")")
            #expect(try StoreCopy(from: store, to: copy).run().wasContinued == false)
            try expectSame(copy, as: store)
        }
    }

    @Test func `every table is copied`() throws {
        let names = try SQLiteHealthDatabase(.memory).withReader {
            try String.fetchAll(
                $0.db,
                sql:
                    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name <> 'grdb_migrations'"
            )
        }
        #expect(Set(names) == Set(StoreTable.names).union(["sequence"]))
    }
}
