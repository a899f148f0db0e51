import Foundation
import HealthKit
import Reports
import StoredWorkouts

/// The volume of training in a period: a calendar, and bars by activity.
struct SpanVolume {
    /// The workouts, oldest first.
    var workouts: [HKWorkout]
    var history: TrainingHistory
    var page: Page

    private var calendarOfDays: Calendar { Calendar.reader(page.timeZone) }

    // MARK: The calendar

    /// A calendar for each year, with the table of its weeks.
    var calendar: Markup {
        let calendar = calendarOfDays
        let byDay = Dictionary(grouping: workouts) { calendar.startOfDay(for: $0.startDate) }
        var markup = Markup()
        let years = Dictionary(grouping: history.days) { calendar.component(.year, from: $0.start) }
        for (year, days) in years.sorted(by: { $0.key > $1.key }) {
            guard let first = days.first else { continue }
            let months = Dictionary(Self.months(days.map(\.start), page, isOfMonths: true).map { ($0.day, $0.text) }) {
                a, _ in a
            }
            let cells = days.enumerated().map { index, day -> CalendarPicture.Day in
                let own = byDay[day.start] ?? []
                let seconds = own.reduce(0) { $0 + $1.duration }
                let titles = own.map {
                    "\(ActivityTitle.of($0.workoutActivityType.caseName)) \(MetricFormat.time($0.duration))"
                }
                let date = page.sortableDay(day.start)
                return CalendarPicture.Day(
                    level: own.isEmpty ? 0 : seconds < 1800 ? 1 : seconds < 3600 ? 2 : seconds < 7200 ? 3 : 4,
                    title: "\(page.day(day.start)): \(titles.joined(separator: ", "))",
                    date: page.shortDay(day.start), amount: MetricFormat.time(seconds), month: months[index],
                    link: "#" + Self.identity(ofDay: date))
            }
            let active = cells.count { $0.level > 0 }
            guard active > 0 else { continue }
            let row = (calendar.component(.weekday, from: first.start) - calendar.firstWeekday + 7) % 7
            markup.element("h3", text: "\(year)")
            markup.append(
                CalendarPicture(cells, firstRow: row)
                    .markup(label: "\(year): " + localized("%1 with a workout", localizedCount(active, "day"))))
        }
        markup.append(
            CalendarPicture.legend([
                localized("up to 30 min"), localized("up to 1 h"), localized("up to 2 h"), localized("more"),
            ]))
        return markup
    }

    /// Returns the identity of the day's latest workout in the list below, to which the calendar links.
    static func identity(ofDay date: String) -> String { "day-\(date)" }

    /// Returns the positions where months begin in a series of days, or years if there are many.
    static func months(_ days: [Date], _ page: Page, isOfMonths: Bool = false) -> [(day: Int, text: String)] {
        var places: [(day: Int, text: String)] = []
        let step = isOfMonths ? 1 : max(1, Int((Double(days.count) / 30 / 10).rounded(.up)))
        for (index, day) in days.enumerated() {
            let parts = page.sortableDay(day).split(separator: "-").compactMap { Int($0) }
            guard parts.count == 3, parts[2] == 1 else { continue }
            let month = parts[1] - 1
            let name = Language.current.shortMonth(parts[1])
            if step <= 1 {
                places.append((index, name))
            } else if step <= 6 {
                if month % step == 0 { places.append((index, month == 0 ? "\(parts[0])" : name)) }
            } else if month == 0 {
                places.append((index, "\(parts[0])"))
            }
        }
        if places.isEmpty, !isOfMonths, days.count > 1 {
            return stride(from: 0, to: days.count, by: max(1, days.count / 7)).map {
                ($0, page.dayOfYear(days[$0]))
            }
        }
        return places
    }

    // MARK: Bars

    /// The styles of activities. Those beyond them share one.
    private static let styles: [StaticString] = ["z2", "z3", "z4", "z5", "z6", "z1"]

    private struct Bucket {
        var text: String
        /// The text without the year, for days and weeks, of which there are few.
        var shortText: String
        var workouts: [HKWorkout] = []
    }

    /// The length of a bar: days for a month, weeks for two years, months for more.
    private var unit: (component: Calendar.Component, name: String, title: String) {
        switch history.days.count {
        case ...31: (.day, localized("Day"), localized("Hours per day"))
        case ...750: (.weekOfYear, localized("Week"), localized("Hours per week"))
        default: (.month, localized("Month"), localized("Hours per month"))
        }
    }

    private var buckets: [Bucket] {
        let calendar = calendarOfDays
        let component = unit.component
        guard let first = history.days.first?.start, let last = history.days.last?.start else { return [] }
        var buckets: [Bucket] = []
        var places: [Date: Int] = [:]
        var next = calendar.dateInterval(of: component, for: first)?.start
        while let start = next, start <= last {
            places[start] = buckets.count
            buckets.append(
                component == .month
                    ? Bucket(text: page.shortMonth(start), shortText: page.shortMonth(start))
                    : Bucket(text: page.shortDay(start), shortText: page.dayOfYear(start)))
            next = calendar.date(byAdding: component, value: 1, to: start)
        }
        for workout in workouts {
            let start = calendar.dateInterval(of: component, for: workout.startDate)?.start
            if let index = start.flatMap({ places[$0] }) { buckets[index].workouts.append(workout) }
        }
        return buckets
    }

    var markup: Markup {
        let buckets = buckets
        var times: [String: Double] = [:]
        for workout in workouts { times[workout.workoutActivityType.caseName, default: 0] += workout.duration }
        let activities = times.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
        let shown = Array(
            activities.prefix(activities.count > Self.styles.count ? Self.styles.count - 1 : Self.styles.count))
        var kinds = zip(shown, Self.styles).map { (ActivityTitle.of($0), $1) }
        if shown.count < activities.count { kinds.append((localized("Others"), "z1")) }
        let step = (buckets.count + 5) / 6
        let bars = buckets.enumerated().map { index, bucket in
            var hours = [Double](repeating: 0, count: kinds.count)
            for workout in bucket.workouts {
                let kind = shown.firstIndex(of: workout.workoutActivityType.caseName) ?? kinds.count - 1
                hours[kind] += workout.duration / 3600
            }
            return StackedBars.Bar(index % step == 0 ? bucket.shortText : "", hours)
        }
        var markup = Markup()
        let chart = StackedBars(bars, kinds: kinds) { MetricFormat.short($0) + " h" }
        if let drawn = chart.markup(label: localized("%1, by activity", unit.title)) {
            markup.element("figure") { page in
                page.element("figcaption", text: unit.title)
                page.append(drawn)
            }
        }
        markup.element("details") { page in
            page.element("summary", text: localized("Show as a table"))
            page.append(table(buckets))
        }
        return markup
    }

    private func table(_ buckets: [Bucket]) -> Markup {
        var table = DataTable(
            columns: [unit.name, localized("Workouts"), localized("Time"), localized("Distance")], isSortable: true)
        for (index, bucket) in buckets.enumerated() where !bucket.workouts.isEmpty {
            let seconds = bucket.workouts.reduce(0) { $0 + $1.duration }
            let meters = bucket.workouts.compactMap(\.metersCovered).reduce(0, +)
            table.rows.append([
                .init(bucket.text, order: Double(index)),
                .init("\(bucket.workouts.count)", order: Double(bucket.workouts.count)),
                .init(MetricFormat.time(seconds), order: seconds.rounded()),
                .init(meters > 0 ? MetricFormat.distance(meters) : "", order: meters.rounded()),
            ])
        }
        return table.markup
    }
}
