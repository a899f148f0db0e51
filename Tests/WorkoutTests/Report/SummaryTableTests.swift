import Foundation
import HealthKit
import Recordings
import SessionLog
import StoredWorkouts
import Testing

@testable import workout

@Suite struct SummaryTableTests {
    private func table(_ columns: Int) throws -> SummaryTable {
        SummaryTable(columns: columns, timeZone: try #require(TimeZone(secondsFromGMT: 3_600)))
    }

    @Test func `a workout and its file share one page`() throws {
        #expect(
            try table(80).lines(workout: .run, file: .fit).joined(separator: "\n") == """
                Running                               Sat 21 Nov 2026, 10:00:00 – 11:02:03 UTC+1
                duration 1:00:00   elapsed time 1:02:03   2 laps   1 pause

                Heart rate              min 92  avg 141.7  max 178 bpm
                Distance                12.24 km
                Heart-rate variability  8500 intervals   SDNN 41.2 ms   RMSSD 22.8 ms
                Route                   3600 points   12.25 km

                Zones
                  1  ██████▋                                    0:05:00    8 %
                  2  ████████████████████                       0:15:00   25 %
                  3  ████████████████████████████████████████   0:30:00   50 %
                  4  █████████████▍                             0:10:00   17 %
                  5                                             0:00:00    0 %

                Laps
                    #      start       time   distance       pace    avg bpm    max bpm
                    1   10:00:00    0:16:40    3.40 km   4:54 /km        138        150
                    2   10:18:43    0:43:20    8.84 km   4:54 /km

                Pauses
                  10:16:40 – 10:18:43   0:02:03

                Sensors
                  Polar "H10"  replay

                File          fit, 3 records, 1 session, 2 laps
                  states      elapsed time 1:02:03   duration 1:00:00
                  heart rate  min 92  mean 137.0  max 178 bpm   3 values
                  RR          3 intervals   SDNN 10.0 ms   RMSSD 15.8 ms
                  ! byte 10755: the message has a local type that no definition came before, so
                    it was left out of the recording
                """)
    }

    @Test func `a lap's distance and pace are separated, however wide the pace is`() throws {
        var swim = WorkoutSummary.run
        swim.activity = "swimming"
        swim.activities = []
        for index in swim.laps.indices { swim.laps[index].distanceInMeters = 50 }
        let lines = try table(80).lines(workout: swim)
        let first = try #require(lines.firstIndex { $0.hasPrefix("    #") })
        #expect(lines[first + 1].contains("50 m  33:20 /100 m"), "\(lines[first + 1])")
    }

    @Test func `missing data is a sentence`() throws {
        #expect(
            try table(80).lines(workout: .empty, file: .empty).joined(separator: "\n") == """
                Other                                  Thu 1 Jan 1970, 01:00:00 – 01:01:00 UTC+1
                duration 0:01:00   elapsed time 0:01:00   0 laps   0 pauses

                Heart rate    no heart rate in this recording

                File          jsonl, 0 records
                  heart rate  no heart rate in this file
                """)
    }

    @Test(arguments: [1, 10, 20, 33, 40, 50, 64, 80, 120])
    func `no line is wider than the terminal`(columns: Int) throws {
        var workout = WorkoutSummary.run
        workout.sensors = [.init(name: "跑步传感器 🏃 with a name that goes on and on and on", kind: "bluetooth")]
        workout.statistics.append(
            .init(identifier: String(repeating: "Long", count: 40), unit: "count/min", count: .max, minimum: 1e300))
        for line in try table(columns).lines(workout: workout, file: .fit) {
            #expect(DisplayWidth.of(line) <= columns, "\(line)")
        }
    }

    @Test func `a long list of warnings is shortened with a note`() throws {
        var recording = RecordingSummary(format: "fit")
        recording.warnings = (0..<25).map { RecordingWarning(byte: $0, message: "odd") }
        let lines = try table(80).lines(workout: nil, file: FileSummary(recording))
        #expect(lines.filter { $0.hasPrefix("  ! byte") }.count == 10)
        #expect(lines.last == "    and 15 more warnings; --json lists all")
    }

    @Test func `a workout over midnight names both days`() throws {
        var workout = WorkoutSummary.empty
        workout.start = Date(timeIntervalSince1970: 1_795_300_200)
        workout.end = workout.start + 3_600
        #expect(
            try table(100).lines(workout: workout)[0].hasSuffix(
                "Sat 21 Nov 2026, 23:30:00 – Sun 22 Nov 2026, 00:30:00 UTC+1"))
    }
}
