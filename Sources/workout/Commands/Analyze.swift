import ArgumentParser
import Foundation
import HealthKit

/// `workout analyze`: what a workout says of the training, or all of them over months.
struct Analyze: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "analyze",
        abstract: "Says what a workout, or months of them, mean for the training.",
        discussion: """
            A workout is the ID of a stored one or a recording of any readable format: time in zones, heart-rate variability, DFA \
            alpha1 with its thresholds (an estimate), training load after Banister, Edwards and Lucia, recovery, best efforts by \
            time and by distance, splits, ascent, power. What is not to be had says why. Pauses are no time, and nothing reaches over one. Without a workout: fitness, \
            fatigue and form (42 and 7 days, of Banister's load) and the resting heart rate, day by day, and the best efforts \
            by distance of each sport.

              workout analyze 8F3A
              workout analyze ride.fit --wearer profile --json
              workout analyze 8F3A --save-figures
              workout analyze --from 6mo
            """)

    @Argument(
        help: "The ID of a stored workout, or a recording; '-' is what is piped in.", completion: .file())
    var workout: String?

    @OptionGroup var range: DateRangeArguments

    @Option(help: "Which workout of a file that holds several, from 1 on.")
    var session: Int?

    @Option(help: "Whose heart rates and zones a recording is read with: 'recording', or 'profile' (workout profile).")
    var wearer = SensorSpecification.Wearer.recording

    @Flag(
        help: """
            Save SDNN at rest, recovery, VO2 max and effort of a stored workout as samples. Asked for again, what is there \
            stays.
            """)
    var saveFigures = false

    @OptionGroup var tables: TableArguments

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        if let session, session < 1 { throw ValidationError("--session is a number from 1 on.") }
        if workout != nil, range.start != nil || range.end != nil {
            throw ValidationError("--from and --to are for all workouts; name none with them.")
        }
        if saveFigures, workout == nil { throw ValidationError("--save-figures is for one workout; name it.") }
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
        CommandOutput.standard.print(styled: lines)
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
                    "'\(name)' is a recording, and --save-figures is for stored workouts: 'workout import' stores it")
        }
        return analyzed.report
    }

    func history(_ environment: HealthEnvironment, _ timeZone: TimeZone) throws -> TrainingHistoryReport {
        let history = try TrainingHistory(
            in: environment, from: range.start, to: range.end ?? environment.time.now(), timeZone)
        // Earlier ones were looked at for fitness alone.
        let workouts = history.workouts.filter { workout in range.start.map { workout.startDate >= $0 } ?? true }
        return TrainingHistoryReport(
            history: history, records: try DistanceRecords(of: workouts, in: environment.database))
    }
}
