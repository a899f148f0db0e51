import Analytics
import Foundation
import HealthKit
import SessionLog
import StoredWorkouts
import Testing

@testable import workout

@Suite struct WorkoutChartTests {
    private let runs = StoredRuns()

    @Test(arguments: [20, 40, 60, 80, 120, 200])
    func `heart rate, laps, elevation and route fit the page`(columns: Int) async throws {
        try await runs.replay("intervals")
        let workout = try #require(try StoredWorkouts(runs.database).all().first)
        let summary = try WorkoutSummary(workout, in: runs.database, wearer: nil)
        let chart = try Show.chart(summary, workout, runs.database, nil)
        let lines = SummaryTable(page: Page(columns: columns, timeZone: .gmt)).lines(workout: summary, chart: chart)
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= columns })
        for title in ["Heart rate, bpm", "Elevation, m", "Route, north up"] {
            #expect(lines.contains(title), "\(title)")
        }
        if columns >= 40 { #expect(lines.contains { $0.contains("╷1 lap") && $0.contains("╷2") }) }
        if columns >= 40 { #expect(lines.contains { $0.contains("╵0:00") }) }
    }

    @Test func `a workout without data has no drawing`() {
        let entries = [SessionEntry(WorkoutSummary.run.start, .state(.running))]
        #expect(WorkoutChart(.run, entries, zones: nil).lines(Page()).isEmpty)
    }

    @Test func `a path is interrupted by a pause`() {
        let start = WorkoutSummary.run.start
        func position(_ seconds: Double, _ latitude: Double) -> SessionEntry {
            SessionEntry(
                start + seconds, .position(PositionReading(latitudeInDegrees: latitude, longitudeInDegrees: 0)))
        }
        let entries = [
            SessionEntry(start, .state(.running)), position(1, 0), position(2, 0.001),
            SessionEntry(start + 3, .state(.paused)), SessionEntry(start + 9, .state(.running)), position(10, 0.009),
            position(11, 0.01),
        ]
        let ways = WorkoutChart(.run, entries, zones: nil).lines(Page()).map { $0.text(.none) }
        #expect(ways.drop { $0 != "Route, north up" }.contains(""))
    }

    @Test func `the time below zone 1 has its own row, and the zones keep their numbers`() {
        var summary = WorkoutSummary.run
        summary.belowZonesInSeconds = 400
        let lines = SummaryTable(columns: 80, timeZone: .gmt).lines(workout: summary)
        #expect(lines.contains { $0.hasPrefix(" <1  ") && $0.hasSuffix("0:06:40   10 %") })
        #expect(lines.contains { $0.hasPrefix("  1  ") && $0.hasSuffix("0:05:00    8 %") })
        let json = SummaryJSON.line(workout: summary)
        #expect(json.contains(#""zones":[{"zone":1,"seconds":300}"#) && json.contains(#""belowZones":400"#))
        summary.zones = []
        #expect(!SummaryJSON.line(workout: summary).contains("belowZones"))
    }

    @Test func `a session that was cut off is marked in the list`() {
        var session = SessionState()
        session.apply(
            SessionEntry(
                WorkoutSummary.run.start,
                .header(SessionHeader(id: UUID(), activity: ActivityDescription(activity: "running")))))
        session.apply(SessionEntry(WorkoutSummary.run.start, .state(.running)))
        #expect(
            List.waiting([session], StoredRuns.utc) == [
                "! Running of 2026-11-21 09:00 UTC was interrupted. To save it: workout recover"
            ])
    }
}
