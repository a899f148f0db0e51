import Foundation
import Recordings
import SessionLog
import StoredWorkouts
import Testing

@testable import workout

@Suite struct BigDigitsTests {
    @Test func `digits may have five rows`() {
        #expect(
            BigDigits.rows("17", size: .medium) == [
                "  ██    ██████",
                "████        ██",
                "  ██        ██",
                "  ██        ██",
                "██████      ██",
            ])
    }

    @Test func `digits may be half blocks`() {
        #expect(BigDigits.rows("28", size: .small) == ["▀▀█ █▀█", "█▀▀ █▀█", "▀▀▀ ▀▀▀"])
    }

    @Test(arguments: BigDigits.Size.allCases)
    func `all rows of a number are equally wide`(size: BigDigits.Size) {
        let rows = BigDigits.rows("0123456789-", size: size)
        #expect(rows.count == size.rows)
        #expect(Set(rows.map(\.count)).count == 1)
    }
}

@Suite struct SparklineTests {
    @Test func `values are drawn in eighths`() {
        let values = (0..<8).map { Double($0) }
        #expect(Sparkline.rows(values, range: 0...7, columns: 8, rows: 1) == ["▁▂▃▄▅▆▇█"])
        #expect(Sparkline.rows([0, 7.5, 15], range: 0...15, columns: 3, rows: 2) == [" ▁█", "▁██"])
    }

    @Test func `a gap is empty, not a zero`() {
        #expect(Sparkline.rows([7, nil, 7], range: 0...7, columns: 3, rows: 1) == ["█ █"])
    }

    @Test func `the newest value is at the right edge`() {
        #expect(Sparkline.rows([7], range: 0...7, columns: 3, rows: 1) == ["  █"])
        #expect(Sparkline.rows([0, 0, 7], range: 0...7, columns: 1, rows: 1) == ["█"])
    }

    @Test func `the range is never narrower than requested`() {
        #expect(Sparkline.range(of: [100, nil, 102], atLeast: 10) == 96...106)
        #expect(Sparkline.range(of: [100, 150], atLeast: 10) == 100...150)
        #expect(Sparkline.range(of: [nil, .nan], atLeast: 10) == nil)
    }
}

@Suite struct HorizontalBarTests {
    @Test(arguments: [
        (0, "    "), (0.5, "██  "), (0.28125, "█▏  "), (0.001, "▏   "), (1, "████"), (7, "████"), (-1, "    "),
        (.nan, "    "),
    ])
    func `a bar is filled from the left`(fraction: Double, bar: String) {
        #expect(HorizontalBar.text(fraction, columns: 4) == bar)
    }
}

@Suite struct MetricFormatTests {
    @Test(arguments: [
        (MetricFormat.time(0), "0:00:00"), (MetricFormat.time(3_723.9), "1:02:04"),
        (MetricFormat.clock(3_723.9), "1:02:03"), (MetricFormat.clock(299.9999999), "0:05:00"),
        (MetricFormat.time(93_600), "26:00:00"),
        (MetricFormat.time(-1), "--"), (MetricFormat.time(.nan), "--"), (MetricFormat.time(1e300), "--"),
        (MetricFormat.paddedClock(300), "00:05:00"), (MetricFormat.shortTime(62), "1:02"),
        (MetricFormat.shortTime(3_662), "1:01:02"), (MetricFormat.distance(949.6), "950 m"),
        (MetricFormat.distance(999.6), "1.00 km"), (MetricFormat.distance(10_234), "10.23 km"),
        (MetricFormat.pace(293.6), "4:54 /km"), (MetricFormat.pace(.infinity), "-- /km"),
        (MetricFormat.speed(10), "36.0 km/h"), (MetricFormat.fixed(-0.2, 0), "0"), (MetricFormat.short(92), "92"),
        (MetricFormat.short(41.25), "41.25"), (MetricFormat.replaySpeed(nil), "max"),
        (MetricFormat.replaySpeed(0.5), "0.5x"),
    ])
    func `values are formatted for people`(text: String, expected: String) {
        #expect(text == expected)
    }

    @Test(arguments: [
        ([30.06, 119.96, 300], ["0:00:30.1", "0:02:00.0", "0:05:00.0"]), ([30, 60], ["0:00:30", "0:01:00"]),
        ([300.6, 299.4, 12.5], ["0:05:01", "0:04:59", "0:00:13"]),
        ([1e300, 1.5, 2], ["--", "0:00:01.5", "0:00:02.0"]),
    ])
    func `short laps are shown in tenths`(seconds: [Double], texts: [String]) {
        let start = Date(timeIntervalSinceReferenceDate: 0)
        let laps = seconds.map { WorkoutSummary.Lap(start: start, end: start, durationInSeconds: $0) }
        #expect(laps.map(LapTimeFormat(laps).text) == texts)
    }
}

@Suite struct ActivityTitleTests {
    @Test(arguments: [
        ("running", "Running"), ("traditionalStrengthTraining", "Traditional strength training"),
        ("swimBikeRun", "Swim bike run"), ("", "Workout"),
    ])
    func `an activity is named in words`(activity: String, title: String) {
        #expect(ActivityTitle.of(activity) == title)
    }

    @Test func `the location comes first`() {
        #expect(ActivityTitle.of("running", location: .indoor) == "Indoor running")
    }

    @Test func `abbreviations stay whole`() {
        #expect(ActivityTitle.words("HeartRateVariabilitySDNN") == "heart rate variability SDNN")
    }
}
