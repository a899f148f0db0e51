import ArgumentParser
import Foundation
import HealthKit
import Recordings
import StoredWorkouts

/// `workout diff`: compares the results of two workouts.
struct Diff: AsyncParsableCommand, UnitConfigurable {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compare two workouts; exits 1 if they differ.",
        discussion: """
            Each is a summary (the --json output of show and replay), a recording in any supported format, or the ID of a \
            stored workout. A recording is replayed first. Identities and sources are not compared, and times count from the \
            start of the workout.

            Prints one line per difference. Exits 0 if the workouts are the same, 1 if they differ.

            With --by, shows how two stored workouts or recordings went beside one another, kilometre by kilometre or minute \
            by minute: both charts in one, a table with the differences, and what these come to. It exits 0. \
            'workout report' puts two workouts on a page.

            Examples:
              workout diff ride.fit 8F3A --tolerance 1%
              workout diff 8F3A 71C0 --by distance
            """)

    @Argument(
        help: "A summary, a recording, or the ID of a stored workout; '-' reads standard input.", completion: .file())
    var first: String

    @Argument(help: "The workout to compare it with.", completion: .file())
    var second: String

    @Option(
        help: "Allowed difference: absolute (0.5), relative (1%) or per field (average=1%). Repeatable.")
    var tolerance: [String] = []

    @Option(help: "Compare how they went, by 'distance' or by 'time' (without pauses).")
    var by: WorkoutComparison.Axis?

    @OptionGroup var distances: UnitOptions

    @OptionGroup var pager: PagerOptions

    @Flag(help: "Print one JSON object per difference; with --by, one in all.")
    var json = false

    func validate() throws {
        if by != nil, !tolerance.isEmpty { throw ValidationError("choose --by or --tolerance.") }
    }

    func run() async throws {
        if let by {
            let comparison = try await comparison(by, HealthEnvironment.current)
            let page = Page.standard(columnsInPipe: 100)
            Pager.print(styled: json ? [comparison.json.text] : comparison.lines(page), pager)
            return
        }
        let tolerance: SummaryTolerance
        do { tolerance = try SummaryTolerance(self.tolerance) } catch {
            throw CommandFailure(exitCode: .wrongUsage, message: CommandFailure.describe(error))
        }
        let (one, other) = (try await summary(first), try await summary(second))
        let differences = try CommandFailure.badInput { try SummaryComparison(tolerance).differences(one, other) }
        if json {
            for difference in differences { print(difference.json) }
        } else {
            Pager.print(styled: differences.map(\.description), pager)
        }
        if !differences.isEmpty { throw ExitCode(1) }
    }

    func comparison(
        _ axis: WorkoutComparison.Axis, _ environment: HealthEnvironment
    ) async throws -> WorkoutComparison {
        let options = AnalyzedWorkout.Options()
        return WorkoutComparison(
            first: try await AnalyzedWorkout(first, options, environment).report,
            second: try await AnalyzedWorkout(second, options, environment).report, axis: axis)
    }

    private func summary(_ name: String) async throws -> Data {
        guard name == "-" || FileManager.default.fileExists(atPath: name) else {
            let environment = HealthEnvironment.current
            let stored = try await CommandFailure.ownFault {
                let workout = try StoredWorkouts(environment.database).workout(name)
                return try WorkoutSummary(
                    workout, in: environment.database, wearer: environment.wearer(at: workout.startDate))
            }
            return Data(SummaryJSON.line(workout: stored).utf8)
        }
        let argument = try RecordingArgument(name)
        // A summary has a few kilobytes.
        let size = try argument.reading { try $0.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0 }
        if size < 4 << 20, let data = try? Data(contentsOf: argument.url), SummaryComparison.isSummary(data) {
            return data
        }
        let recording = try argument.reading { try RecordingFile.read($0) }
        guard recording.facts.start != nil else { throw CommandFailure(noWorkoutIn: [recording], of: name) }
        let run = try CommandFailure.badInput {
            try WorkoutRun(
                replaying: recording, speed: .infinity, keepsDates: true, wearer: nil, id: UUID(), saves: false,
                environment: HealthEnvironment.current)
        }
        let finished = try await CommandFailure.ownFault { try await run.run() }
        return Data(SummaryJSON.line(workout: try WorkoutSummary(finished)).utf8)
    }
}

extension SummaryComparison.Difference {
    fileprivate var json: String {
        JSONText.object([
            ("path", .string(path)), ("first", first.map(JSONText.string)), ("second", second.map(JSONText.string)),
        ]).text
    }
}
