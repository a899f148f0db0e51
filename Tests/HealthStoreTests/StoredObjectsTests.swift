import Analytics
import Foundation
import GRDB
import MadeSamples
import SessionLog
import Testing

@testable import HealthStore

/// Workouts, correlations and heartbeat series: archives in earlier versions, now rows and columns.
@Suite struct StoredObjectsTests {
    private let start = Made.start

    private func statistics(_ type: HKQuantityType, _ values: [Double], source: HKSource? = nil) -> HKStatistics {
        var total = RunningStatistics(type.averagingRule)
        for (index, value) in values.enumerated() {
            total.add(value, start: start + Double(index), end: start + Double(index))
        }
        return HKStatistics(
            quantityType: type, startDate: start, endDate: start + 60, options: [.discreteAverage, .mostRecent],
            unit: type.recordingUnit, total: total, bySource: source.map { [$0: total] } ?? [:])
    }

    /// With every property set.
    private func workout(id: UUID = .next()) throws -> HKWorkout {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .swimBikeRun
        configuration.locationType = .outdoor
        configuration.lapLength = HKQuantity(unit: .yard(), doubleValue: 25)
        let swim = HKWorkoutConfiguration()
        swim.activityType = .swimming
        swim.swimmingLocationType = .openWater
        let heartRate = statistics(Made.heartRate, [100.5, 120, 1 / 3])
        let events = [
            HKWorkoutEvent(
                type: .pause, dateInterval: DateInterval(start: start + 10.123456, duration: 0), metadata: nil),
            HKWorkoutEvent(type: .resume, dateInterval: DateInterval(start: start + 12, duration: 0), metadata: nil),
            HKWorkoutEvent(
                type: .segment, dateInterval: DateInterval(start: start + 20, duration: 0.25),
                metadata: ["pool": "A", "length": HKQuantity(unit: .meter(), doubleValue: 0.1)]),
        ]
        return try HKWorkout.validated(
            try ObjectIdentity(
                uuid: id, device: HKDevice(DeviceDescription(name: "Watch")),
                metadata: [HKMetadataKeyIndoorWorkout: false, "x": 1.5]),
            configuration: configuration, start: start, end: start + 60, duration: 57.5, events: events,
            activities: [
                try HKWorkoutActivity(
                    configuration: swim, start: start, end: start + 15, metadata: ["part": 1],
                    statistics: [Made.heartRate: statistics(Made.heartRate, [7], source: .default())]),
                try HKWorkoutActivity(configuration: Self.run, start: start + 20, end: start + 60),
            ],
            statistics: [Made.heartRate: heartRate],
            totals: WorkoutTotals(
                energyBurned: HKQuantity(unit: .kilocalorie(), doubleValue: 0.3), distance: nil,
                swimmingStrokeCount: HKQuantity(unit: .count(), doubleValue: 12), flightsClimbed: nil))
    }

    private static var run: HKWorkoutConfiguration {
        let run = HKWorkoutConfiguration()
        run.activityType = .running
        return run
    }

    private func expectSame(_ a: HKWorkout, _ b: HKWorkout) {
        #expect(a.uuid == b.uuid)
        #expect(a.startDate == b.startDate && a.endDate == b.endDate)
        #expect(a.duration == b.duration)
        #expect(a.workoutActivityType == b.workoutActivityType)
        #expect(a.workoutEvents == b.workoutEvents)
        #expect(a.totals == b.totals)
        #expect(a.device == b.device)
        #expect((a.metadata ?? [:]) as NSDictionary == (b.metadata ?? [:]) as NSDictionary)
        expectSame(a.allStatistics, b.allStatistics)
        #expect(a.workoutActivities.count == b.workoutActivities.count)
        for (one, other) in zip(a.workoutActivities, b.workoutActivities) {
            #expect(one.uuid == other.uuid)
            #expect(one.workoutConfiguration == other.workoutConfiguration)
            #expect(one.startDate == other.startDate && one.endDate == other.endDate)
            #expect(one.duration == other.duration)
            #expect(one.workoutEvents == other.workoutEvents)
            #expect((one.metadata ?? [:]) as NSDictionary == (other.metadata ?? [:]) as NSDictionary)
            expectSame(one.allStatistics, other.allStatistics)
        }
    }

    private func expectSame(_ a: [HKQuantityType: HKStatistics], _ b: [HKQuantityType: HKStatistics]) {
        #expect(Set(a.keys) == Set(b.keys))
        for (type, one) in a {
            guard let other = b[type] else { continue }
            #expect(one.startDate == other.startDate && one.endDate == other.endDate)
            #expect(one.options == other.options && one.unit == other.unit)
            #expect(Set(one.bySource.keys) == Set(other.bySource.keys))
            #expect(one.total.count == other.total.count)
            #expect(one.total.sum == other.total.sum)
            #expect(one.total.average == other.total.average)
            #expect(one.total.leastIfAny == other.total.leastIfAny)
            #expect(one.total.greatestIfAny == other.total.greatestIfAny)
            #expect(one.total.mostRecent == other.total.mostRecent)
            #expect(one.total.coveredSeconds == other.total.coveredSeconds)
            #expect(one.total.firstStart == other.total.firstStart)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a workout reads back with every property`(kind: StoreUnderTest) throws {
        try kind.with { database in
            let workout = try workout()
            let plain = try HKWorkout.validated(
                ObjectIdentity(), configuration: Self.run, start: start + 100, end: start + 200,
                statistics: [Made.heartRate: statistics(Made.heartRate, [1, 2])])
            try database.save([workout, plain], from: Made.source("App"))
            let stored = try database.all(.workoutType()).compactMap { $0 as? HKWorkout }
            try #require(stored.count == 2)
            expectSame(stored[0], workout)
            expectSame(stored[1], plain)
            #expect(stored[0].sourceRevision == Made.source("App"))
            #expect(try database.checkIntegrity() == [])
        }
    }

    @Test func `truncated content is damage, not a trap`() throws {
        try TemporaryFolder.with { folder in
            let path = folder + "/health.sqlite"
            try SQLiteHealthDatabase(.file(path)).save([try workout()], from: Made.source("App"))
            let queue = try DatabaseQueue(path: path)
            let bytes = try #require(
                try queue.read { try Data.fetchOne($0, sql: "SELECT columns FROM content WHERE columns IS NOT NULL") })
            for cut in 0..<bytes.count {
                try queue.write {
                    try $0.execute(sql: "UPDATE content SET columns = ?", arguments: [bytes.prefix(cut)])
                }
                let error = #expect(throws: HKError.self) { try SQLiteHealthDatabase(.file(path)).all(.workoutType()) }
                #expect(error?.code == .errorHealthDataUnavailable)
            }
        }
    }

    @Test func `a store of archives is converted when it is opened`() throws {
        try TemporaryFolder.with { folder in
            let path = folder + "/health.sqlite"
            let database = SQLiteHealthDatabase(.file(path))
            let workout = try workout()
            let pressure = try #require(HKObjectType.correlationType(forIdentifier: .bloodPressure))
            let parts = [HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic)].map {
                HKQuantitySample(
                    type: $0, quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: 100), start: start,
                    end: start)
            }
            let correlation = HKCorrelation(
                type: pressure, start: start, end: start, objects: Set(parts), metadata: ["cuff": "left"])
            let series = try HKHeartbeatSeriesSample.validated(
                ObjectIdentity(), count: 2, start: start, end: start + 1)
            let beats = [
                StoredHeartbeat(secondsSinceStart: 0.5, precededByGap: false),
                StoredHeartbeat(secondsSinceStart: 1, precededByGap: true),
            ]
            try database.save([workout, correlation], from: Made.source("App"))
            try database.save(series, series: .heartbeats(beats), from: Made.source("App"))

            try Self.archive([workout, correlation, series], inStoreAt: path)

            let opened = SQLiteHealthDatabase(.file(path))
            expectSame(try #require(try opened.all(.workoutType()).first as? HKWorkout), workout)
            let read = try #require(try opened.all(pressure).first as? HKCorrelation)
            #expect(read.objects == Set(parts))
            #expect(read.metadata?["cuff"] as? String == "left")
            let stored = try #require(try opened.all(HKSeriesType.heartbeat()).first as? HKHeartbeatSeriesSample)
            #expect(stored == series && stored.count == 2 && stored.endDate == series.endDate)
            #expect(try opened.heartbeats(series.uuid) == beats)
            #expect(try opened.checkIntegrity() == [])
            let left = try DatabaseQueue(path: path).read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM content WHERE archive IS NOT NULL")
            }
            #expect(left == 0)
        }
    }

    /// Turns a store into one of the first version of the schema.
    private static func archive(_ objects: [HKSample], inStoreAt path: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in
            for object in objects {
                let row = try #require(
                    try Int64.fetchOne(
                        db, sql: "SELECT run.id FROM run JOIN type ON type.id = run.type WHERE identifier = ?",
                        arguments: [object.sampleType.identifier]))
                let archived: HKSample
                if let correlation = object as? HKCorrelation {
                    archived = try HKCorrelation.validated(
                        correlation.identity, type: correlation.correlationType, start: correlation.startDate,
                        end: correlation.endDate, objects: [])
                } else {
                    archived = object
                }
                let data = try NSKeyedArchiver.archivedData(withRootObject: archived, requiringSecureCoding: true)
                let isSeries = object is HKSeriesSample
                try db.execute(
                    sql: "INSERT OR IGNORE INTO content (run) VALUES (?)", arguments: [row])
                try db.execute(
                    sql: "UPDATE content SET archive = ?, columns = CASE WHEN ? THEN columns END WHERE run = ?",
                    arguments: [data, isSeries, row])
                try db.execute(
                    sql: "UPDATE run SET kind = ? WHERE id = ?", arguments: [isSeries ? 4 : 2, row])
            }
            try db.execute(sql: "ALTER TABLE deleted DROP COLUMN start; ALTER TABLE deleted DROP COLUMN end")
            try db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = 'objects as columns'")
        }
    }

    // MARK: Heartbeats

    /// Intervals as straps send them, in 1/1024 s, or in whole milliseconds.
    @Test(arguments: [1000.0 / 1024, 1])
    func `intervals between stored heartbeats are the measured ones`(unit: Double) throws {
        let database = SQLiteHealthDatabase(.memory)
        var log: [SessionEntry] = []
        var measured: [Double] = []
        var random = SeededGenerator(seed: 3)
        var seconds = 0.37
        for _ in 0..<200 {
            let intervals = (0..<Int.random(in: 1...2, using: &random)).map { _ in
                Double(Int.random(in: 700...900, using: &random)) * unit
            }
            seconds += intervals.reduce(0, +) / 1000
            // A reading arrives shortly after its last beat.
            let date = start + seconds + Double.random(in: 0..<0.3, using: &random)
            log.append(SessionEntry(date, .beats(BeatReading(intervalsInMilliseconds: intervals))))
            measured += intervals
        }
        let workout = try HKWorkout.validated(
            ObjectIdentity(), configuration: Self.run, start: start, end: start + seconds + 1)
        try database.save(workout, log: log, from: Made.source("App"))
        let series = try #require(try database.all(HKSeriesType.heartbeat()).first)
        let beats = try database.heartbeats(series.uuid)
        #expect(beats.allSatisfy { !$0.precededByGap })
        let intervals = zip(beats, beats.dropFirst()).map { ($1.secondsSinceStart - $0.secondsSinceStart) * 1000 }
        try #require(intervals.count == measured.count)
        #expect(zip(intervals, measured).allSatisfy { abs($0 - $1) < 1e-7 })
        func rmssd(_ intervals: [Double]) -> Double {
            let squares = zip(intervals, intervals.dropFirst()).map { ($1 - $0) * ($1 - $0) }
            return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
        }
        #expect(abs(rmssd(intervals) - rmssd(measured)) < 1e-6)
    }

    @Test func `heartbeats of a strap take two bytes each`() throws {
        var random = SeededGenerator(seed: 4)
        var ticks = 0
        let beats = (0..<4000).map { index -> StoredHeartbeat in
            ticks += Int.random(in: 780...850, using: &random)
            return StoredHeartbeat(secondsSinceStart: Double(ticks) / 1024, precededByGap: index % 1000 == 999)
        }
        try TemporaryFolder.with { folder in
            let path = folder + "/health.sqlite"
            let series = try HKHeartbeatSeriesSample.validated(
                ObjectIdentity(), count: beats.count, start: start, end: start + Double(ticks) / 1024)
            let database = SQLiteHealthDatabase(.file(path))
            try database.save(series, series: .heartbeats(beats), from: Made.source("App"))
            #expect(try database.heartbeats(series.uuid) == beats)
            let size = try DatabaseQueue(path: path).read {
                try Int.fetchOne($0, sql: "SELECT length(columns) FROM content")
            }
            #expect(try #require(size) < 2 * beats.count)
        }
    }

    // MARK: Many objects at once

    @Test func `thousands of samples are deleted by UUID, and others stay`() throws {
        let database = SQLiteHealthDatabase(.memory)
        let own = (0..<12_600).map { Made.heartRate(60, at: Double($0)) }
        let foreign = try (0..<400).map { index in
            try HKQuantitySample.validated(
                ObjectIdentity(uuid: UUID()), type: Made.steps, quantity: HKQuantity(unit: .count(), doubleValue: 1),
                start: start + Double(index), end: start + Double(index))
        }
        try database.save(own + foreign, from: Made.source("App"))
        let gone = Set((own.dropFirst(100) + foreign.dropFirst(100)).map(\.uuid))
        #expect(try database.delete(gone, owner: "test.App") == gone.count)
        #expect(try database.all(Made.heartRate).map(\.uuid) == own.prefix(100).map(\.uuid))
        #expect(Set(try database.all(Made.steps).map(\.uuid)) == Set(foreign.prefix(100).map(\.uuid)))
        #expect(throws: HKError.self) { try database.delete([own[0].uuid, own[500].uuid], owner: nil) }
        #expect(try database.all(Made.heartRate).count == 100)
        #expect(try database.checkIntegrity() == [])
    }

    /// An export lists the samples first, then their correlations.
    @Test func `an import splits the rows of correlated samples once, not for each correlation`() throws {
        let database = SQLiteHealthDatabase(.memory)
        func sample(_ type: HKQuantityTypeIdentifier, _ index: Int) throws -> HKQuantitySample {
            let date = start + 86_400 * Double(index)
            return try HKQuantitySample.validated(
                ObjectIdentity(uuid: UUID()), type: HKQuantityType(type),
                quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: 100), start: date, end: date)
        }
        let count = 300
        var batch = ImportBatch(fullCount: ImportBatch.fullCount)
        for index in 0..<count {
            let parts: [HKSample] = [
                try sample(.bloodPressureSystolic, index), try sample(.bloodPressureDiastolic, index),
            ]
            batch.named += parts
            batch.add(
                ImportedObject(
                    sample: try HKCorrelation.validated(
                        ObjectIdentity(uuid: UUID()), type: HKCorrelationType(.bloodPressure),
                        start: parts[0].startDate, end: parts[0].endDate, objects: Set(parts))))
        }
        // One more sample, of no correlation.
        batch.named.append(try sample(.bloodPressureSystolic, count))
        var own = ImportedSequences()
        _ = try database.merge(batch, own: &own) { false }
        let correlations = try database.all(HKCorrelationType(.bloodPressure)).compactMap { $0 as? HKCorrelation }
        #expect(correlations.count == count && correlations.allSatisfy { $0.objects.count == 2 })
        #expect(try database.all(HKQuantityType(.bloodPressureSystolic)).count == count + 1)
        let changes = try database.withReader { try Int64.fetchOne($0.db, sql: "SELECT total_changes()") }
        #expect(try #require(changes) < Int64(20 * count))
    }
}
