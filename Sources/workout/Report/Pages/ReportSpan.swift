import ArgumentParser
import Foundation
import HealthKit
import Reports

/// `--week`, `--month`, `--year`, `--all`.
enum ReportSpan: String, EnumerableFlag {
    case week, month, year, all

    static func help(for value: ReportSpan) -> ArgumentHelp? {
        switch value {
        case .week: "The week that contains --to or today; when it starts depends on the country of your locale."
        case .month: "The month that contains --to or today."
        case .year: "The year that contains --to or today."
        case .all: "All stored workouts, up to --to."
        }
    }

    struct Named {
        var title: String
        var fileName: String
        /// The start of the period. Nil means that of the first workout.
        var start: Date?
        var end: Date
    }

    /// - Parameter end: The end, exclusive.
    static func named(_ span: ReportSpan?, from start: Date?, to end: Date, _ page: Page) -> Named {
        let calendar = Calendar.reader(page.timeZone)
        let last = end - 1
        let day = page.sortableDay(last)
        let component: Calendar.Component
        switch span {
        case .week: component = .weekOfYear
        case .month: component = .month
        case .year: component = .year
        case .all:
            return Named(title: localized("All workouts"), fileName: "workouts-until-\(day)", start: nil, end: end)
        case nil:
            let from = start.map { page.sortableDay($0) } ?? ""
            return Named(
                title: localized("Workouts from %1 to %2", start.map { page.shortDay($0) } ?? "", page.shortDay(last)),
                fileName: "workouts-\(from)-to-\(day)", start: start, end: end)
        }
        guard let interval = calendar.dateInterval(of: component, for: last) else {
            return Named(title: localized("Workouts"), fileName: "workouts", start: last, end: end)
        }
        let first = page.sortableDay(interval.start)
        var named = Named(
            title: localized("Week from %1", page.day(interval.start)), fileName: "workouts-week-\(first)",
            start: interval.start,
            end: min(interval.end, end))
        if component == .year {
            named.title = String(first.prefix(4))
            named.fileName = "workouts-\(first.prefix(4))"
        } else if component == .month {
            named.title = page.month(interval.start)
            named.fileName = "workouts-\(first.prefix(7))"
        }
        return named
    }
}
