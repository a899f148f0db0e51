import Foundation
import HealthKit
import Reports

/// The stored workouts, newest first, week by week, each a link to its report.
struct HistoryPage {
    /// A page of more is slow to open; the reports of months have all of them.
    static let mostWorkouts = 500

    private let workouts: [HKWorkout]
    private let isCut: Bool
    private let page: Page

    init(in environment: HealthEnvironment, _ page: Page) throws {
        let found = try StoredWorkouts(environment.database).all(limit: Self.mostWorkouts + 1)
        workouts = Array(found.prefix(Self.mostWorkouts))
        isCut = found.count > Self.mostWorkouts
        self.page = page
    }

    /// The other pages.
    static var ways: Markup {
        var markup = Markup()
        markup.element("nav", ["aria-label": "Pages"]) { page in
            for (path, title) in [
                ("/", "Live"), ("/board", "Board"), ("/history", "Workouts"), ("/reports/week", "This week"),
                ("/reports/month", "This month"), ("/reports/year", "This year"), ("/reports/all", "All time"),
            ] {
                page.element("a", ["href": path], text: title)
            }
        }
        return markup
    }

    var document: ReportDocument {
        var document = ReportDocument(title: "Workouts")
        document.body.element("header") { markup in
            markup.append(Self.ways)
            markup.element("h1", text: "Workouts")
            if isCut {
                markup.element(
                    "p", ["class": "soft"],
                    text: "The latest \(Self.mostWorkouts) workouts. 'This year' and 'All time' list more.")
            }
        }
        guard !workouts.isEmpty else {
            document.body.reason(
                "No workouts are stored yet. Record one with 'workout record', or import files with 'workout import'.")
            return document
        }
        document.section("Weeks", "weeks", weeks)
        document.section("Latest", "latest", list)
        return document
    }

    private var weeks: Markup {
        // Of the oldest one, not all may be here.
        let totals = WeekTotals(workouts, page.timeZone).weeks.filter { $0.count > 0 }
        let longest = totals.map(\.durationInSeconds).max() ?? 0
        var table = DataTable(columns: ["Week of", "Workouts", "Time", "Distance", ""])
        table.rows = (isCut ? totals.dropLast() : totals).map { week in
            [
                .init(page.sortableDay(week.start)), .init("\(week.count)"),
                .init(MetricFormat.time(week.durationInSeconds)),
                .init(week.distanceInMeters > 0 ? MetricFormat.distance(week.distanceInMeters) : ""),
                .init(bar: longest > 0 ? week.durationInSeconds / longest : 0, PageStyle.zone(2)),
            ]
        }
        return table.markup
    }

    private var list: Markup {
        var table = DataTable(
            columns: ["Start", "Activity", "Moving time", "Distance", "Avg heart rate", "Source"], isSortable: true)
        table.rows = workouts.map { workout in
            let start = workout.startDate
            return [
                .init(
                    page.minute(start), order: start.timeIntervalSince1970, link: ServedHistory.address(of: workout)
                ),
                .init(ActivityTitle.of(workout.workoutActivityType.caseName)),
                .init(MetricFormat.time(workout.duration), order: workout.duration),
                .init(workout.metersCovered.map(MetricFormat.distance) ?? "", order: workout.metersCovered),
                .init(workout.averageHeartRate.map(MetricFormat.heartRate) ?? "", order: workout.averageHeartRate),
                .init(workout.sourceRevision.source.name),
            ]
        }
        return table.markup
    }
}
