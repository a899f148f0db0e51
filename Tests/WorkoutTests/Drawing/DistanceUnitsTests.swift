import ArgumentParser
import Foundation
import HealthKit
import Reports
import StoredWorkouts
import Testing

@testable import workout

@Suite struct DistanceUnitsTests {
    private func imperial(_ text: () -> String) -> String { DistanceUnits.$ofTask.withValue(.imperial) { text() } }

    @Test func `distances, paces and speeds have the chosen units`() {
        #expect(imperial { MetricFormat.distance(5_000) } == "3.11 mi")
        #expect(imperial { MetricFormat.distance(100) } == "328 ft")
        #expect(imperial { MetricFormat.pace(300) } == "8:03 /mi")
        #expect(imperial { MetricFormat.speed(10) } == "22.4 mph")
        #expect(MetricFormat.distance(5_000) == "5.00 km")
    }

    @Test func `in the water a pace is per hundred metres or yards`() {
        #expect(MetricFormat.swimPace(1.12) == "1:52 /100 m")
        #expect(imperial { MetricFormat.swimPace(1.12) } == "1:42 /100 yd")
        #expect(MetricFormat.swimPace(.infinity) == "-- /100 m")
    }

    @Test(arguments: [
        ("en_US.UTF-8", ReportDocument.Paper.letter), ("fr_CA", .letter), ("de_DE.UTF-8@euro", .a4), ("en_GB", .a4),
        ("C.UTF-8", .a4), ("", .a4),
    ])
    func `a locale decides the paper size`(locale: String, paper: ReportDocument.Paper) {
        #expect(ReportDocument.Paper(environment: ["LANG": locale]) == paper)
        #expect(
            ReportDocument.Paper(environment: ["LANG": "en_US", "LC_PAPER": locale])
                == (locale.isEmpty ? .letter : paper))
    }

    @Test(arguments: [
        ("en_US.UTF-8", DistanceUnits.imperial), ("en_GB", .imperial), ("de_DE.UTF-8@euro", .metric),
        ("C.UTF-8", .metric),
        ("en", .metric), ("", .metric),
    ])
    func `a locale decides the units`(locale: String, units: DistanceUnits) {
        #expect(DistanceUnits.of(locale: ["LANG": locale]) == units)
        #expect(
            DistanceUnits.of(locale: ["LANG": "en_US", "LC_MEASUREMENT": locale.isEmpty ? "de_DE" : locale]) == units)
    }

    @Test func `laps follow their sport: km on a bicycle, hundreds of metres in the water`() {
        var workout = WorkoutSummary.run
        workout.activities = [
            .init(activity: "swimming", start: workout.start, end: workout.start + 1_000, durationInSeconds: 1_000),
            .init(activity: "cycling", start: workout.start + 1_100, end: workout.end, durationInSeconds: 2_600),
        ]
        let lines = SummaryTable(columns: 100, timeZone: .gmt).lines(workout: workout)
        #expect(lines.contains { $0.contains("pace, speed") })
        #expect(lines.contains { $0.contains("0:29 /100 m") })
        #expect(lines.contains { $0.contains("12.2 km/h") })
    }

    @Test func `a command takes units`() throws {
        #expect(try Show.parse(["8F3A", "--units", "imperial"]).distances.units == .imperial)
        #expect(try Show.parse(["8F3A", "--units", "uk"]).distances.units == .imperial)
        #expect(throws: (any Error).self) { try List.parse(["--units", "furlongs"]) }
    }

    /// A live view asks for them several times in each frame, ten times a second.
    @Test func `units can be read throughout a long session`() {
        for _ in 0..<300_000 { _ = DistanceUnits.current }
        #expect(DistanceUnits.allCases.contains(DistanceUnits.current))
    }
}
