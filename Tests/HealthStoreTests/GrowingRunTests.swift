import Foundation
import GRDB
import MadeSamples
import SessionLog
import Testing

@testable import HealthStore

/// Rows to which a running session adds every second.
@Suite struct GrowingRunTests {
    private let session = UUID()
    private let selection = SampleSelection(Made.heartRate, .all)

    /// Heart rates of a session, one a second.
    private func samples(_ count: Int) -> [HKSample] {
        var logged = LoggedSamples(of: session)
        return (0..<count).compactMap { second in
            let date = Made.start + Double(second)
            return logged.sample(
                of: SessionEntry(date, .quantity(.heartRate(Double(100 + second % 50), at: date, sensor: nil))))
        }
    }

    private func collect(_ samples: [HKSample], in database: any HealthDatabase) throws {
        for sample in samples {
            try database.apply(.collect([sample], of: session, isDurable: false), from: Made.source("App"))
        }
    }

    private func rows(_ database: SQLiteHealthDatabase) throws -> [Int] {
        try database.read { db in
            try ["growingRun", "run"].map { try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)") ?? -1 }
        }
    }

    @Test func `a single saved reading writes one page`() throws {
        try TemporaryFolder.with { folder in
            let path = folder + "/health.sqlite"
            let database = SQLiteHealthDatabase(.file(path))
            let samples = samples(60)
            try collect(Array(samples[..<20]), in: database)
            func logged() throws -> Int {
                try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int ?? 0
            }
            let before = try logged()
            try collect(Array(samples[20...]), in: database)
            // A page of 4 KB and the header of its frame (sqlite.org/fileformat.html, section 4.1).
            #expect(try logged() - before == 40 * (4096 + 24))
            #expect(try rows(database) == [1, 0])
        }
    }

    @Test func `every way of reading finds the same before and after a run is complete`() throws {
        let database = SQLiteHealthDatabase(.memory)
        let samples = samples(30)
        try collect(samples, in: database)
        #expect(try rows(database) == [1, 0])
        func look() throws -> [String] {
            let changes = try database.changes([selection], after: 0, limit: nil)
            let bounds = StatisticsBounds.dates([Made.start, Made.start + 10, Made.start + 100])
            return [
                "\(try database.all(Made.heartRate).map(\.uuid))",
                "\(try database.all(Made.heartRate, .startDate(.greater, Made.start + 20)).map(\.uuid))",
                "\(try database.all(Made.heartRate, .ids([samples[7].uuid])).map(\.uuid))",
                "\(changes.added.map(\.uuid))",
                "\(String(describing: try database.changedTimes(Made.heartRate, after: 10).ranges))",
                "\(try database.measurements([selection]).map(\.value))",
                "\(try database.statistics(selection, bounds: bounds, separatingSources: true).map(\.total))",
                "\(String(describing: try database.extent(selection)))",
                "\(try database.stored(Set(samples.map(\.uuid))).count)",
                "\(try database.contents(of: [samples[3].uuid]).count)",
                "\(try database.holds(selection).count)",
                "\(try database.isEmpty())", "\(try database.checkIntegrity())",
                "\(try database.deliveredChange(of: Made.heartRate))",
            ]
        }
        let before = try look()
        #expect(try database.changes([selection], after: 0, limit: nil).anchor == 30)
        // A change by something other than a session.
        try database.save([Made.steps(10, from: 5000, to: 5010)], from: Made.source("App"))
        #expect(try rows(database) == [0, 2])
        #expect(try look() == before)
        #expect(try database.changes([selection], after: 0, limit: nil).anchor == 31)
    }

    @Test func `a run is complete once it is long or a later reading does not continue it`() throws {
        let database = SQLiteHealthDatabase(.memory)
        let samples = samples(200)
        try collect(Array(samples[10...]), in: database)
        #expect(try rows(database) == [1, 2])
        // It starts before the latest one.
        try collect(Array(samples[..<10]), in: database)
        #expect(try rows(database) == [1, 3])
        #expect(try database.all(Made.heartRate).map(\.uuid) == samples.map(\.uuid))
        #expect(try database.checkIntegrity() == [])
    }

    @Test func `sequences continue after growing runs in every connection`() throws {
        try TemporaryFolder.with { folder in
            let (one, other) = (
                SQLiteHealthDatabase(.file(folder + "/health.sqlite")),
                SQLiteHealthDatabase(.file(folder + "/health.sqlite"))
            )
            let samples = samples(20)
            try collect(Array(samples[..<10]), in: one)
            let first = try other.changes([selection], after: 0, limit: nil)
            #expect(first.added.count == 10)
            let own = Made.heartRate(60, at: 5000)
            try other.save([own], from: Made.source("Other"))
            try collect(Array(samples[10...]), in: one)
            let rest = try other.changes([selection], after: first.anchor, limit: nil)
            #expect(rest.added.map(\.uuid) == [own.uuid] + samples[10...].map(\.uuid))
        }
    }

    /// Nothing else can be written at the same time: every other change completes the growing rows.
    @Test func `a damaged growing run blocks no other save`() throws {
        try TemporaryFolder.with { folder in
            let path = folder + "/health.sqlite"
            let database = SQLiteHealthDatabase(.file(path))
            try collect(samples(3), in: database)
            try DatabaseQueue(path: path).write { try $0.execute(sql: "UPDATE growingRun SET columns = x'00'") }
            try database.save([Made.steps(10, from: 0, to: 10)], from: Made.source("App"))
            #expect(try database.all(Made.steps).count == 1)
            #expect(try database.checkIntegrity().count == 1)
        }
    }

    @Test func `an earlier store collects too`() throws {
        try TemporaryFolder.with { folder in
            let path = folder + "/health.sqlite"
            try SQLiteHealthDatabase(.file(path)).save([Made.heartRate(60, at: -10)], from: Made.source("App"))
            try DatabaseQueue(path: path).write { db in
                for view in ["anyRun", "latestSequence", "latestChange"] { try db.execute(sql: "DROP VIEW \(view)") }
                try db.execute(sql: "DROP TABLE growingRun")
                try db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = 'growing runs'")
            }
            let database = SQLiteHealthDatabase(.file(path))
            try collect(samples(3), in: database)
            #expect(try database.all(Made.heartRate).count == 4)
            #expect(try rows(database) == [1, 1])
        }
    }
}

extension SQLiteHealthDatabase {
    /// The latest change of a type, as a registration for background delivery reads it.
    fileprivate func deliveredChange(of type: HKSampleType) throws -> Int64 {
        try read {
            try Int64.fetchOne(
                $0, sql: "SELECT sequence FROM latestChange WHERE identifier = ?", arguments: [type.identifier]) ?? -1
        }
    }
}
