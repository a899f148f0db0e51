import Foundation
import HealthKit
import Testing

@testable import workout

@Suite struct WeekTotalsTests {
    private func workout(_ start: String, minutes: Double) throws -> HKWorkout {
        let date = try Date(start)
        return HKWorkout(activityType: .running, start: date, end: date + minutes * 60)
    }

    @Test func `a week begins on Monday, and an empty week between others is listed`() throws {
        let totals = WeekTotals(
            [
                try workout("2026-11-22T23:00Z", minutes: 30), try workout("2026-11-16T00:00Z", minutes: 60),
                try workout("2026-11-08T12:00Z", minutes: 45),
            ], .gmt)
        #expect(totals.weeks.map(\.count) == [2, 0, 1])
        #expect(totals.weeks.map(\.durationInSeconds) == [5_400, 0, 2_700])
        #expect(
            totals.lines(Page(columns: 66, timeZone: .gmt)) == [
                "week of     workouts  duration  distance",
                "2026-11-16         2   1:30:00            ██████████",
                "2026-11-09         0   0:00:00",
                "2026-11-02         1   0:45:00            █████",
            ])
    }

    @Test func `a week is that of the reader's time zone`() throws {
        let sunday = try workout("2026-11-22T23:00Z", minutes: 30)
        let later = try #require(TimeZone(secondsFromGMT: 7_200))
        #expect(WeekTotals([sunday], .gmt).weeks.first?.start == (try Date("2026-11-16T00:00Z")))
        #expect(WeekTotals([sunday], later).weeks.first?.start == (try Date("2026-11-22T22:00Z")))
    }

    @Test func `years are not listed week by week`() throws {
        let totals = WeekTotals([try workout("2026-11-22", minutes: 1), try workout("2016-11-22", minutes: 1)], .gmt)
        #expect(totals.weeks.count == WeekTotals.mostWeeks)
    }
}
