import ArgumentParser
import Engine
import Foundation
import HealthKit
import Reports
import StoredWorkouts

/// `workout goal`: shows or sets goals for each year or month.
struct Goal: AsyncParsableCommand, UnitConfigurable {
    static let configuration = CommandConfiguration(
        commandName: "goal",
        abstract: "Set yearly and monthly goals, and show your progress.",
        discussion: """
            Without options, shows the goals of this year and this month: what is done, its share of the goal, and how far \
            you are ahead of or behind an even pace. 'workout analyze', reports of periods and the history page show them too.

            A goal stays until you remove it, and starts anew with each year or month. With --activity it counts only \
            workouts of that type. 'none' removes a goal.

            Examples:
              workout goal --year --distance 2000km --activity running
              workout goal --month --time 20h --workouts 12
              workout goal --year --ascent 30000m
              workout goal --month --time none
            """)

    @Flag(help: "Set goals for each year.")
    var year = false

    @Flag(help: "Set goals for each month.")
    var month = false

    @Option(help: ArgumentHelp("Distance to cover, such as 2000km or 1200mi.", valueName: "distance"))
    var distance: String?

    @Option(help: ArgumentHelp("Time to train, without pauses, such as 20h or 90m.", valueName: "time"))
    var time: String?

    @Option(help: ArgumentHelp("Number of workouts.", valueName: "count"))
    var workouts: String?

    @Option(help: ArgumentHelp("Ascent to climb, such as 30000m or 90000ft.", valueName: "ascent"))
    var ascent: String?

    @Option(
        help: "Count only this activity type: running, cycling …", completion: ActivityArgument.completion,
        transform: ActivityArgument.parse)
    var activity: HKWorkoutActivityType?

    @OptionGroup var distances: UnitOptions

    @Flag(help: "Print one JSON array.")
    var json = false

    private var given: [(measure: TrainingGoal.Measure, text: String)] {
        [(.distance, distance), (.time, time), (.workouts, workouts), (.ascent, ascent)]
            .compactMap { measure, text in text.map { (measure, $0) } }
    }

    func validate() throws {
        if year, month { throw ValidationError("choose --year or --month.") }
        if given.isEmpty {
            if year || month {
                throw ValidationError("add what to reach: --distance, --time, --workouts or --ascent.")
            }
            if activity != nil { throw ValidationError("--activity needs --distance, --time, --workouts or --ascent.") }
        } else if !year, !month {
            throw ValidationError("add --year or --month.")
        }
        for (measure, text) in given { _ = try Self.target(measure, text) }
    }

    func run() async throws {
        let environment = HealthEnvironment.current
        let page = Page.standard(columnsInPipe: 100)
        let report = try await CommandFailure.ownFault {
            try self.change(environment.database)
            return try GoalReport(in: environment, at: environment.time.now(), page.timeZone)
        }
        if json { return CommandOutput.standard.print(report.json?.text ?? "[]") }
        CommandOutput.standard.print(
            styled: report.progress.isEmpty
                ? [localized("No goals are set. To set one: workout goal --year --distance 2000km")]
                : report.lines(page))
    }

    func change(_ database: any HealthDatabase) throws {
        guard !given.isEmpty else { return }
        let period: TrainingGoal.Period = year ? .year : .month
        var goals = try TrainingGoals(in: database)
        for (measure, text) in given {
            if let target = try Self.target(measure, text) {
                goals.set(TrainingGoal(period, measure, target: target, activity: activity?.caseName))
            } else {
                goals.remove(period, measure, activity: activity?.caseName)
            }
        }
        try goals.save(in: database)
    }

    /// Parses a target in the unit of the measure. Returns nil for `none`.
    static func target(_ measure: TrainingGoal.Measure, _ text: String) throws -> Double? {
        if text == "none" { return nil }
        let value: Double?
        switch measure {
        case .distance:
            value = number(text, ["km": 1000, "mi": DistanceUnits.metersPerMile, "m": 1])
        case .ascent: value = number(text, ["m": 1, "ft": DistanceUnits.metersPerFoot])
        case .time: value = DurationArgument(argument: text)?.seconds
        case .workouts: value = Int(text).map(Double.init)
        }
        guard let value, value > 0, value <= 1e9 else {
            throw ValidationError("--\(measure.rawValue) must be \(examples(measure)), or none, not '\(text)'.")
        }
        return value
    }

    private static func examples(_ measure: TrainingGoal.Measure) -> String {
        switch measure {
        case .distance: "a distance with its unit, such as 2000km or 1200mi"
        case .ascent: "a height with its unit, such as 30000m or 90000ft"
        case .time: "a time with its unit, such as 20h"
        case .workouts: "a whole number, such as 150"
        }
    }

    /// Parses a number followed by one of some units.
    private static func number(_ text: String, _ units: [String: Double]) -> Double? {
        let digits = text.prefix { $0.isNumber || $0 == "." }
        let unit = text.dropFirst(digits.count).trimmingCharacters(in: .whitespaces)
        guard let factor = units[unit], let number = Double(digits) else { return nil }
        return number * factor
    }
}
