import Foundation
import HealthKit
import Reports
import StoredWorkouts

/// The progress towards goals, for people and for programs.
struct GoalReport {
    var progress: [TrainingGoal.Progress]

    /// Creates the report for the year and the month of a moment.
    init(in environment: HealthEnvironment, at now: Date, _ timeZone: TimeZone) throws {
        let goals = try TrainingGoals(in: environment.database)
        guard !goals.all.isEmpty else {
            progress = []
            return
        }
        let calendar = Calendar.gregorian(timeZone)
        let year = calendar.dateInterval(of: .year, for: now)
        let workouts = try StoredWorkouts(environment.database).all(from: year?.start, to: year?.end)
        progress = goals.progress(
            at: now, of: workouts, try StoredEfforts(of: workouts, in: environment.database), calendar)
    }

    /// Returns a row for each goal: the period, the target, the progress, and the comparison with an even pace.
    func table(_ page: Page) -> ColumnTable {
        var table = ColumnTable(
            columns: [
                .init(title: "  " + localized("period")), .init(title: localized("goal")),
                .init(title: localized("done"), isNumber: true),
                .init(title: localized("of"), isNumber: true), .init(title: localized("share"), isNumber: true),
                .init(title: localized("even pace")),
            ])
        table.rows = progress.map { .values(cells($0, page)) }
        return table
    }

    private func cells(_ progress: TrainingGoal.Progress, _ page: Page) -> [String] {
        let goal = progress.goal
        return [
            "  "
                + (goal.period == .year
                    ? String(page.sortableDay(progress.dates.start).prefix(4)) : page.shortMonth(progress.dates.start)),
            localized(goal.measure.rawValue) + (goal.activity.map { ", \(ActivityTitle.inSentence($0))" } ?? ""),
            progress.done.map { goal.text($0) } ?? page.dash, goal.text(goal.target),
            progress.share.map { MetricFormat.fixed($0 * 100, 0) + " %" } ?? page.dash, Self.pace(progress),
        ]
    }

    private static func pace(_ progress: TrainingGoal.Progress) -> String {
        guard let done = progress.done else { return localized("not measured") }
        if done >= progress.goal.target { return localized("reached") }
        let lead = done - progress.expected
        return localized(lead < 0 ? "%1 behind" : "%1 ahead", progress.goal.text(abs(lead)))
    }

    func lines(_ page: Page) -> [String] {
        progress.isEmpty
            ? [] : [StyledLine(localized("Goals"), .bold).text(page.capability.colour)] + table(page).lines(page)
    }

    var json: JSONText? {
        progress.isEmpty
            ? nil
            : .array(
                progress.map { progress in
                    let goal = progress.goal
                    return .object([
                        ("period", .string(goal.period.rawValue)), ("measure", .string(goal.measure.rawValue)),
                        ("unit", .string(goal.measure.unit)), ("activity", goal.activity.map(JSONText.string)),
                        ("start", .date(progress.dates.start)), ("end", .date(progress.dates.end)),
                        ("target", .optional(goal.target)), ("done", .optional(progress.done)),
                        ("expected", .optional(progress.expected)),
                    ])
                })
    }
}

extension TrainingGoal.Measure {
    /// The unit of its values in JSON.
    fileprivate var unit: String {
        switch self {
        case .distance, .ascent: "m"
        case .time: "s"
        case .workouts: "count"
        }
    }
}

extension TrainingGoal {
    func text(_ value: Double) -> String {
        switch measure {
        case .distance: MetricFormat.distance(value)
        case .time: MetricFormat.hours(value)
        case .workouts: MetricFormat.fixed(value, 0)
        case .ascent: MetricFormat.height(value)
        }
    }
}
