import ArgumentParser
import Engine
import Foundation
import HealthKit
import StoredWorkouts

/// `workout analyze`: analyses a workout, or the training over months.
struct Analyze: AsyncParsableCommand, LanguageConfigurable {
    static let configuration = CommandConfiguration(
        commandName: "analyze",
        abstract: "Analyse a workout, or your training over time.",
        discussion: """
            WORKOUT is the ID of a stored workout or a recording in any supported format. Shows time in zones, heart-rate \
            variability, DFA alpha1 with estimated thresholds, training load (Banister, Edwards, Lucia), recovery, best \
            efforts by time and by distance, splits, ascent and power. Anything that can't be computed says why. Pauses are excluded, and nothing is computed across \
            one.

            Without WORKOUT, shows fitness, fatigue and form (42 and 7 days of Banister's load) and the resting heart rate, \
            day by day, your goals ('workout goal'), and the best efforts of each sport by distance and by time, with the \
            power curve.

            Examples:
              workout analyze 8F3A
              workout analyze ride.fit --wearer profile --json
              workout analyze 8F3A --save-figures
              workout analyze --from 6mo
            """)

    @Argument(
        help: "The ID of a stored workout, or a recording; '-' reads standard input.", completion: .file())
    var workout: String?

    @OptionGroup var range: DateRangeArguments

    @Option(help: "Which workout to use if the file holds several (1 is the first).")
    var session: Int?

    @Option(help: "Use the athlete of the recording ('recording') or your own profile ('profile').")
    var wearer = SensorSpecification.Wearer.recording

    @Flag(
        help: """
            Save SDNN at rest, heart-rate recovery, VO2 max and effort of a stored workout as samples. Running it again \
            changes nothing.
            """)
    var saveFigures = false

    @OptionGroup var tables: TableArguments

    @OptionGroup var reader: LanguageOptions

    @OptionGroup var pager: PagerOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    var isForPrograms: Bool { json }

    func validate() throws {
        if let session, session < 1 { throw ValidationError("--session must be 1 or more.") }
        if workout != nil, range.start != nil || range.end != nil {
            throw ValidationError(
                "--from and --to select all workouts of a period; remove the workout, or remove them.")
        }
        if saveFigures, workout == nil { throw ValidationError("--save-figures needs the ID of one workout.") }
    }

    func run() async throws {
        let environment = HealthEnvironment.current
        let page = Page.standard(columnsInPipe: 100)
        let lines: [String]
        if let workout {
            let report = try await report(of: workout, environment)
            lines = json ? [report.json] : report.lines(page)
        } else {
            let report = try await CommandFailure.ownFault { try self.history(environment, page.timeZone) }
            lines = json ? [report.json] : report.lines(page)
        }
        Pager.print(styled: lines, pager)
    }

    func report(of name: String, _ environment: HealthEnvironment) async throws -> AnalysisReport {
        let options = AnalyzedWorkout.Options(session: session, wearer: wearer, tables: try tables.options())
        var analyzed = try await AnalyzedWorkout(name, options, environment)
        guard saveFigures else { return analyzed.report }
        let isSaved = try await CommandFailure.ownFault { try analyzed.saveFigures() }
        guard isSaved else {
            throw CommandFailure(
                exitCode: .wrongUsage,
                message:
                    """
                    --save-figures needs a stored workout, and '\(name)' is a recording; import it first: workout import
                    """)
        }
        return analyzed.report
    }

    func history(_ environment: HealthEnvironment, _ timeZone: TimeZone) throws -> TrainingHistoryReport {
        let end = range.end ?? environment.time.now()
        let history = try TrainingHistory(in: environment, from: range.start, to: end, timeZone)
        // Earlier workouts were only read for fitness.
        let workouts = history.workouts.filter { workout in range.start.map { workout.startDate >= $0 } ?? true }
        return TrainingHistoryReport(
            history: history, records: try BestEfforts(of: workouts, in: environment.database),
            goals: try GoalReport(in: environment, at: range.end.map { $0 - 1 } ?? end, timeZone))
    }
}
