import Foundation
import HealthKit
import Reports

/// The totals of each week, newest first, in the reader's time zone and with the weeks of the reader's country.
struct WeekTotals {
    struct Week: Equatable {
        var start: Date
        var count = 0
        /// The duration without pauses.
        var durationInSeconds = 0.0
        var distanceInMeters = 0.0
    }

    /// The number of weeks in the list. A week without workouts is listed between two that have some.
    static let mostWeeks = 12
    private(set) var weeks: [Week] = []

    init(_ workouts: [HKWorkout], _ timeZone: TimeZone) {
        let calendar = Calendar.reader(timeZone)
        var found: [Date: Week] = [:]
        for workout in workouts {
            guard let start = calendar.dateInterval(of: .weekOfYear, for: workout.startDate)?.start else { continue }
            var week = found[start] ?? Week(start: start)
            week.count += 1
            week.durationInSeconds += workout.duration
            week.distanceInMeters += workout.totalDistance?.doubleValue(for: .meter()) ?? 0
            found[start] = week
        }
        guard var next = found.keys.max(), let oldest = found.keys.min() else { return }
        while next >= oldest, weeks.count < Self.mostWeeks {
            weeks.append(found[next] ?? Week(start: next))
            guard let before = calendar.date(byAdding: .weekOfYear, value: -1, to: next) else { return }
            next = before
        }
    }

    func lines(_ page: Page) -> [String] {
        let longest = weeks.map(\.durationInSeconds).max() ?? 0
        let room = min(40, page.columns - 56)
        var table = ColumnTable(columns: [
            .init(title: localized("week of")), .init(title: localized("workouts"), isNumber: true),
            .init(title: localized("duration"), isNumber: true),
            .init(title: localized("distance"), isNumber: true),
        ])
        if room >= 5 { table.columns.append(.init(title: "", minimumWidth: room)) }
        table.rows = weeks.map { week in
            let share = longest > 0 ? week.durationInSeconds / longest : 0
            return .values(
                [
                    page.shortDay(week.start), "\(week.count)", MetricFormat.time(week.durationInSeconds),
                    week.distanceInMeters > 0 ? MetricFormat.distance(week.distanceInMeters) : "",
                ] + (room >= 5 ? [HorizontalBar.text(share, columns: room, unicode: page.capability.unicode)] : []))
        }
        return table.lines(page)
    }
}
