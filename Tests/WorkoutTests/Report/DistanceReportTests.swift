import Analytics
import Foundation
import HealthKit
import Recordings
import Testing

@testable import workout

/// Splits, climb and best efforts by distance: of a recording, of what is stored of it, and of all history.
@Suite struct DistanceReportTests {
    private static let start = Date(timeIntervalSinceReferenceDate: 700_000_000)

    /// A run uphill, of some seconds at some speed, with a pause of a minute after 1,000 m.
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

    @Test func `splits are the same of a recording and of what is stored of it`() throws {
        let recording = Self.run(from: Self.start, metersPerSecond: 4, seconds: 600)
        var live = DistanceAnalysis()
        for entry in recording.entries { live.take(entry) }
        let runs = StoredRuns()
        let kept = try DistanceAnalysis(save(recording, runs), in: runs.database)
        for analysis in [live, kept] {
            let splits = analysis.splits(ofMeters: 1000)
            #expect(splits.map(\.stretch.meters) == [1000, 1000, 400])
            #expect(splits.map(\.activeSeconds) == [250, 250, 100])
            #expect(splits.map(\.stretch.elapsedSeconds) == [250, 310, 100])
            #expect(splits.allSatisfy { $0.averageHeartRate == 150 })
            let speeds = splits.compactMap(\.gradeAdjustedSpeed)
            #expect(speeds.allSatisfy { abs($0 - 4 * RunningCost.levelMeters(atGrade: 0.1)) < 0.2 }, "\(speeds)")
            #expect(abs(try #require(analysis.altitude.climb()).ascent - 240) < 1)
            #expect(analysis.endInSeconds == 660 && analysis.distance.movingSeconds == 600)
            // The clock goes on in the pause.
            #expect(analysis.efforts(in: "running").first { $0.meters == 1000 }?.seconds == 250)
            #expect(analysis.efforts(in: "running").first { $0.meters == 1609.344 }?.seconds == 1609.344 / 4 + 60)
            #expect(analysis.efforts(in: "yoga").isEmpty)
        }
    }

    @Test func `the report has splits, climb and efforts, in the units that are asked for`() throws {
        let runs = StoredRuns()
        let workout = try save(Self.run(from: Self.start, metersPerSecond: 4, seconds: 600), runs)
        let report = DistanceReport(
            analysis: try DistanceAnalysis(workout, in: runs.database), activity: "running")
        let lines = DistanceUnits.$choice.withValue({ .metric }) { report.lines(StoredRuns.utc) }.joined(
            separator: "\n")
        for text in [
            "Splits", "4:10 /km", "400 m", "on the level", "ascent", "240 m", "0:10:00 of 0:11:00", "1 mile", "0:07:42",
        ] {
            #expect(lines.contains(text), "\(text) is not in\n\(lines)")
        }
        let miles = DistanceUnits.$choice.withValue({ .imperial }) { report.lines(StoredRuns.utc) }.joined(
            separator: "\n")
        #expect(miles.contains("/mi") && miles.contains("786 ft"), "\(miles)")
        #expect(DistanceReport(analysis: DistanceAnalysis(), activity: "yoga").lines(StoredRuns.utc).isEmpty)
    }

    @Test func `records name the fastest workout of each sport and distance`() throws {
        let runs = StoredRuns()
        let slow = try save(Self.run(from: Self.start, metersPerSecond: 2.5, seconds: 2000), runs)
        let fast = try save(Self.run(from: Self.start + 86_400, metersPerSecond: 4, seconds: 300), runs)
        let ride = try save(
            Self.run(from: Self.start + 2 * 86_400, metersPerSecond: 8, seconds: 700, activity: "cycling"), runs)
        let records = try DistanceRecords(of: [slow, fast, ride], in: runs.database)
        let running = try #require(records.bySport["running"])
        #expect(running.map(\.effort.meters) == [400, 800, 1000, 1609.344, 3000, 5000])
        #expect(running.map(\.workout.uuid) == [fast, fast, fast, slow, slow, slow].map(\.uuid))
        #expect(running.first?.date == fast.startDate)
        #expect(records.bySport["cycling"]?.map(\.effort.meters) == [5000])
        let text = records.lines(StoredRuns.utc).joined(separator: "\n")
        #expect(text.contains(fast.uuid.uuidString.prefix(8)) && text.contains("5 km"), "\(text)")
        #expect(records.json.text.contains(slow.uuid.uuidString))
    }

    @Test func `a distance that is known as a whole only has no splits and no efforts`() throws {
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
        #expect(analysis.splits(ofMeters: 1000).isEmpty && analysis.efforts(in: "running").isEmpty)
        let runs = StoredRuns()
        let workout = try save(Recording(entries: entries, file: RecordingSummary(format: "jsonl")), runs)
        #expect(try DistanceRecords(of: [workout], in: runs.database).bySport.isEmpty)
    }
}
