import Analytics
import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

/// Databases like Health Connect's exports.
struct HealthConnectTests {
    /// 2024-01-15 08:00 UTC.
    private static let start = 1_705_305_600_000

    private static let interval = """
        row_id INTEGER PRIMARY KEY AUTOINCREMENT, uuid BLOB, app_info_id INTEGER, device_info_id INTEGER,
            start_time INTEGER, start_zone_offset INTEGER, end_time INTEGER, end_zone_offset INTEGER
        """

    /// A run of ten minutes that Garmin Connect wrote, with a pause of one minute after five; yoga from another app,
    /// with the heart rates of a third one; and readings between the two.
    private static let run: [String] = {
        func at(_ second: Int) -> Int { start + second * 1000 }
        var lines = [
            "CREATE TABLE application_info_table(row_id INTEGER PRIMARY KEY, package_name TEXT, app_name TEXT)",
            "INSERT INTO application_info_table VALUES (1, 'com.garmin.android.apps.connectmobile', 'Garmin Connect')",
            "INSERT INTO application_info_table VALUES (2, 'com.example.yoga', NULL), (3, 'com.example.band', 'Band')",
            "CREATE TABLE exercise_session_record_table(\(interval), exercise_type INTEGER, title TEXT, notes TEXT)",
            "CREATE TABLE exercise_route_table(parent_key INTEGER, timestamp_millis INTEGER, latitude REAL, longitude REAL, altitude REAL, horizontal_accuracy REAL, vertical_accuracy REAL)",
            "CREATE TABLE exercise_laps_table(parent_key INTEGER, lap_start_time INTEGER, lap_end_time INTEGER, lap_length REAL)",
            "CREATE TABLE exercise_segments_table(parent_key INTEGER, segment_start_time INTEGER, segment_end_time INTEGER, segment_type INTEGER, repetitions_count INTEGER)",
            "CREATE TABLE heart_rate_record_table(\(interval))",
            "CREATE TABLE heart_rate_record_series_table(parent_key INTEGER, beats_per_minute INTEGER, epoch_millis INTEGER)",
            "CREATE TABLE StepsCadenceRecordTable(\(interval))",
            "CREATE TABLE steps_cadence_record_table(parent_key INTEGER, rate REAL, epoch_millis INTEGER)",
            "CREATE TABLE distance_record_table(\(interval), distance REAL)",
            "CREATE TABLE active_calories_burned_record_table(\(interval), energy REAL)",
            "CREATE TABLE total_calories_burned_record_table(\(interval), energy REAL)",
            "CREATE TABLE steps_record_table(\(interval), count INTEGER)",
        ]
        func add(_ table: String, _ values: String) { lines.append("INSERT INTO \(table) VALUES (\(values))") }
        func span(_ row: String, _ app: Int, _ from: Int, _ to: Int) -> String {
            "\(row), NULL, \(app), NULL, \(at(from)), 3600, \(at(to)), 3600"
        }
        add(
            "exercise_session_record_table",
            "7, x'00112233445566778899aabbccddeeff', 1, NULL, \(at(0)), 3600, \(at(600)), 3600, 33, 'Morning run', 'Cold'"
        )
        add(
            "exercise_session_record_table",
            "6, x'ff', 2, NULL, \(at(-86_400)), NULL, \(at(-84_600)), NULL, 57, NULL, NULL")
        add("exercise_laps_table", "7, \(at(0)), \(at(300)), 900.0")
        add("exercise_laps_table", "7, \(at(360)), \(at(600)), 5e-324")
        add("exercise_segments_table", "7, \(at(300)), \(at(360)), 67, 0")
        add("exercise_segments_table", "7, \(at(0)), \(at(300)), 16, 0")
        // Garmin's record, another band's during the run, and one of the whole day before.
        add("heart_rate_record_table", span("1", 1, 0, 600))
        add("heart_rate_record_table", span("2", 3, 0, 600))
        add("heart_rate_record_table", span("3", 3, -86_400, -1))
        add("StepsCadenceRecordTable", span("1", 1, 0, 600))
        for second in 0...600 {
            add("heart_rate_record_series_table", "1, \(120 + second % 40), \(at(second))")
            if second % 60 == 0 {
                add("heart_rate_record_series_table", "2, 60, \(at(second))")
                add("heart_rate_record_series_table", "3, 90, \(at(second - 86_400))")
                add("heart_rate_record_series_table", "3, 55, \(at(second - 40_000))")
                add("steps_cadence_record_table", "1, 160.0, \(at(second))")
            }
            if second % 2 == 0, !(301..<360).contains(second) {
                let altitude = second == 0 ? "5e-324" : "40.5"
                add(
                    "exercise_route_table",
                    "7, \(at(second)), \(52.5 + Double(second) * 2.3e-5), 13.4, \(altitude), 6.0, 5e-324")
            }
        }
        for minute in 0..<10 where minute != 5 {
            add("distance_record_table", "\(span("NULL", 1, minute * 60, minute * 60 + 60)), 180.0")
            // The phone also counts them.
            add("distance_record_table", "\(span("NULL", 3, minute * 60, minute * 60 + 60)), 200.0")
        }
        add("active_calories_burned_record_table", "\(span("NULL", 1, 0, 600)), 110500.0")
        add("total_calories_burned_record_table", "\(span("NULL", 1, -30_000, 50_000)), 2400000.0")
        add("steps_record_table", "\(span("NULL", 1, -60, 540)), 1500")
        // A phone in the yoga room.
        add("steps_record_table", "\(span("NULL", 3, -86_400, -84_600)), 77")
        return lines
    }()

    private func database(_ statements: [String] = run, isWAL: Bool = false) throws -> [UInt8] {
        try TestDatabase.bytes(statements, isWAL: isWAL)
    }

    private func read(_ bytes: [UInt8]) throws(RecordingError) -> [Recording] {
        try RecordingFile.readAll(RecordingSource(path: "health_connect_export.db", bytes: bytes))
    }

    @Test func `an exercise has its figures, readings, route, laps and pauses`() throws {
        let recordings = try read(database())
        #expect(recordings.map(\.file.format) == ["healthconnect", "healthconnect"])
        #expect(recordings.map(\.file.workouts) == [2, 2])
        let run = recordings[1]
        #expect(run.header?.activity == ActivityDescription(activity: "running", location: .outdoor))
        #expect(run.start == TableTexts.date("2024-01-15T08:00:00Z"))
        #expect(run.end == TableTexts.date("2024-01-15T08:10:00Z"))
        let rates = run.values("heartRate")
        #expect(rates.count == 601 - 59 && rates.first == 120 && rates.max() == 159 && rates.min() == 120)
        #expect(abs(run.values("distanceWalkingRunning").reduce(0, +) - 1620) < 1e-6)
        #expect(abs(run.values("activeEnergyBurned").reduce(0, +) - 110.5) < 1e-6)
        #expect(abs(run.values("stepCount").reduce(0, +) - 1350) < 1e-6)
        #expect(run.positions.count == 301 - 29 && run.positions[0].altitudeInMeters == nil)
        #expect(run.positions[1].altitudeInMeters == 40.5 && run.positions[1].verticalAccuracyInMeters == nil)
        let laps = run.entries.compactMap { entry in
            if case .event(let event) = entry.content, event.kind == .lap { event } else { nil }
        }
        let start = try #require(run.start)
        #expect(laps.map { $0.start.timeIntervalSince(start) } == [0, 360])
        #expect(laps.map { $0.end.timeIntervalSince(start) } == [300, 600])
        #expect(run.pauses.map { $0.start.timeIntervalSince(start) } == [300] && run.pauses.map(\.duration) == [60])
        #expect(run.labels.title == "Morning run" && run.labels.notes == "Cold" && run.timeZone == "GMT+0100")
        #expect(run.device?.name == "Garmin Connect" && run.isInOrder)
    }

    @Test func `a pause is as long as it states, however rarely the heart rate was measured`() throws {
        let run = try read(
            database(
                Self.run + [
                    "UPDATE exercise_segments_table SET segment_start_time = segment_start_time + 12000, segment_end_time = segment_end_time - 9000 WHERE segment_type = 67",
                    "DELETE FROM exercise_route_table",
                    "DELETE FROM heart_rate_record_series_table WHERE epoch_millis % 60000 > 0",
                ]))[1]
        let start = try #require(run.start)
        #expect(run.pauses.map { $0.start.timeIntervalSince(start) } == [312] && run.pauses.map(\.duration) == [39])
    }

    @Test func `a lap with a pause ends when it states`() throws {
        let (from, to) = (Self.start + 200_000, Self.start + 500_000)
        let changes = [
            "DELETE FROM exercise_laps_table WHERE lap_length < 1",
            "UPDATE exercise_laps_table SET lap_start_time = \(from), lap_end_time = \(to)",
        ]
        let run = try read(database(Self.run + changes))[1]
        let start = try #require(run.start)
        #expect(run.pausedInSeconds == 60)
        #expect(run.events(.lap).map { $0.end.timeIntervalSince(start) } == [500])
    }

    @Test func `without heart rates of its own app, an exercise has those of another one, and nothing else`() throws {
        let yoga = try read(database())[0]
        #expect(yoga.header?.activity == ActivityDescription(activity: "yoga"))
        #expect(yoga.timeZone == nil && yoga.device?.name == "com.example.yoga")
        #expect(yoga.values("heartRate") == [Double](repeating: 90, count: 11))
        #expect(yoga.values("activeEnergyBurned").isEmpty && yoga.values("stepCount").isEmpty)
    }

    @Test func `an exercise keeps its ID when the export grows, and gets another with more readings`() throws {
        let first = try read(database()).map(\.file.ownID)
        let more =
            "INSERT INTO exercise_session_record_table SELECT NULL, x'01', 2, NULL, start_time - 99999999, NULL, end_time - 99999999, NULL, 53, NULL, NULL FROM exercise_session_record_table WHERE row_id = 7"
        let second = try read(database(Self.run + [more])).map(\.file.ownID)
        #expect(Set(first).count == 2 && Array(second.dropFirst()) == first)
        let rate = "INSERT INTO heart_rate_record_series_table VALUES (1, 99, \(Self.start + 500))"
        let third = try read(database(Self.run + [rate])).map(\.file.ownID)
        #expect(third[0] == first[0] && third[1] != first[1])
    }

    @Test func `a file is read in place, whatever its name`() throws {
        let bytes = try database(isWAL: true)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("health connect #\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("50% of it?.db")
        try Data(bytes).write(to: file)
        let expected = try read(bytes)
        #expect(try RecordingFile.readAll(file) == expected)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
    }

    @Test(arguments: [
        (0, "walking"), (58, "walking"), (62, "walking"), (-1, "walking"), (Int.max, "walking"), (4, "cycling"),
        (34, "running"), (49, "swimming"),
    ])
    func `the type decides the activity, and the caller if it states none`(type: Int, activity: String) throws {
        let bytes = try database(Self.run + ["UPDATE exercise_session_record_table SET exercise_type = \(type)"])
        let recordings = try DatabaseFormat(activity: "walking").read(RecordingSource(path: "x", bytes: bytes))
        #expect(recordings.map(\.header?.activity.activity) == [activity, activity])
    }

    @Test func `newer exports state the effort`() throws {
        let column = "session_rate_of_perceived_exertion"
        let recordings = try read(
            database(
                Self.run + [
                    "ALTER TABLE exercise_session_record_table ADD COLUMN \(column) REAL",
                    "UPDATE exercise_session_record_table SET \(column) = CASE row_id WHEN 7 THEN 6.5 ELSE 0 END",
                ]))
        #expect(recordings.map(\.labels.effort) == [nil, 6.5])
    }

    /// Minutes, and the whole.
    @Test(arguments: [1620.0, 1700, 900])
    func `distances that an app counted twice count once`(whole: Double) throws {
        let again = """
            INSERT INTO distance_record_table SELECT NULL, NULL, 1, NULL, \(Self.start), 0, \(Self.start + 600_000), 0, \(whole)
                FROM exercise_session_record_table WHERE row_id = 7
            """
        let run = try read(database(Self.run + [again]))[1]
        #expect(abs(run.values("distanceWalkingRunning").reduce(0, +) - 1620) < 1e-6)
    }

    @Test func `rows with one number do not trap`() throws {
        let twice = [
            "CREATE TABLE copies AS SELECT * FROM exercise_session_record_table",
            "DROP TABLE exercise_session_record_table",
            "CREATE TABLE exercise_session_record_table AS SELECT * FROM copies UNION ALL SELECT * FROM copies",
        ]
        #expect(try read(database(Self.run + twice)).count == 4)
    }

    @Test func `another database and an export without exercises hold no workout`() throws {
        let other = try read(database(["CREATE TABLE a(b)"]))
        #expect(
            other.map(\.file.warnings).joined().map(\.message) == [
                "the database is not an export of Health Connect or Gadgetbridge"
            ])
        let empty = try read(database(Self.run + ["DELETE FROM exercise_session_record_table"]))
        #expect(empty.map(\.file.warnings).joined().map(\.message) == ["the database holds no workout"])
    }

    @Test func `impossible times and values are left out`() throws {
        let odd = [
            "INSERT INTO exercise_session_record_table VALUES (NULL, NULL, 1, NULL, 9e18, NULL, 9.1e18, NULL, 33, NULL, NULL)",
            "INSERT INTO exercise_session_record_table VALUES (NULL, NULL, 1, NULL, NULL, NULL, 5, NULL, 33, NULL, NULL)",
            "INSERT INTO exercise_session_record_table VALUES (NULL, NULL, 1, NULL, 5, NULL, 4, NULL, 33, NULL, NULL)",
            "INSERT INTO heart_rate_record_series_table VALUES (1, -5, \(Self.start)), (1, 1e300, \(Self.start + 1500))",
            "INSERT INTO heart_rate_record_series_table VALUES (1, 'x', 'y'), (99, 70, \(Self.start)), (1, NULL, NULL)",
            "INSERT INTO exercise_route_table VALUES (7, 9e300, 1, 1, 1, 1, 1), (7, NULL, 1, 1, 1, 1, 1)",
            "INSERT INTO exercise_laps_table VALUES (7, 9e300, 9e301, 1), (7, NULL, NULL, NULL)",
            "INSERT INTO exercise_segments_table VALUES (7, 0, 9e300, 67, 0), (7, \(Self.start + 310_000), \(Self.start + 350_000), 67, 0)",
            "INSERT INTO distance_record_table VALUES (NULL, NULL, 1, NULL, \(Self.start), 0, \(Self.start), 0, 1e308)",
        ]
        let recordings = try read(database(Self.run + odd))
        #expect(recordings.count == 2)
        #expect(recordings[1].values("heartRate").count == 601 - 59)
        #expect(recordings[1].pauses.map(\.duration) == [60])
        #expect(abs(recordings[1].values("distanceWalkingRunning").reduce(0, +) - 1620) < 1e-6)
    }

    @Test func `a truncated or damaged database gives exercises or an error`() throws {
        let readings = ["INTO heart_rate_record_series_table", "INTO exercise_route_table"]
        let bytes = try database(
            Self.run.enumerated().filter { number, line in number % 20 == 0 || !readings.contains(where: line.contains)
            }
            .map(\.element))
        for count in stride(from: 16, to: bytes.count, by: 1024 + 7) { _ = try? read(Array(bytes[..<count])) }
        for seed in 0..<100 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var damaged = bytes
            for _ in 0..<20 {
                damaged[Int.random(in: 16..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            for recording in (try? read(damaged)) ?? [] { for _ in recording.entries {} }
        }
        do {
            _ = try read(Array(bytes[..<5000]))
            Issue.record("it was read")
        } catch {
            #expect("\(error)".contains("export it again"))
        }
    }
}
