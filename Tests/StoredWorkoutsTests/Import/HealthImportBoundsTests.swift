import Foundation
import GRDB
import MadeSamples
import Recordings
import StoredWorkouts
import Testing

/// Imports of files that repeat something far more often than real ones.
@Suite struct HealthImportBoundsTests {
    private static func inFolder(_ body: (URL) throws -> Void) throws {
        try TemporaryFolder.with { path in
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try body(URL(fileURLWithPath: path))
        }
    }

    private static func record(
        _ second: Int, _ attributes: String, type: String = "HeartRate", value: Int = 70
    ) -> String {
        let date = "2024-01-0\(1 + second / 86_400) \(clock(second)) +0000"
        return #"<Record type="HKQuantityTypeIdentifier\#(type)" \#(attributes) unit="count/min" startDate="\#(date)" "#
            + #"endDate="\#(date)" value="\#(value)"/>"#
    }

    private static func clock(_ second: Int) -> String {
        String(format: "%02d:%02d:%02d", second / 3600 % 24, second / 60 % 60, second % 60)
    }

    private static func export(_ elements: [String], in folder: URL) throws -> URL {
        let url = folder.appending(path: "export.xml")
        let text = "<HealthData locale=\"en_US\">\n\(elements.joined(separator: "\n"))\n</HealthData>"
        try Data(text.utf8).write(to: url)
        return url
    }

    @Test func `a route file named by many workouts is read and stored once`() throws {
        try Self.inFolder { folder in
            let point = #"<trkpt lon="1" lat="2"><time>2024-01-01T10:00:00Z</time></trkpt>"#
            try Data("<gpx>\(String(repeating: point, count: 5))</gpx>".utf8).write(to: folder.appending(path: "r.gpx"))
            let workouts = (0..<20).map { index in
                #"<Workout workoutActivityType="HKWorkoutActivityTypeRunning" sourceName="W" "#
                    + #"startDate="2024-01-01 10:00:00 +0000" endDate="2024-01-01 1\#(index % 10):30:0\#(index / 10) +0000">"#
                    + #"<WorkoutRoute sourceName="W"><FileReference path="/\#(index % 2 == 0 ? "" : "/")r.gpx"/></WorkoutRoute>"#
                    + "</Workout>"
            }
            let database = SQLiteHealthDatabase(.memory)
            let summary = try HealthImport.run(Self.export(workouts, in: folder), into: database)
            #expect(summary.types["HKWorkoutTypeIdentifier"]?.added == 20)
            #expect(try database.all(HKSeriesType.workoutRoute()).count == 1)
            #expect(
                summary.skipped == [
                    .init(what: "WorkoutRoute", reason: "its file is another route's too, and is kept there only"): 19
                ])
        }
    }

    /// Ten minutes with a heart rate each second and a metre every two seconds, in two laps.
    @Test func `a workout has what its source measured meanwhile`() throws {
        try Self.inFolder { folder in
            let watch = #"sourceName="Watch" sourceVersion="26""#
            // The rate at the very end is one of the last lap.
            var elements = (0..<1200).map { Self.record($0, watch, value: $0 < 600 ? 100 : $0 == 900 ? 151 : 150) }
            elements += stride(from: 300, to: 900, by: 2).map { second in
                #"<Record type="HKQuantityTypeIdentifierDistanceWalkingRunning" \#(watch) unit="m" "#
                    + #"startDate="2024-01-01 \#(Self.clock(second)) +0000" "#
                    + #"endDate="2024-01-01 \#(Self.clock(second + 2)) +0000" value="\#(second < 700 ? 1 : 3)"/>"#
            }
            // A phone in the pocket.
            elements += (0..<20).map { Self.record($0 * 60, #"sourceName="Phone""#, value: 60) }
            elements.append(
                #"""
                <Workout workoutActivityType="HKWorkoutActivityTypeRunning" \#(watch) duration="10" durationUnit="min"
                  startDate="2024-01-01 00:05:00 +0000" endDate="2024-01-01 00:15:00 +0000">
                 <WorkoutEvent type="HKWorkoutEventTypeLap" date="2024-01-01 00:05:00 +0000" duration="5"/>
                 <WorkoutEvent type="HKWorkoutEventTypeLap" date="2024-01-01 00:10:00 +0000" duration="5"/>
                 <WorkoutStatistics type="HKQuantityTypeIdentifierHeartRate" average="125" minimum="100" maximum="150"
                   unit="count/min"/>
                 <WorkoutStatistics type="HKQuantityTypeIdentifierDistanceWalkingRunning" sum="500" unit="m"/>
                </Workout>
                """#)
            let database = SQLiteHealthDatabase(.memory)
            let url = try Self.export(elements, in: folder)
            #expect(try HealthImport.run(url, into: database).workoutsWithSamples == 1)
            let workout = try #require(try database.all(.workoutType()).first as? HKWorkout)
            let summary = try WorkoutSummary(workout, in: database, wearer: nil)
            #expect(summary.laps.map(\.distanceInMeters) == [150, 350])
            #expect(summary.laps.map(\.averageHeartRate) == [100, 150])
            #expect(summary.laps.map(\.maximumHeartRate) == [100, 151])
            let again = try HealthImport.run(url, into: database)
            #expect(again.added == 0 && again.workoutsWithSamples == 0)
        }
    }

    /// A lap each for the times between these seconds. Nil for one that only has a date.
    private static func laps(_ durations: [(second: Int, seconds: Double?)]) throws -> [[Double]] {
        let events = durations.map { second, seconds in
            #"<WorkoutEvent type="HKWorkoutEventTypeLap" date="2024-01-01 \#(clock(second)) +0000" "#
                + (seconds.map { "duration=\"\($0 / 60)\" durationUnit=\"min\"" } ?? "") + "/>"
        }
        var found: [[Double]] = []
        try inFolder { folder in
            let workout =
                #"<Workout workoutActivityType="HKWorkoutActivityTypeRunning" sourceName="Watch" "#
                + #"startDate="2024-01-01 00:01:00 +0000" endDate="2024-01-01 00:05:00 +0000">"#
                + events.joined() + "</Workout>"
            let database = SQLiteHealthDatabase(.memory)
            _ = try HealthImport.run(export([workout], in: folder), into: database)
            let stored = try #require(try database.all(.workoutType()).first as? HKWorkout)
            let summary = try WorkoutSummary(stored, in: database, wearer: nil)
            found = summary.laps.map { lap in
                [lap.start, lap.end].map { ($0.timeIntervalSince(stored.startDate) * 1000).rounded() / 1000 }
            }
        }
        return found
    }

    @Test func `laps whose dates are whole seconds add up, and a rest stays none's`() throws {
        #expect(try Self.laps([(60, 80.7), (140, 59.4), (200, 99.2)]) == [[0, 80], [80, 140], [140, 240]])
        #expect(try Self.laps([(60, 80.7), (150, 59.4)]) == [[0, 80.7], [90, 149.4]])
    }

    @Test func `a lap that has only a date ends there`() throws {
        #expect(try Self.laps([(120, nil), (200, nil), (300, nil)]) == [[0, 60], [60, 140], [140, 240]])
        #expect(try Self.laps([(60, nil), (60, 80), (260, nil)]) == [[0, 80], [80, 200]])
    }

    /// A store of an earlier version has the samples, but doesn't know their workouts.
    @Test func `importing again finds the samples of a workout that has none`() throws {
        try Self.inFolder { folder in
            let rates = (0..<600).map { Self.record($0, #"sourceName="Watch""#) }
            let workout =
                #"<Workout workoutActivityType="HKWorkoutActivityTypeRunning" sourceName="Watch" "#
                + #"startDate="2024-01-01 00:01:00 +0000" endDate="2024-01-01 00:02:00 +0000"/>"#
            let database = SQLiteHealthDatabase(.memory)
            _ = try HealthImport.run(Self.export([workout], in: folder), into: database)
            let stored = try #require(try database.all(.workoutType()).first)
            #expect(try database.all(Made.heartRate, .workout(stored.uuid)).isEmpty)
            let summary = try HealthImport.run(Self.export(rates + [workout], in: folder), into: database)
            #expect(summary.workoutsWithSamples == 1)
            #expect(try database.all(Made.heartRate, .workout(stored.uuid)).count == 61)
        }
    }

    @Test func `data that many sources, versions and devices saved at once is recognized for each`() throws {
        try Self.inFolder { folder in
            var records: [String] = []
            for second in 0..<60 {
                records.append(Self.record(second, #"sourceName="S\#(second % 7)" sourceVersion="\#(second)""#))
                // The same time and value as others, and an exact duplicate.
                records.append(Self.record(second, #"sourceName="S8" device="name:D\#(second % 5), model:M""#))
                records.append(Self.record(30, #"sourceName="S9""#))
            }
            let url = try Self.export(records, in: folder)
            let database = SQLiteHealthDatabase(.memory)
            #expect(try HealthImport.run(url, into: database).added == 180)
            let again = try HealthImport.run(url, into: database)
            #expect(again.added == 0 && again.known == 180)
            // One duplicate more than before is new.
            let more = try Self.export(records + [records[2]], in: folder)
            let later = try HealthImport.run(more, into: database)
            #expect(later.added == 1 && later.known == 180)
        }
    }

    @Test func `a version of a source is found by an index, however many the source has`() throws {
        try Self.inFolder { folder in
            let path = folder.appending(path: "health.sqlite").path
            _ = try HealthImport.run(
                Self.export([Self.record(0, #"sourceName="W" sourceVersion="1""#)], in: folder),
                into: SQLiteHealthDatabase(.file(path)))
            // When the store's own connection closes, it locks the file for a moment.
            var configuration = Configuration()
            configuration.busyMode = .timeout(60)
            let plan = try DatabaseQueue(path: path, configuration: configuration).read { db in
                try Row.fetchAll(
                    db,
                    sql: """
                        EXPLAIN QUERY PLAN SELECT id FROM revision
                        WHERE source = 1 AND version IS '1' AND productType IS NULL AND major = 0 AND minor = 0 AND patch = 0
                        """
                ).map { $0["detail"] as String }.joined()
            }
            #expect(plan.contains("version=? AND productType=? AND major=?"), "\(plan)")
        }
    }

    @Test func `a stopped import leaves what it saved, and the next one adds the rest`() throws {
        try Self.inFolder { folder in
            let records = (0..<30_000).map { Self.record($0, #"sourceName="W""#, value: 60 + $0 % 60) }
            let url = try Self.export(records, in: folder)
            let database = SQLiteHealthDatabase(.memory)
            var questions = 0
            let cut = try HealthImport.run(
                url, into: database,
                isCancelled: {
                    questions += 1
                    return questions > 10
                })
            #expect(cut.wasInterrupted)
            #expect(cut.added < 30_000)
            let rest = try HealthImport.run(url, into: database)
            #expect(!rest.wasInterrupted)
            #expect(rest.known == cut.added && rest.added == 30_000 - cut.added)
            #expect(try database.all(HKQuantityType(.heartRate)).count == 30_000)
        }
    }

    @Test func `distinct reasons and sources in every line are listed up to a limit`() throws {
        try Self.inFolder { folder in
            let records = (0..<1_500).map { Self.record($0, #"sourceName="W""#, type: "Unknown\($0)") }
            let named = (0..<1_500).map { Self.record($0, #"sourceName="S\#($0)""#) }
            let summary = try HealthImport.run(
                Self.export(records + named, in: folder), into: SQLiteHealthDatabase(.memory))
            #expect(summary.skippedCount == 1_500 && summary.skipped.count == 1_001)
            #expect(summary.sources.values.reduce(0, +) == 1_500 && summary.sources.count == 1_001)
        }
    }

    @Test func `overlapping or too many activities are left out of the workout`() throws {
        try Self.inFolder { folder in
            func workout(_ activities: Int, _ end: (Int) -> Int) -> String {
                let parts = (0..<activities).map { index in
                    #"<WorkoutActivity startDate="2024-01-01 \#(Self.clock(index)) +0000" "#
                        + #"endDate="2024-01-01 \#(Self.clock(end(index))) +0000" duration="1" durationUnit="s"/>"#
                }
                return #"<Workout workoutActivityType="HKWorkoutActivityTypeSwimBikeRun" sourceName="W\#(activities)" "#
                    + #"startDate="2024-01-01 00:00:00 +0000" endDate="2024-01-01 01:00:00 +0000">\#(parts.joined())</Workout>"#
            }
            let url = try Self.export(
                [workout(3) { $0 + 1 }, workout(4) { $0 + 2 }, workout(1_200) { $0 + 1 }], in: folder)
            let database = SQLiteHealthDatabase(.memory)
            let summary = try HealthImport.run(url, into: database)
            #expect(summary.skippedCount == 2)
            let counts = try database.all(.workoutType()).compactMap { ($0 as? HKWorkout)?.workoutActivities.count }
            #expect(counts.sorted() == [1, 1, 3])
        }
    }
}
