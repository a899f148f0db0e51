import Foundation
import HealthKit
import Recordings
import Reports
import SessionLog

/// A part of the stored workouts, newest first, each a link to its report; the first part also week by week.
struct HistoryPage {
    /// A page of more is slow to open.
    static let workoutsOnAPage = 250

    /// From 1 on.
    private let number: Int
    private let filter: WorkoutFilter
    /// What was typed into the form: options of `workout list`, by their names.
    private let query: [(name: String, value: String)]
    private let workouts: [HKWorkout]
    private let hasOlder: Bool
    private let best: BestEfforts
    private let goals: GoalReport
    private let page: Page

    /// - Parameters:
    ///   - number: 1 for the newest workouts.
    ///   - query: Of the page's address; it selects workouts as the options of `workout list` do.
    /// - Throws: `CommandFailure` for a value that the option would not take.
    init(
        _ number: Int = 1, query: [(name: String, value: String)] = [], in environment: HealthEnvironment, _ page: Page
    ) throws {
        let last = number * Self.workoutsOnAPage
        var filter = try WorkoutFilterArguments.filter(query: query)
        filter.timeZone = page.timeZone
        let found = try StoredWorkouts(environment.database).all(filter, limit: last + 1)
        self.filter = filter
        self.query = query.filter { $0.name != "page" && !$0.value.isEmpty }
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
        markup.element("nav", ["aria-label": localized("Pages")]) { page in
            for (path, title) in [
                ("/", "Live"), ("/board", "Board"), ("/history", "Workouts"), ("/reports/week", "This week"),
                ("/reports/month", "This month"), ("/reports/year", "This year"), ("/reports/all", "All time"),
            ] {
                page.element("a", ["href": path], text: localized(title))
            }
        }
        return markup
    }

    var document: ReportDocument {
        let title = number > 1 ? localized("Workouts, page %1", "\(number)") : localized("Workouts")
        var document = ReportDocument(title: title)
        document.body.element("header") { markup in
            markup.append(Self.ways)
            markup.element("h1", text: title)
        }
        if number == 1 { document.body.append(search) }
        guard !workouts.isEmpty else {
            document.body.reason(
                number > 1
                    ? localized("No workouts are on this page.")
                    : !filter.isEmpty
                        ? localized("No stored workout matches.")
                        : localized(
                            "No workouts are stored yet. Record one with 'workout record', or import files with 'workout import'."
                        )
            )
            return document
        }
        let isStart = number == 1 && filter.isEmpty
        if isStart, !goals.progress.isEmpty {
            document.section(localized("Goals"), "goals", PageParts.tables([(localized("Goals"), goals.table(page))]))
        }
        if isStart { document.section(localized("Weeks"), "weeks", weeks) }
        document.section(localized(!filter.isEmpty ? "Found" : number == 1 ? "Latest" : "Earlier"), "latest", list)
        document.body.append(neighbours)
        return document
    }

    /// Links to newer and older workouts; nothing if all are here.
    private var neighbours: Markup {
        var markup = Markup()
        let links = [
            (localized("← Newer workouts"), number - 1, number > 1),
            (localized("Older workouts →"), number + 1, hasOlder),
        ].filter(\.2)
        guard !links.isEmpty else { return markup }
        markup.element("nav", ["aria-label": localized("Neighbours")]) { page in
            for (title, number, _) in links {
                page.element("a", ["href": address(ofPage: number)], text: title)
            }
        }
        return markup
    }

    /// With the same search.
    private func address(ofPage number: Int) -> String {
        let all = query + (number > 1 ? [("page", "\(number)")] : [])
        let parts = all.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
        }
        return "/history" + (parts.isEmpty ? "" : "?" + parts.joined(separator: "&"))
    }

    private static let fields: [(name: StaticString, title: String, example: String)] = [
        ("text", "Text", "lake"), ("tag", "Tag", "race"), ("activity", "Activity", "running"),
        ("from", "From", "2026-01"), ("to", "To", "2026-03"), ("min-distance", "At least", "5km"),
        ("max-distance", "At most", "10km"), ("min-duration", "Longer than", "45m"),
        ("max-duration", "Shorter than", "2h"), ("device", "Device", "watch"),
    ]

    /// Folded until something was searched for.
    private var search: Markup {
        var markup = Markup()
        markup.element("details", ["class": "search", "open": filter.isEmpty ? nil : ""]) { page in
            page.element("summary", text: localized("Search"))
            page.element("form", ["method": "get", "action": "/history"]) { form in
                for (name, title, example) in Self.fields {
                    let value = query.first { $0.name == "\(name)" }?.value
                    form.element("label") { label in
                        label.text(localized(title) + " ")
                        label.void("input", ["name": "\(name)", "value": value, "placeholder": example, "size": "10"])
                    }
                }
                form.element("button", text: localized("Search"))
                if !filter.isEmpty { form.element("a", ["href": "/history"], text: localized("Show all")) }
            }
        }
        return markup
    }

    private var weeks: Markup {
        // Of the oldest week, not all workouts may be here.
        let totals = WeekTotals(workouts, page.timeZone).weeks.filter { $0.count > 0 }
        let longest = totals.map(\.durationInSeconds).max() ?? 0
        let headings = ["Week of", "Workouts", "Time", "Distance"].map { localized($0) }
        var table = DataTable(
            columns: headings + [""])
        table.rows = (hasOlder ? totals.dropLast() : totals).map { week in
            [
                .init(page.shortDay(week.start)), .init("\(week.count)"),
                .init(MetricFormat.time(week.durationInSeconds)),
                .init(week.distanceInMeters > 0 ? MetricFormat.distance(week.distanceInMeters) : ""),
                .init(bar: longest > 0 ? week.durationInSeconds / longest : 0, PageStyle.zone(2)),
            ]
        }
        return table.markup
    }

    private var list: Markup {
        var table = DataTable(
            columns: [
                "Start", "Title", "Activity", "Duration", "Distance", "Avg heart rate", "Record", "Tags", "Device",
            ].map { localized($0) },
            isSortable: true)
        table.isCardsOnPhones = true
        table.rows = workouts.map { workout in
            let start = workout.startDate
            return [
                .init(
                    page.at(workout.timeZone).minute(start), order: start.timeIntervalSince1970,
                    link: ServedHistory.address(of: workout)
                ),
                .init(WorkoutTitle.of(workout, page.timeZone)),
                .init(ActivityTitle.of(workout.workoutActivityType.caseName)),
                .init(MetricFormat.time(workout.duration), order: workout.duration),
                .init(workout.metersCovered.map(MetricFormat.distance) ?? "", order: workout.metersCovered),
                .init(workout.averageHeartRate.map(MetricFormat.heartRate) ?? "", order: workout.averageHeartRate),
                .init(best.records(heldBy: workout.uuid).recordText),
                .init(workout.labels.tags.joined(separator: ", ")), .init(workout.deviceName),
            ]
        }
        return table.markup
    }
}
