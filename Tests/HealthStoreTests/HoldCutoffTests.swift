import Foundation
import HealthStore
import MadeSamples
import SessionLog
import Testing

/// When the hold of a workout's values ends: what its rows know about pauses and absent sensors.
@Suite struct HoldCutoffTests {
    private func figures(
        _ database: any HealthDatabase, _ bounds: StatisticsBounds = .whole
    ) throws -> [RunningStatistics] {
        try database.statistics(SampleSelection(Made.heartRate), bounds: bounds, separatingSources: false).map(\.total)
    }

    private static func reading(_ rate: Double, at second: Double, from sensor: String? = nil) -> SessionEntry {
        var reading = QuantityReading(
            "heartRate", rate, unit: "count/min", start: Made.start + second, end: Made.start + second)
        reading.sensor = sensor
        return SessionEntry(Made.start + second, .quantity(reading))
    }

    private static func sensor(_ id: String, _ presence: SensorStatus.Presence, at second: Double) -> SessionEntry {
        let status = SensorStatus(id: id, kind: .bluetooth, presence: presence, device: DeviceDescription(name: id))
        return SessionEntry(Made.start + second, .sensor(status))
    }

    private func save(_ log: [SessionEntry], in database: any HealthDatabase) throws {
        let workout = try HKWorkout.validated(
            ObjectIdentity(), configuration: HKWorkoutConfiguration(), start: Made.start, end: Made.start + 60)
        let log = [SessionEntry(Made.start, .state(.running))] + log
        try database.save(workout, log: log, from: Made.source("App"))
    }

    /// 10 s at 60 bpm, a pause of 20 s, 10 s at 120 bpm.
    private static let paused = [
        reading(60, at: 0), reading(60, at: 10), SessionEntry(Made.start + 10, .state(.paused)),
        SessionEntry(Made.start + 30, .state(.running)), reading(120, at: 30), reading(120, at: 40),
    ]

    @Test func `nothing is held across a pause, or past the end of an interval`() throws {
        let database = SQLiteHealthDatabase(.memory)
        try save(Self.paused, in: database)
        #expect(try figures(database).map(\.average) == [90])
        // A bound inside a row opens the row, and the same rule applies.
        let inside = try figures(database, .dates([Made.start - 1, Made.start + 39, Made.start + 60]))
        #expect(inside.map { $0.weightedSeconds.rounded() } == [10, 0])
        let before = try figures(database, .dates([Made.start - 1, Made.start + 5, Made.start + 60]))
        #expect(before.map { $0.weightedSeconds.rounded() } == [0, 10])
        #expect(try database.checkIntegrity() == [])
    }

    @Test func `a value is held until its sensor was away, and another sensor's reading ends the hold earlier`() throws
    {
        let alone = SQLiteHealthDatabase(.memory)
        let log = [
            Self.sensor("strap", .present, at: 0), Self.sensor("watch", .present, at: 0),
            Self.reading(60, at: 0, from: "strap"), Self.sensor("strap", .away, at: 8),
            Self.sensor("strap", .present, at: 20), Self.reading(100, at: 20, from: "strap"),
            Self.reading(100, at: 28, from: "strap"),
        ]
        try save(log, in: alone)
        #expect(try figures(alone).map(\.weightedSeconds) == [16])
        #expect(try figures(alone).map(\.average) == [80])
        let both = SQLiteHealthDatabase(.memory)
        try save(log[..<3] + [Self.reading(90, at: 4, from: "watch")] + log[3...], in: both)
        // 4 s at 60, 16 s at 90 and 8 s at 100 bpm: the watch was not away.
        #expect(try figures(both).map(\.weightedSeconds) == [28])
        let integral: Double = 4 * 60 + 16 * 90 + 8 * 100
        #expect(try figures(both).map(\.integral) == [integral])
    }

    @Test func `the last value is held until the end, and a late reading in a pause is not held`()
        throws
    {
        let database = SQLiteHealthDatabase(.memory)
        try save(
            [
                Self.reading(60, at: 0), SessionEntry(Made.start + 10, .state(.paused)), Self.reading(80, at: 6),
                SessionEntry(Made.start + 20, .state(.running)), Self.reading(100, at: 20),
                SessionEntry(Made.start + 26, .state(.stopped)),
            ], in: database)
        // 6 s at 60, 4 s at 80 and 6 s at 100 bpm.
        #expect(try figures(database).map(\.weightedSeconds) == [16])
        #expect(try figures(database).map(\.average) == [80])
    }

    @Test func `deleting the last value before a pause extends the hold of the one before it`() throws {
        let database = SQLiteHealthDatabase(.memory)
        try save(Self.paused, in: database)
        let second = try #require(
            try database.all(Made.heartRate).first { $0.startDate == Made.start + 10 })
        _ = try database.delete([second.uuid], owner: nil)
        #expect(try figures(database).map(\.weightedSeconds) == [20])
        #expect(try database.checkIntegrity() == [])
    }

    @Test func `rows saved by an app itself know of no pause`() throws {
        let database = SQLiteHealthDatabase(.memory)
        try save([], in: database)
        try database.save(
            [0.0, 10, 30, 40].map { Made.heartRate($0 < 20 ? 60 : 120, at: $0) }, from: Made.source("Watch"))
        #expect(try figures(database).map(\.average) == [75])
    }
}
