import ArgumentParser
import Foundation
import HealthKit

/// `--week`, `--month`, `--year`, `--all`.
enum ReportSpan: String, EnumerableFlag {
    case week, month, year, all

    static func help(for value: ReportSpan) -> ArgumentHelp? {
        switch value {
        case .week: "The week (from Monday) that contains --to or today."
        case .month: "The month that contains --to or today."
        case .year: "The year that contains --to or today."
        case .all: "All stored workouts, up to --to."
        }
    }

    struct Named {
        var title: String
        var fileName: String
        /// Nil for that of the first workout.
        var start: Date?
        var end: Date
    }

    /// - Parameter end: The last moment lies before it.
    static func named(_ span: ReportSpan?, from start: Date?, to end: Date, _ page: Page) -> Named {
        let calendar = Calendar.gregorian(page.timeZone)
        let last = end - 1
        let day = page.sortableDay(last)
        let component: Calendar.Component
        switch span {
        case .week: component = .weekOfYear
        case .month: component = .month
        case .year: component = .year
        case .all: return Named(title: "All workouts", fileName: "workouts-until-\(day)", start: nil, end: end)
        case nil:
            let from = start.map { page.sortableDay($0) } ?? ""
            return Named(
                title: "Workouts from \(from) to \(day)", fileName: "workouts-\(from)-to-\(day)", start: start, end: end
            )
        }
        guard let interval = calendar.dateInterval(of: component, for: last) else {
            return Named(title: "Workouts", fileName: "workouts", start: last, end: end)
        }
        let first = page.sortableDay(interval.start)
        var named = Named(
            title: "Week from \(page.day(interval.start))", fileName: "workouts-week-\(first)", start: interval.start,
            end: min(interval.end, end))
        if component == .year {
            named.title = String(first.prefix(4))
            named.fileName = "workouts-\(first.prefix(4))"
        } else if component == .month {
            named.title = "\(months[(calendar.component(.month, from: interval.start) - 1) % 12]) \(first.prefix(4))"
            named.fileName = "workouts-\(first.prefix(7))"
        }
        return named
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
}
