import Analytics
import Foundation
import HealthKit
import Recordings
import SessionLog
import StoredWorkouts
import Testing

@testable import workout

/// Splits, climb and best efforts by distance: of a recording, of its stored workout, and of the whole history.
@Suite struct DistanceReportTests {
    private static let start = Date(timeIntervalSinceReferenceDate: 700_000_000)

    /// An uphill run of some seconds at a given speed, with a pause of a minute after 1,000 m.
    private static func run(
        from start: Date, metersPerSecond speed: Double, seconds: Int, activity: String = "running"
    ) -> Recording {
        var entries = [
            SessionEntry(start, .header(SessionHeader(id: UUID(), activity: ActivityDescription(activity: activity)))),
            SessionEntry(start, .state(.running)),
        ]
        var date = start
        let type = activity == "cycling" ? "distanceCycling" : "distanceWalkingRunning"
        for second in 1...seconds {
            let before = date
            date += 1
            entries.append(
                SessionEntry(date, .quantity(QuantityReading(type, speed, unit: "m", start: before, end: date))))
            entries.append(
                SessionEntry(
                    date, .quantity(QuantityReading("heartRate", 150, unit: "count/min", start: date, end: date))))
            entries.append(
                SessionEntry(
                    date,
                    .position(
                        PositionReading(
                            latitudeInDegrees: 48, longitudeInDegrees: 11,
                            altitudeInMeters: 500 + Double(second) * speed / 10))))
            if Double(second) * speed == 1000 {
                entries.append(SessionEntry(date, .state(.paused)))
                date += 60
                entries.append(SessionEntry(date, .state(.running)))
            }
        }
        entries.append(SessionEntry(date, .state(.stopped)))
        return Recording(entries: entries, file: RecordingSummary(format: "jsonl"))
    }

    private func save(_ recording: Recording, _ runs: StoredRuns) throws -> HKWorkout {
        let id = UUID()
        _ = try HKHealthStore(environment: runs.environment).save(recording, as: id)
        return try StoredWorkouts(runs.database).workout(id.uuidString)
    }

    @Test func `splits are the same for a recording and its stored workout`() throws {
        let recording = Self.run(from: Self.start, metersPerSecond: 4, seconds: 600)
        var live = DistanceAnalysis()
        for entry in recording.entries { live.take(entry) }
        let runs = StoredRuns()
        let kept = try DistanceAnalysis(save(recording, runs), in: runs.database)
        for analysis in [live, kept] {
            let leg = try #require(analysis.legs.first)
            #expect(analysis.legs.count == 1 && leg.activity == "running")
            let splits = analysis.splits(of: leg, meters: 1000)
            #expect(splits.map(\.stretch.meters) == [1000, 1000, 400])
            #expect(splits.map(\.activeSeconds) == [250, 250, 100])
            #expect(splits.map(\.stretch.elapsedSeconds) == [250, 310, 100])
            #expect(splits.allSatisfy { $0.averageHeartRate == 150 })
            let speeds = splits.compactMap(\.gradeAdjustedSpeed)
            #expect(speeds.allSatisfy { abs($0 - 4 * RunningCost.levelMeters(atGrade: 0.1)) < 0.2 }, "\(speeds)")
            #expect(abs(try #require(analysis.altitude.climb()).ascent - 240) < 1)
            #expect(analysis.endInSeconds == 660 && analysis.movingSeconds == 600)
            // The clock continues during the pause.
            #expect(leg.efforts.first { $0.meters == 1000 }?.seconds == 250)
            #expect(leg.efforts.first { $0.meters == 1609.344 }?.seconds == 1609.344 / 4 + 60)
        }
    }

    @Test func `the report has splits, climb and efforts in the chosen units`() throws {
        let runs = StoredRuns()
        let workout = try save(Self.run(from: Self.start, metersPerSecond: 4, seconds: 600), runs)
        let report = try DistanceReport(workout, in: runs.database)
        let lines = DistanceUnits.$ofTask.withValue(.metric) { report.lines(StoredRuns.utc) }.joined(
            separator: "\n")
        for text in [
            "Splits", "4:10 /km", "400 m", "on the level", "ascent", "240 m", "moving time", "1 mile", "0:07:42",
            "record",
        ] {
            #expect(lines.contains(text), "\(text) is not in\n\(lines)")
        }
        let miles = DistanceUnits.$ofTask.withValue(.imperial) { report.lines(StoredRuns.utc) }.joined(
            separator: "\n")
        #expect(miles.contains("/mi") && miles.contains("786 ft"), "\(miles)")
        #expect(report.facts.last?.text == "0:10:00")
        #expect(DistanceReport(analysis: DistanceAnalysis()).lines(StoredRuns.utc).isEmpty)
    }

    /// One kilometre of swimming in 2,000 s, and 10 km on a bicycle in 1,000 s with 200 W.
    private static func duathlon() -> Recording {
        func leg(_ activity: String) -> SessionEntry.Content {
            .activityBegan(ActivityRecord(id: UUID(), activity: ActivityDescription(activity: activity)))
        }
        var entries = [
            SessionEntry(start, .header(SessionHeader(id: UUID(), activity: .init(activity: "swimBikeRun")))),
            SessionEntry(start, .state(.running)), SessionEntry(start, leg("swimming")),
        ]
        for second in 1...3000 {
            let (before, date) = (start + Double(second - 1), start + Double(second))
            let isSwim = second <= 2000
            let type = isSwim ? "distanceSwimming" : "distanceCycling"
            entries.append(
                SessionEntry(
                    date, .quantity(QuantityReading(type, isSwim ? 0.5 : 10, unit: "m", start: before, end: date))))
            if !isSwim {
                entries.append(
                    SessionEntry(
                        date, .quantity(QuantityReading("cyclingPower", 200, unit: "W", start: date, end: date))))
            }
            if second == 2000 { entries.append(SessionEntry(date, leg("cycling"))) }
        }
        entries.append(SessionEntry(start + 3000, .state(.stopped)))
        return Recording(entries: entries, file: RecordingSummary(format: "jsonl"))
    }

    @Test func `each activity of a multisport workout has splits and efforts of its own sport`() throws {
        let runs = StoredRuns()
        let workout = try save(Self.duathlon(), runs)
        let report = try DistanceReport(workout, in: runs.database)
        let splits = report.splits(StoredRuns.utc)
        #expect(splits.map(\.title) == ["Splits: swimming", "Splits: cycling"])
        #expect(splits.map(\.table.rows.count) == [10, 10])
        let text = report.lines(StoredRuns.utc).joined(separator: "\n")
        #expect(text.contains("3:20 /100 m") && text.contains("36.0 km/h") && !text.contains("/km"), "\(text)")
        let records = try BestEfforts(in: runs.database)
        #expect(records.bySport(.distance).map(\.activity) == ["cycling", "swimming"])
        #expect(records.bySport(.power).map(\.activity) == ["cycling"])
        let power = try #require(records.bySport(.power).first?.records)
        #expect(power.map(\.effort.key.length) == [5, 30, 60, 300, 600] && power.allSatisfy { $0.effort.value == 200 })
        // The whole workout is in kilometres per hour everywhere.
        #expect(SpeedForm(workout) == .speed)
        #expect(try SpeedForm(WorkoutSummary(workout, in: runs.database, wearer: nil)) == .speed)
    }

    @Test func `records name the fastest workout of each sport and distance`() throws {
        let runs = StoredRuns()
        let slow = try save(Self.run(from: Self.start, metersPerSecond: 2.5, seconds: 2000), runs)
        let fast = try save(Self.run(from: Self.start + 86_400, metersPerSecond: 4, seconds: 300), runs)
        let ride = try save(
            Self.run(from: Self.start + 2 * 86_400, metersPerSecond: 8, seconds: 700, activity: "cycling"), runs)
        let best = try BestEfforts(of: [ride, fast, slow], in: runs.database)
        let bySport = Dictionary(uniqueKeysWithValues: best.bySport(.distance).map { ($0.activity, $0.records) })
        let running = try #require(bySport["running"])
        #expect(running.map(\.effort.key.length) == [400, 800, 1000, 1609.344, 3000, 5000])
        #expect(running.map(\.workout.uuid) == [fast, fast, fast, slow, slow, slow].map(\.uuid))
        #expect(running.first?.date == fast.startDate)
        #expect(bySport["cycling"]?.map(\.effort.key.length) == [5000])
        #expect(
            best.records(heldBy: fast.uuid).filter { $0.key.measure == .distance }.map(\.key.length) == [
                400, 800, 1000,
            ])
        #expect(best.records(heldBy: slow.uuid).recordText == "5 km +2")
        let text = best.lines(StoredRuns.utc).joined(separator: "\n")
        for words in [
            String(fast.uuid.uuidString.prefix(8)), "5 km", "Best pace by time: running", "Best speed by time",
        ] {
            #expect(text.contains(words), "\(words) is not in\n\(text)")
        }
        #expect(best.distanceJSON.text.contains(slow.uuid.uuidString))
        let list = WorkoutListing(workouts: [slow], best: best)
        #expect(list.lines(StoredRuns.utc)[1].contains("5 km +2"))
        #expect(list.jsonLines[0].contains(#"{"activity":"running","meters":5000,"seconds":"#))
    }

    @Test(arguments: [("running", 12.0, true), ("running", 13, false), ("cycling", 13, true)])
    func `an impossible speed is not a record`(activity: String, speed: Double, isRecord: Bool) throws {
        let runs = StoredRuns()
        let workout = try save(
            Self.run(from: Self.start, metersPerSecond: speed, seconds: 600, activity: activity), runs)
        let efforts = try WorkoutEfforts(workout, in: runs.database).efforts
        #expect(efforts.contains { $0.key.measure == .distance } == isRecord)
    }

    @Test func `efforts are cached until their workout changes`() throws {
        let runs = StoredRuns()
        let first = try save(Self.run(from: Self.start, metersPerSecond: 2.5, seconds: 2000), runs)
        let worked = try StoredEfforts(of: [first], in: runs.database).byWorkout
        #expect(worked[first.uuid] == (try WorkoutEfforts(first, in: runs.database)))
        let kept = try #require(try runs.database.setting(StoredEfforts.setting))
        #expect(try StoredEfforts(of: [first], in: runs.database).byWorkout == worked)
        #expect(try runs.database.setting(StoredEfforts.setting) == kept)

        let second = try save(Self.run(from: Self.start + 86_400, metersPerSecond: 4, seconds: 300), runs)
        let both = try StoredEfforts(of: [first, second], in: runs.database).byWorkout
        #expect(both.count == 2 && both[first.uuid] == worked[first.uuid])

        // An app adds what the first one covered in its last minute.
        let date = first.endDate
        let more = HKQuantitySample(
            type: HKQuantityType(.distanceWalkingRunning), quantity: HKQuantity(unit: .meter(), doubleValue: 100),
            start: date - 60, end: date)
        try runs.database.add([(more, nil)], toWorkout: first.uuid, from: .current)
        let changed = try StoredEfforts(of: [first, second], in: runs.database).byWorkout
        #expect(changed[first.uuid] == (try WorkoutEfforts(first, in: runs.database)))
        #expect(changed[first.uuid] != worked[first.uuid] && changed[second.uuid] == both[second.uuid])

        // Bytes of another version, or cut ones, are computed again.
        for bytes in [Data([99]), Data(kept.dropLast(5)), Data()] {
            try runs.database.updateSetting(StoredEfforts.setting) { _ in bytes }
            #expect(try StoredEfforts(of: [first, second], in: runs.database).byWorkout == changed)
        }
        _ = try runs.database.delete([second.uuid], owner: nil)
        #expect(
            try BestEfforts(in: runs.database).bySport(.distance).allSatisfy {
                $0.records.allSatisfy { $0.workout.uuid == first.uuid }
            })
    }

    @Test func `a swim has no ascent`() throws {
        for (activity, climbs) in [("swimming", false), ("running", true)] {
            var analysis = DistanceAnalysis()
            for entry in Self.run(from: Self.start, metersPerSecond: 2, seconds: 300, activity: activity).entries {
                analysis.take(entry)
            }
            #expect((analysis.climb != nil) == climbs && (analysis.altitude.climb() != nil) == climbs)
        }
    }

    @Test func `a heart rate before a pause does not count for the pause`() throws {
        func quantity(_ type: String, _ value: Double, _ unit: String, from start: Int, to end: Int) -> SessionEntry {
            let (start, end) = (Self.start + Double(start), Self.start + Double(end))
            return SessionEntry(end, .quantity(QuantityReading(type, value, unit: unit, start: start, end: end)))
        }
        var analysis = DistanceAnalysis()
        let header = SessionHeader(id: UUID(), activity: ActivityDescription(activity: "running"))
        analysis.take(SessionEntry(Self.start, .header(header)))
        analysis.take(SessionEntry(Self.start, .state(.running)))
        for second in 0..<200 where second < 100 || second >= 160 {
            if second == 160 {
                analysis.take(SessionEntry(Self.start + 100, .state(.paused)))
                analysis.take(SessionEntry(Self.start + 160, .state(.running)))
            }
            analysis.take(quantity("heartRate", second < 100 ? 100 : 200, "count/min", from: second, to: second))
            analysis.take(quantity("distanceWalkingRunning", 10, "m", from: second, to: second + 1))
        }
        let leg = try #require(analysis.legs.first)
        let split = try #require(analysis.splits(of: leg, meters: 1400).first)
        #expect(split.activeSeconds == 140)
        // The last value before a gap is not held.
        let sum = 100.0 * 100 + 39 * 200
        #expect(abs(try #require(split.averageHeartRate) - sum / 139) < 1e-9)
    }

    @Test func `a signal lost for minutes costs no splits, unless it covers most of the distance`() throws {
        func splits(lostInMeters: Double) throws -> [Double] {
            var entries = Array(Self.run(from: Self.start, metersPerSecond: 5, seconds: 180).entries)
            let found = entries.removeLast().date + 150
            entries += [
                SessionEntry(
                    found,
                    .quantity(
                        QuantityReading(
                            "distanceWalkingRunning", lostInMeters, unit: "m", start: found - 150, end: found))),
                SessionEntry(found, .state(.stopped)),
            ]
            var analysis = DistanceAnalysis()
            for entry in entries { analysis.take(entry) }
            let leg = try #require(analysis.legs.first)
            return analysis.splits(of: leg, meters: 500).map(\.stretch.meters)
        }
        #expect(try splits(lostInMeters: 99) == [500, 499])
        #expect(try splits(lostInMeters: 101).isEmpty)
    }

    @Test func `a distance known only as a total has no splits and no efforts`() throws {
        var entries = [
            SessionEntry(
                Self.start, .header(SessionHeader(id: UUID(), activity: ActivityDescription(activity: "running")))),
            SessionEntry(Self.start, .state(.running)),
        ]
        let end = Self.start + 1500
        entries.append(
            SessionEntry(
                end, .quantity(QuantityReading("distanceWalkingRunning", 5000, unit: "m", start: Self.start, end: end)))
        )
        entries.append(SessionEntry(end, .state(.stopped)))
        var analysis = DistanceAnalysis()
        for entry in entries { analysis.take(entry) }
        let leg = try #require(analysis.legs.first)
        #expect(analysis.splits(of: leg, meters: 1000).isEmpty && leg.efforts.isEmpty)
        let runs = StoredRuns()
        let workout = try save(Recording(entries: entries, file: RecordingSummary(format: "jsonl")), runs)
        #expect(try BestEfforts(of: [workout], in: runs.database).bySport(.distance).isEmpty)
    }
}
