import Analytics
import Foundation
import HealthKit
import Reports
import StoredWorkouts

/// The page about a period: calendar, volume, load with fitness and fatigue, resting heart rate, records, workouts.
struct SpanPage {
    /// The title: `October 2026`, `All workouts`.
    var title: String
    /// The workouts, oldest first.
    var workouts: [HKWorkout]
    /// The days of the same period.
    var history: TrainingHistory
    /// The best efforts of the period and of all history. Nil if the user did not ask for them.
    var best: (span: BestEfforts, all: BestEfforts)?
    var goals: GoalReport?
    /// The layout, with the reader's time zone.
    var page: Page
    /// Returns the address of a workout's own page. Nil if there are no such pages.
    var address: (@Sendable (HKWorkout) -> String)?

    var document: ReportDocument {
        var document = ReportDocument(title: title)
        document.body.element("header") { markup in
            markup.element("h1", text: title)
            if let first = history.days.first, let last = history.days.last {
                markup.element("p", ["class": "soft"], text: "\(page.day(first.start)) – \(page.day(last.start))")
            }
            if let headline { markup.element("p", ["class": "headline"], text: headline) }
            markup.append(PageParts.facts(facts))
        }
        guard !history.days.isEmpty else {
            document.body.reason(localized("No workouts are stored in this period. 'workout list' lists all."))
            return document
        }
        let volume = SpanVolume(workouts: workouts, history: history, page: page)
        if let goals, !goals.progress.isEmpty {
            document.section(localized("Goals"), "goals", PageParts.tables([(localized("Goals"), goals.table(page))]))
        }
        document.section(localized("Calendar"), "calendar", volume.calendar)
        document.section(localized("Volume"), "volume", volume.markup)
        document.section(localized("Training load, fitness and fatigue"), "load", training)
        document.section(localized("Resting heart rate"), "resting", resting)
        var records = records
        if let best { records.append(PageParts.tables(best.span.tables(page))) }
        document.section(localized("Records"), "records", records)
        document.section(localized("Workouts"), "workouts", list)
        document.footer.element("p", text: localized("Created with OpenHealthKit. Not medical advice."))
        return document
    }

    /// The records that this period brought. Nil for one that is all of history.
    private var headline: String? {
        guard let best, best.all.efforts.byWorkout.count > best.span.efforts.byWorkout.count else { return nil }
        return workouts.flatMap { best.all.records(heldBy: $0.uuid) }.headlineOfPeriod
    }

    var facts: [(label: String, text: String)] {
        var facts = [
            (localized("Workouts"), "\(workouts.count)"),
            (localized("Duration"), MetricFormat.time(workouts.reduce(0) { $0 + $1.duration })),
        ]
        let meters = workouts.compactMap(\.metersCovered).reduce(0, +)
        if meters > 0 { facts.append((localized("Distance"), MetricFormat.distance(meters))) }
        let energy = workouts.compactMap(\.energyInKilocalories).reduce(0, +)
        if energy > 0 { facts.append((localized("Active energy"), MetricFormat.energy(energy))) }
        let load = history.days.reduce(0) { $0 + ($1.load ?? 0) }
        if load > 0 { facts.append((localized("Training load"), MetricFormat.fixed(load, 0))) }
        if let last = history.days.last, let fitness = last.fitness, fitness > 0, let form = last.form {
            facts.append((localized("Fitness"), MetricFormat.fixed(fitness, 1)))
            facts.append((localized("Form"), MetricFormat.fixed(form, 1)))
        }
        return facts
    }

    // MARK: Day by day

    /// Returns the day's date in UTC as seconds since 1970, so that all days are equally long.
    private func seconds(_ day: Date) -> Double {
        day.timeIntervalSince1970 + Double(page.timeZone.secondsFromGMT(for: day))
    }

    private func trace(_ value: (TrainingHistory.Day) -> Double?) -> Trace {
        var trace = Trace()
        for day in history.days { if let value = value(day) { trace.add(value, at: seconds(day.start)) } }
        return trace
    }

    private var axis: TimeAxis {
        let utc = Page(timeZone: .gmt)
        let first = history.days.first.map { seconds($0.start) } ?? 0
        let last = history.days.last.map { seconds($0.start) } ?? 0
        var axis = TimeAxis(seconds: first...(last + 86_400)) {
            utc.shortDay(Date(timeIntervalSince1970: $0))
        }
        axis.steps = [1, 7, 28, 91, 364].map { $0 * 86_400 }
        axis.places = SpanVolume.months(history.days.map(\.start), page).map {
            (seconds(history.days[$0.day].start), $0.text)
        }
        return axis
    }

    private func group(_ tracks: [TimeTrack]) -> Markup {
        let axis = axis
        let drawn = tracks.compactMap { $0.markup(axis) }
        return drawn.isEmpty ? Markup() : WorkoutTracks.group(drawn, axis, isOfDays: true)
    }

    private var training: Markup {
        var load = TimeTrack(localized("Daily training load"), unit: "", trace(\.load), style: "bars speed") {
            MetricFormat.fixed($0, 0)
        }
        load.isFromZero = true
        load.barSeconds = 86_400
        var fitness = TimeTrack(localized("Fitness and fatigue"), unit: "", trace(\.fitness), style: "line heart") {
            MetricFormat.fixed($0, 1)
        }
        fitness.isFromZero = true
        fitness.other = (trace(\.fatigue), "line second")
        fitness.names = (localized("Fitness"), localized("Fatigue"))
        var form = TimeTrack(localized("Form"), unit: "", trace(\.form), style: "line cadence") {
            MetricFormat.fixed($0, 1)
        }
        form.bands = [(-Double.infinity..<0, "band z1")]
        fitness.form = .number(decimals: 1)
        form.form = .number(decimals: 1)
        var page = Markup()
        if history.days.contains(where: { $0.fitness ?? 0 > 0 }) { page.append(group([load, fitness, form])) }
        for remark in TrainingHistoryReport(history: history).loadRemarks { page.reason(remark) }
        return page
    }

    private var resting: Markup {
        var track = TimeTrack(
            localized("Resting heart rate"), unit: "bpm", trace(\.restingHeartRate), style: "line heart"
        ) { MetricFormat.heartRate($0) }
        track.leastRange = 10
        var page = group([track])
        let trend = TrainingHistoryReport(history: history).restingTrend
        page.reason(trend.prefix(1).uppercased() + trend.dropFirst() + ".")
        return page
    }

    // MARK: Workouts

    private static let mostListed = 3000

    private var list: Markup {
        var table = DataTable(
            columns: [
                localized("Start"), localized("Title"), localized("Activity"), localized("Duration"),
                localized("Distance"), localized("Pace or speed"), localized("Avg heart rate"),
                localized("Active energy"),
                localized("Record"),
            ],
            isSortable: true)
        var day = ""
        for workout in workouts.reversed().prefix(Self.mostListed) {
            let speed = workout.meanSpeed
            let ownDay = page.sortableDay(workout.startDate)
            defer { day = ownDay }
            table.rows.append([
                .init(
                    page.at(workout.timeZone).minute(workout.startDate),
                    order: workout.startDate.timeIntervalSince1970.rounded(),
                    link: address?(workout), identity: ownDay == day ? nil : SpanVolume.identity(ofDay: ownDay)),
                .init(WorkoutTitle.of(workout, page.timeZone)),
                .init(ActivityTitle.of(workout.workoutActivityType.caseName)),
                .init(MetricFormat.time(workout.duration), order: workout.duration.rounded()),
                .init(
                    workout.metersCovered.map(MetricFormat.distance) ?? "",
                    order: workout.metersCovered?.rounded()),
                .init(speed.map { workout.speedText($0) } ?? "", order: speed.map { ($0 * 1000).rounded() / 1000 }),
                .init(
                    workout.averageHeartRate.map { MetricFormat.heartRate($0) } ?? "",
                    order: workout.averageHeartRate?.rounded()),
                .init(
                    workout.energyInKilocalories.map { MetricFormat.energy($0) } ?? "",
                    order: workout.energyInKilocalories?.rounded()),
                .init(best?.all.records(heldBy: workout.uuid).recordText ?? ""),
            ])
        }
        guard !table.rows.isEmpty else { return Markup() }
        if workouts.count > Self.mostListed {
            table.caption = localized("The latest %1 of %2", "\(Self.mostListed)", "\(workouts.count)")
        }
        return table.markup
    }

    /// The longest, the farthest, the fastest and the one with the highest heart rate of each activity.
    private var records: Markup {
        var table = DataTable(
            columns: [localized("Activity"), localized("Record"), localized("Value"), localized("Day")],
            isSortable: true)
        let byActivity = Dictionary(grouping: workouts, by: \.workoutActivityType.caseName)
        for (activity, own) in byActivity.sorted(by: { ($1.value.count, $0.key) < ($0.value.count, $1.key) }) {
            func add(_ name: String, _ value: (HKWorkout) -> Double?, _ text: (HKWorkout, Double) -> String) {
                let known = own.compactMap { workout in value(workout).map { (workout, $0) } }
                guard let best = known.max(by: { $0.1 < $1.1 }), best.1 > 0 else { return }
                table.rows.append([
                    .init(ActivityTitle.of(activity)), .init(name), .init(text(best.0, best.1), order: best.1),
                    .init(
                        page.shortDay(best.0.startDate), order: best.0.startDate.timeIntervalSince1970.rounded()),
                ])
            }
            add(localized("longest"), \.duration) { MetricFormat.time($1) }
            add(localized("farthest"), \.metersCovered) { MetricFormat.distance($1) }
            add(localized("fastest on average"), \.meanSpeed) { $0.speedText($1) }
            add(localized("most energy"), \.energyInKilocalories) { MetricFormat.energy($1) }
            add(localized("highest heart rate"), \.highestHeartRate) { MetricFormat.heartRate($1) }
        }
        return table.rows.isEmpty ? Markup() : table.markup
    }
}

extension SpanPage {
    /// Creates the page from stored data.
    init(_ named: ReportSpan.Named, in environment: HealthEnvironment, _ page: Page) throws {
        let history = try TrainingHistory(in: environment, from: named.start, to: named.end, page.timeZone)
        let workouts = history.workouts.filter { $0.startDate >= named.start ?? .distantPast }
        let database = environment.database
        self.init(
            title: named.title, workouts: workouts, history: history,
            best: (try BestEfforts(of: workouts, in: database), try BestEfforts(in: database)),
            goals: try GoalReport(in: environment, at: named.end - 1, page.timeZone), page: page)
    }
}
