import Foundation
import HealthKit
import Reports

/// A part of the stored workouts, newest first, each a link to its report; the first part also week by week.
struct HistoryPage {
    /// A page of more is slow to open.
    static let workoutsOnAPage = 250

    /// From 1 on.
    private let number: Int
    private let workouts: [HKWorkout]
    private let hasOlder: Bool
    private let best: BestEfforts
    private let goals: GoalReport
    private let page: Page

    /// - Parameter number: 1 for the newest workouts.
    init(_ number: Int = 1, in environment: HealthEnvironment, _ page: Page) throws {
        let last = number * Self.workoutsOnAPage
        let found = try StoredWorkouts(environment.database).all(limit: last + 1)
        workouts = Array(found.prefix(last).dropFirst(last - Self.workoutsOnAPage))
        hasOlder = found.count > last
        self.number = number
        best = try BestEfforts(in: environment.database)
        goals = try GoalReport(in: environment, at: environment.time.now(), page.timeZone)
        self.page = page
    }

    /// The number that an address asks for; nil for none that a page can have.
    static func number(_ text: String?) -> Int? {
        guard let text else { return 1 }
        return Int(text).flatMap { (1...100_000).contains($0) ? $0 : nil }
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
        let title = number > 1 ? "Workouts, page \(number)" : "Workouts"
        var document = ReportDocument(title: title)
        document.body.element("header") { markup in
            markup.append(Self.ways)
            markup.element("h1", text: title)
        }
        guard !workouts.isEmpty else {
            document.body.reason(
                number > 1
                    ? "No workouts are on this page."
                    : "No workouts are stored yet. Record one with 'workout record', or import files with 'workout import'."
            )
            return document
        }
        if number == 1, !goals.progress.isEmpty {
            document.section("Goals", "goals", PageParts.tables([("Goals", goals.table(page))]))
        }
        if number == 1 { document.section("Weeks", "weeks", weeks) }
        document.section(number == 1 ? "Latest" : "Earlier", "latest", list)
        document.body.append(neighbours)
        return document
    }

    /// Links to newer and older workouts; nothing if all are here.
    private var neighbours: Markup {
        var markup = Markup()
        let links = [
            ("← Newer workouts", number - 1, number > 1), ("Older workouts →", number + 1, hasOlder),
        ].filter(\.2)
        guard !links.isEmpty else { return markup }
        markup.element("nav", ["aria-label": "Neighbours"]) { page in
            for (title, number, _) in links {
                page.element("a", ["href": number > 1 ? "/history?page=\(number)" : "/history"], text: title)
            }
        }
        return markup
    }

    private var weeks: Markup {
        // Of the oldest week, not all workouts may be here.
        let totals = WeekTotals(workouts, page.timeZone).weeks.filter { $0.count > 0 }
        let longest = totals.map(\.durationInSeconds).max() ?? 0
        var table = DataTable(columns: ["Week of", "Workouts", "Time", "Distance", ""])
        table.rows = (hasOlder ? totals.dropLast() : totals).map { week in
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
            columns: ["Start", "Activity", "Duration", "Distance", "Avg heart rate", "Record", "Source"],
            isSortable: true)
        table.isCardsOnPhones = true
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
                .init(best.records(heldBy: workout.uuid).recordText), .init(workout.sourceRevision.source.name),
            ]
        }
        return table.markup
    }
}
