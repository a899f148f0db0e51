import Engine
import Foundation
import HealthKit
import Recordings
import Reports
import SessionLog
import StoredWorkouts

/// A page of the list of stored workouts, newest first, each with a link to its report. The first page also has weekly
/// totals.
struct HistoryPage {
    /// The number of workouts on a page. A longer page is slow to open.
    static let workoutsOnAPage = 250

    /// The number of the page, from 1 on.
    private let number: Int
    private let filter: WorkoutFilter
    /// The values typed into the form: options of `workout list` by name.
    private let query: [(name: String, value: String)]
    private let workouts: [HKWorkout]
    private let hasOlder: Bool
    private let best: BestEfforts
    private let goals: GoalReport
    private let page: Page

    /// - Parameters:
    ///   - number: The page. 1 has the newest workouts.
    ///   - query: The query of the page's address. It selects workouts as the options of `workout list` do.
    /// - Throws: `CommandFailure` for a value that the option would not accept.
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

    /// Returns the number of a page in an address, or nil if no page can have it.
    static func number(_ text: String?) -> Int? {
        guard let text else { return 1 }
        return Int(text).flatMap { (1...100_000).contains($0) ? $0 : nil }
    }

    /// Links to the other pages.
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

    /// Links to newer and older workouts. Empty if all are on this page.
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

    /// Returns the address of another page of the same search.
    private func address(ofPage number: Int) -> String {
        let all = query + (number > 1 ? [("page", "\(number)")] : [])
        let parts = all.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
        }
        return "/history" + (parts.isEmpty ? "" : "?" + parts.joined(separator: "&"))
    }

    private static let fields: [(name: StaticString, title: String, example: String)] = [
        ("text", "Text", "lake"), ("tag", "Tag", "race"), ("activity", "Activity", ""),
        ("from", "From", "2026-01"), ("to", "To", "2026-03"), ("min-distance", "At least", "5km"),
        ("max-distance", "At most", "10km"), ("min-duration", "Longer than", "45m"),
        ("max-duration", "Shorter than", "2h"), ("device", "Device", "watch"),
    ]

    /// The search form, folded until a search was made.
    private var search: Markup {
        var markup = Markup()
        markup.element("details", ["class": "search", "open": filter.isEmpty ? nil : ""]) { page in
            page.element("summary", text: localized("Search"))
            page.element("form", ["method": "get", "action": "/history"]) { form in
                for (name, title, example) in Self.fields {
                    let value = query.first { $0.name == "\(name)" }?.value
                    form.element("label") { label in
                        label.text(localized(title) + " ")
                        if "\(name)" == "activity" {
                            activities(chosen: value, &label)
                        } else {
                            label.void(
                                "input", ["name": "\(name)", "value": value, "placeholder": example, "size": "10"])
                        }
                    }
                }
                form.element("button", text: localized("Search"))
                if !filter.isEmpty { form.element("a", ["href": "/history"], text: localized("Show all")) }
            }
        }
        return markup
    }

    /// By their names in the reader's language.
    private func activities(chosen: String?, _ label: inout Markup) {
        let all = HKWorkoutActivityType.allActivityTypes.map {
            (name: $0.caseName, title: ActivityTitle.of($0.caseName))
        }
        label.element("select", ["name": "activity"]) { list in
            list.element("option", ["value": ""]) { _ in }
            for (name, title) in all.sorted(by: { $0.title < $1.title }) {
                let isChosen = name.lowercased() == chosen?.lowercased()
                list.element("option", ["value": name, "selected": isChosen ? "" : nil], text: title)
            }
        }
    }

    private var weeks: Markup {
        // The page may not have all workouts of the oldest week.
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
