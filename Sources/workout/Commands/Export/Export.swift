import ArgumentParser
import Foundation
import HealthKit
import Recordings
import StoredWorkouts
import Synchronization

/// `workout export`: writes stored workouts as files for other programs.
struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export stored workouts as FIT, TCX, GPX, CSV, TSV or session logs.",
        discussion: """
            The file contains everything 'workout show' shows: all measurements, pauses, laps and legs. Warns about data the \
            format can't hold. Without -o, the file is named after the workout and written to the current folder.

            Examples:
              workout export 8F3A -o ride.tcx
              workout export 8F3A --format csv -o - | head
              workout export --all --format gpx -o tracks/
              workout export --from 2026-01 --activity running --tag race -o races/
            """)

    @Argument(
        help: "The workouts' IDs, or unique prefixes of them.",
        completion: StoredCompletion.workouts)
    var ids: [String] = []

    @Flag(help: "Export all stored workouts.")
    var all = false

    @OptionGroup var which: WorkoutFilterArguments

    @OptionGroup var options: WritingOptions

    @Option(
        name: .shortAndLong, help: "Output file, folder, or '-' for standard output.", completion: .file())
    var output: String?

    func validate() throws {
        let filter = which.filter
        if ids.isEmpty, !all, filter.isEmpty {
            throw ValidationError("name the workouts to export, or add --all or --from; 'workout list' lists them.")
        }
        if !ids.isEmpty, all || !filter.isEmpty {
            throw ValidationError("name workouts, or choose them by options such as --all and --from; not both.")
        }
    }

    func run() async throws {
        let database = HealthEnvironment.current.database
        let workouts = try await CommandFailure.ownFault {
            let stored = StoredWorkouts(database)
            return try ids.isEmpty ? stored.all(which.filter) : ids.map { try stored.workout($0) }
        }
        guard !workouts.isEmpty else {
            throw CommandFailure(
                exitCode: .badInput,
                message: "no stored workout matches, so nothing was written; 'workout list' lists all")
        }
        let json = options.json
        try await options.writing(to: output, isOfSeveral: workouts.count > 1) { destination in
            var failure: ExitCode?
            var unstored = UnstoredData()
            var failures = WorkoutFailures()
            defer {
                if !json { unstored.report() }
                failures.report()
            }
            let names = Self.names(of: workouts)
            let progress = json ? nil : ImportProgress()
            defer { progress?.clear() }
            for (number, (workout, name)) in zip(workouts, names).enumerated() {
                if workouts.count > 1 { progress?.show(done: number, of: workouts.count, name) }
                do {
                    let entries = try CommandFailure.storeFault { try StoredWorkoutEntries(workout, in: database) }
                    var written = try destination.write(
                        RecordedEntries(entries), named: name, otherwise: "fit", failure: { entries.failure })
                    written.leftOut += entries.averagesWithoutReadings
                    progress?.clear()
                    written.notify(json: json, source: workout.uuid.uuidString)
                    unstored.add(written)
                } catch let error as CommandFailure where workouts.count > 1 && error.exitCode != .interrupted {
                    progress?.clear()
                    // A workout that the format cannot hold does not keep the others from being written.
                    failures.add(error, of: workout)
                    failure = failure ?? error.exitCode
                }
            }
            if let failure { throw failure }
        }
    }

    /// Returns the names of files. Workouts of the same start and activity have their ID in the name.
    static func names(of workouts: [HKWorkout]) -> [String] {
        let names = workouts.map { name(of: $0) }
        let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        return zip(workouts, names).map { workout, name in
            counts[name] == 1 ? name : "\(name)-\(workout.uuid.uuidString.prefix(8))"
        }
    }

    static func name(of workout: HKWorkout) -> String {
        name(ofWorkoutFrom: workout.startDate, workout.workoutActivityType.caseName)
    }

    /// `2026-01-01T080000Z-running`
    static func name(ofWorkoutFrom start: Date, _ activity: String) -> String {
        let style = Date.ISO8601FormatStyle(timeSeparator: .omitted, timeZone: .gmt)
        return "\(start.formatted(style))-\(activity)"
    }
}

/// The options of `export` and `convert`.
struct WritingOptions: ParsableArguments {
    @Option(help: "fit, tcx, gpx, csv, tsv or jsonl. Default: the file extension.")
    var format: String?

    @Flag(help: "Overwrite existing files.")
    var force = false

    @Flag(help: "Print one JSON object per file.")
    var json = false

    /// Runs the writing. Ctrl-C ends it within a moment and leaves no partial file.
    func writing(
        to output: String?, isOfSeveral: Bool, _ body: @escaping @Sendable (RecordingDestination) throws -> Void
    ) async throws {
        let flag = EndFlag()
        let destination = try RecordingDestination(
            output, formatName: format, isOfSeveral: isOfSeveral, replaces: force, isEnded: { flag.isSet })
        _ = try await Interruption.calling({ flag.set() }) { try body(destination) }
    }
}

/// A flag that a signal sets once.
final class EndFlag: Sendable {
    private let flag = Atomic(false)
    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
}

/// Workouts that could not be written. Prints one line for each reason, however many workouts have it.
struct WorkoutFailures {
    private var reasons: [(failure: CommandFailure, workouts: [String])] = []
    private static let mostNamed = 5

    mutating func add(_ failure: CommandFailure, of workout: HKWorkout) {
        let name = String(workout.uuid.uuidString.prefix(WorkoutListing.shortestID))
        if let index = reasons.firstIndex(where: { $0.failure.message == failure.message }) {
            reasons[index].workouts.append(name)
        } else {
            reasons.append((failure, [name]))
        }
    }

    /// `2 workouts not written (8F3A0B1C, 71C00D2E): GPX cannot hold this workout: …`
    var sentences: [String] {
        reasons.map { failure, workouts in
            let rest = workouts.count - Self.mostNamed
            let names = workouts.prefix(Self.mostNamed).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
            return "\(Page.counted(workouts.count, "workout")) not written (\(names)): \(failure.message)"
        }
    }

    func report() { for sentence in sentences { CommandOutput.error.print("error: \(sentence)") } }
}
