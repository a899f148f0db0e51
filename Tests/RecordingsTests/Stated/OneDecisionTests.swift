import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

/// Times, laps, pauses and distances in formats that state few of them: decided as for FIT.
struct OneDecisionTests {
    // MARK: Tables

    private static func table(_ rows: [String], columns: String = "heart_rate_bpm,distance_m") -> String {
        (["seconds,\(columns)"] + rows).joined(separator: "\n") + "\n"
    }

    @Test func `a corrected count of a table adds up to its total`() throws {
        let recording = try TableTexts.read(
            Self.table(["0,100,0", "10,101,500", "20,102,490", "30,103,500", "40,104,510"]))
        #expect(recording.metersCovered == 510)
    }

    @Test func `a restarted count of a table continues`() throws {
        let recording = try TableTexts.read(
            Self.table(["0,100,0", "10,101,500", "20,102,10", "30,103,60", "40,104,110"]))
        #expect(recording.metersCovered == 610)
    }

    @Test func `a table of positions without a distance covers the way between them`() throws {
        let recording = try TableTexts.read(
            Self.table(
                ["0,100,46.0,14.0", "10,101,46.001,14.0", "20,102,46.002,14.0"],
                columns: "heart_rate_bpm,latitude,longitude"), TableOptions(zone: .gmt, activity: "running"))
        #expect(abs(recording.metersCovered - 222.3) < 0.5)
    }

    private static let days = ["2024-05-01T08:00:00Z", "2024-05-01T08:00:10Z", "2024-05-03T08:00:10Z"]

    @Test func `more than a day without a row is a pause, with a warning`() throws {
        let recording = try TableTexts.read(
            "time,hr\n" + (Self.days + ["2024-05-03T08:00:20Z"]).map { "\($0),100\n" }.joined())
        #expect(recording.pauses.map { [$0.start, $0.end] } == [[1, 2].map { TableTexts.date(Self.days[$0]) }])
        #expect(recording.file.warnings.contains { $0.message.contains("taken for a pause") })
    }

    @Test func `years between two rows are a clock that was set, and later rows stay`() throws {
        let recording = try TableTexts.read(
            "time,hr\n" + ["2015-01-01T00:00:00Z", "2015-01-01T00:00:10Z"].map { "\($0),99\n" }.joined()
                + (0...5).map { "2024-05-01T08:00:0\($0)Z,100\n" }.joined())
        #expect(recording.start == TableTexts.date("2024-05-01T07:59:49Z"))
        #expect(recording.end == TableTexts.date("2024-05-01T08:00:05Z"))
        #expect(recording.seconds("heartRate") == [0, 10, 11, 12, 13, 14, 15, 16])
        #expect(recording.file.warnings.contains { $0.message.contains("the clock was set") })
    }

    // MARK: Tracks

    private static func gpx(_ times: [String]) -> String {
        TrackText.gpx(
            "<trk><trkseg>"
                + times.enumerated().map { "<trkpt lat=\"46\" lon=\"14.000\($0)\"><time>\($1)</time></trkpt>" }.joined()
                + "</trkseg></trk>")
    }

    @Test func `a day within a GPX segment is a pause`() throws {
        let recording = try #require(try TrackText.read(Self.gpx(Self.days)).first)
        #expect(recording.pauses.map { [$0.start, $0.end] } == [[1, 2].map { TableTexts.date(Self.days[$0]) }])
        #expect(recording.file.warnings.contains { $0.message.contains("taken for a pause") })
    }

    @Test func `years within a GPX segment are a clock that was set`() throws {
        let times = ["2015-01-01T00:00:00Z", "2015-01-01T00:00:10Z", "2024-05-01T08:00:00Z", "2024-05-01T08:00:30Z"]
        let recording = try #require(try TrackText.read(Self.gpx(times)).first)
        #expect(recording.start == TableTexts.date("2024-05-01T07:59:49Z"))
        #expect(recording.end == TableTexts.date("2024-05-01T08:00:30Z"))
        #expect(recording.entries.map(\.date) == recording.entries.map(\.date).sorted())
        #expect(recording.metersCovered > 20)
    }

    @Test func `a TCX lap that begins with a pause, or pauses for a second between tracks, keeps it`() throws {
        let text = TrackText.tcx(
            TrackText.activity(
                "Running",
                TrackText.lap(0, seconds: 29, TrackText.track(20...30) + TrackText.track(31...50))
                    + TrackText.lap(50, seconds: 10, TrackText.track(51...60))))
        let recording = try #require(try TrackText.read(text).first)
        #expect(recording.pauseSeconds == [[0, 20], [30, 31]])
    }

    @Test func `the gap as long as the missing time is the pause, and not a longer one`() throws {
        let laps =
            TrackText.lap(0, seconds: 100, TrackText.track([0, 22, 44, 66, 88, 100]))
            + TrackText.lap(120, seconds: 20, TrackText.track([120, 140]))
        let recording = try #require(try TrackText.read(TrackText.tcx(TrackText.activity("Other", laps))).first)
        #expect(recording.pauseSeconds == [[100, 120]])
    }

    @Test func `consecutive tracks have no pause between them, however many there are`() throws {
        let laps = TrackText.lap(
            0, seconds: 50, (0..<5).map { TrackText.track($0 * 10..<($0 + 1) * 10) }.joined() + TrackText.track([50]))
        let recording = try #require(try TrackText.read(TrackText.tcx(TrackText.activity("Running", laps))).first)
        #expect(recording.pauses.isEmpty)
    }

    @Test func `a lap ends when its time has passed outside the pauses`() throws {
        let text = TrackText.tcx(
            TrackText.activity(
                "Running",
                TrackText.lap(0, seconds: 47, TrackText.track(0...20) + TrackText.track(30...53))
                    + TrackText.lap(57, seconds: 10, TrackText.track(58...67))))
        let recording = try #require(try TrackText.read(text).first)
        #expect(recording.pauseSeconds == [[20, 30]])
        let ends = recording.events(.lap).map { $0.end.timeIntervalSince(TrackText.start) }
        #expect(ends == [57, 67])
    }

    @Test func `a lap that starts when a pause ends may contain readings of the pause`() throws {
        var stated = StatedWorkout()
        stated.samples = 0...200
        stated.breaks = [TimeSpan(start: 100, end: 170)]
        stated.laps = [
            StatedWorkout.Stretch(start: 0, active: 100, samples: 0...99),
            StatedWorkout.Stretch(start: 170, active: 30, samples: 100...200),
        ]
        let laps = StatedLaps(stated, try #require(WorkoutTimes(stated))).laps
        #expect(laps.map { [$0.start, $0.end] } == [[0, 100], [170, 200]])
    }

    @Test func `a segment that repeats the one before adds only new points`() throws {
        let text = TrackText.gpx("<trk>\(TrackText.segment(0...10))\(TrackText.segment(0...20))</trk>")
        let recording = try #require(try TrackText.read(text).first)
        #expect(recording.positions.count == 21)
        #expect(recording.pauses.isEmpty)
        #expect(recording.end == TrackText.start + 20)
    }

    @Test func `two zeros are not a position`() throws {
        let points = ["47.0\" lon=\"8.0", "0\" lon=\"0", "47.001\" lon=\"8.0"].enumerated().map {
            "<trkpt lat=\"\($1)\"><time>\(TrackText.time($0))</time></trkpt>"
        }
        let recording = try #require(
            try TrackText.read(TrackText.gpx("<trk><trkseg>\(points.joined())</trkseg></trk>")).first)
        #expect(recording.positions.count == 2)
        #expect(abs(recording.metersCovered - 111.2) < 0.5)
    }

    @Test func `kilometres in place of metres are not believed if laps and positions agree on another distance`()
        throws
    {
        func point(_ second: Int) -> String {
            "<Position><LatitudeDegrees>\(47 + Double(second) / 10_000)</LatitudeDegrees><LongitudeDegrees>8</LongitudeDegrees>"
                + "</Position>" + TrackText.distance(Double(second) * 0.011)
        }
        let text = TrackText.tcx(
            TrackText.activity("Running", TrackText.lap(0, seconds: 100, meters: 1100, TrackText.track(0...100, point)))
        )
        let recording = try #require(try TrackText.read(text).first)
        #expect(abs(recording.metersCovered - 1100) < 0.1)
        #expect(recording.file.warnings.contains { $0.message.contains("between the positions was taken") })
    }

    @Test func `positions of a lap with a stated distance are scaled to it`() throws {
        func point(_ second: Int) -> String {
            "<Position><LatitudeDegrees>\(47 + Double(second) / 40_000)</LatitudeDegrees><LongitudeDegrees>8</LongitudeDegrees>"
                + "</Position>"
        }
        let text = TrackText.tcx(
            TrackText.activity(
                "Running",
                TrackText.lap(0, seconds: 100, meters: 290, TrackText.track(0...100, point))
                    + TrackText.lap(100, seconds: 100, meters: 270, TrackText.track(101...200, point))
                    + TrackText.lap(200, seconds: 100, meters: 900, TrackText.track(201...300, point))))
        let recording = try #require(try TrackText.read(text).first)
        let byLap = [0...100, 101...200, 201...300].map { seconds in
            recording.readings("distanceWalkingRunning").filter {
                (Double(seconds.lowerBound)...Double(seconds.upperBound)).contains(
                    $0.end.timeIntervalSince(TrackText.start))
            }.reduce(0) { $0 + $1.value }
        }
        #expect(byLap.map { $0.rounded() } == [290, 270, 278])
    }

    @Test func `a last lap that states more time than its points last has its stated duration`() throws {
        let laps = (0..<3).map { TrackText.lap($0 * 60, seconds: 60, TrackText.track([$0 * 60])) }.joined()
        let recording = try #require(try TrackText.read(TrackText.tcx(TrackText.activity("Biking", laps))).first)
        #expect(recording.end == TrackText.start + 180)
        #expect(recording.events(.lap).map { $0.end.timeIntervalSince($0.start) } == [60, 60, 60])
    }

    @Test func `laps that all start before the workout start their duration before they were written`() throws {
        var stated = StatedWorkout()
        stated.samples = 1000...1900
        stated.laps = [(1300, 300), (1600, 300), (1900, 298)].map { written, elapsed in
            StatedWorkout.Stretch(start: 10, written: written, elapsed: elapsed)
        }
        stated.sessions = [StatedWorkout.Stretch(start: 1000, elapsed: 900)]
        let laps = StatedLaps(stated, try #require(WorkoutTimes(stated))).laps
        #expect(laps.map { [$0.start, $0.end] } == [[1000, 1300], [1300, 1600], [1602, 1900]])
    }

    @Test func `a last lap that starts with the workout starts its duration before it was written`() throws {
        var stated = StatedWorkout()
        stated.samples = 0...900
        stated.laps = [
            StatedWorkout.Stretch(start: 0, written: 300, elapsed: 300),
            StatedWorkout.Stretch(start: 300, written: 600, elapsed: 300),
            StatedWorkout.Stretch(start: 0, written: 900, elapsed: 300),
        ]
        let laps = StatedLaps(stated, try #require(WorkoutTimes(stated))).laps
        #expect(laps.map { [$0.start, $0.end] } == [[0, 300], [300, 600], [600, 900]])
    }

    // MARK: Captures

    @Test func `more than a day without a notification is a pause of a capture`() throws {
        var capture = CaptureBuilder(.pcapng)
        capture.connect(at: 0)
        capture.discover(at: 1)
        for second in [2.0, 3, 4, 200_004, 200_005] { capture.heartRate([0x00, 60], at: second) }
        let source = RecordingSource(path: "capture", bytes: capture.bytes)
        let recording = try #require(try RecordingFile.readAll(source).first)
        let pauses = recording.pauses.map { pause in
            [pause.start, pause.end].map { $0.timeIntervalSince(CaptureBuilder.start).rounded() }
        }
        #expect(pauses == [[4, 200_004]])
        let dates = recording.entries.dropFirst().map(\.date)
        #expect(dates == dates.sorted())
        #expect(recording.file.warnings.contains { $0.message.contains("taken for a pause") })
    }
}
