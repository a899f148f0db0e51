import ArgumentParser
import Foundation
import HealthKit
import SessionLog
import StoredWorkouts

/// `workout edit`: corrects a stored workout.
struct Edit: AsyncParsableCommand, UnitConfigurable {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Correct a stored workout: activity, title, notes, tags, effort, gear, start and end.",
        discussion: """
            The edited workout is a new one with a new ID; the old one is kept for 'workout undo'. Importing the same file again does \
            not bring the old one back. --start and --end cut the workout: what lies outside is removed, and all figures are computed \
            anew. A new activity also changes distances, speeds and powers to those of that activity. An empty text removes a \
            title, notes or gear.

            Examples:
              workout edit 8F3A --activity cycling --title "To the lake"
              workout edit 8F3A --tag race --effort 9 --gear "Red shoes"
              workout edit 8F3A --end 52:30             # drop the drive home
              workout edit 8F3A --start 2026-11-21T09:04
            """)

    @Argument(help: "The workout's ID, or a unique prefix of it.", completion: StoredCompletion.workouts)
    var id: String

    @Option(
        help: "Activity type: running, cycling, rowing …", completion: ActivityArgument.completion,
        transform: ActivityArgument.parse)
    var activity: HKWorkoutActivityType?

    @Option(help: "Title.")
    var title: String?

    @Option(help: "Notes.")
    var notes: String?

    @Option(help: "Add a tag; give it several times for several tags.", transform: Self.tag)
    var tag: [String] = []

    @Option(help: "Remove a tag.", transform: Self.tag)
    var untag: [String] = []

    @Option(help: "Effort from 1 (easy) to 10 (all out).")
    var effort: Int?

    @Option(help: "Shoes or bike.")
    var gear: String?

    @Option(help: "New start: a time since the start (4:00) or a date and time.", transform: WorkoutMoment.parse)
    var start: WorkoutMoment?

    @Option(help: "New end: a time since the start (52:30) or a date and time.", transform: WorkoutMoment.parse)
    var end: WorkoutMoment?

    @OptionGroup var output: EditOptions

    @OptionGroup var distances: UnitOptions

    private static func tag(_ text: String) throws -> String {
        let tag = text.trimmingCharacters(in: .whitespaces)
        guard !tag.isEmpty, !tag.contains(",") else {
            throw ValidationError("A tag has at least one letter and no comma.")
        }
        return tag
    }

    func validate() throws {
        if let effort, !(1...10).contains(effort) { throw ValidationError("--effort must be 1 to 10.") }
        if activity == nil, start == nil, end == nil, effort == nil, labels.isEmpty {
            throw ValidationError("nothing to change; add --title, --activity, --end or another option.")
        }
    }

    private var labels: WorkoutLabels.Change {
        var change = WorkoutLabels.Change()
        (change.title, change.notes, change.gear) = (title, notes, gear)
        (change.addedTags, change.removedTags) = (tag, untag)
        return change
    }

    func run() async throws {
        try await output.run { try self.edit($0, $1, at: $2) }
    }

    func edit(_ environment: HealthEnvironment, _ page: Page, at now: Date) throws -> [HKWorkout] {
        let workout = try StoredWorkouts(environment.database).workout(id)
        var edits: [WorkoutEdit] = []
        if let activity, activity != workout.workoutActivityType { edits.append(.activity(activity)) }
        if start != nil || end != nil {
            edits.append(.trim(from: start?.date(in: workout), to: end?.date(in: workout)))
        }
        if !labels.isEmpty { edits.append(.label(labels)) }
        let name = "\(start != nil || end != nil ? "trim" : "edit") \(WorkoutTitle.of(workout, page.timeZone))"
        return try HKHealthStore(environment: environment).edit(
            [workout], by: edits, effort: effort.map(Double.init), named: name, at: now)
    }
}

/// `workout merge`: joins the parts of a workout.
struct Merge: AsyncParsableCommand, UnitConfigurable {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merge stored workouts that followed each other into one.",
        discussion: """
            The time between them becomes a pause. The workouts must have the same activity, must not overlap, and must be less \
            than a day apart. 'workout undo' takes them apart again.

            Example:
              workout merge 8F3A 91B0 --title "All the way round"
            """)

    @Argument(help: "The workouts' IDs, or unique prefixes of them.", completion: StoredCompletion.workouts)
    var ids: [String]

    @Option(help: "Title of the merged workout. Default: that of the first.")
    var title: String?

    @OptionGroup var output: EditOptions

    @OptionGroup var distances: UnitOptions

    func validate() throws {
        if ids.count < 2 { throw ValidationError("name at least two workouts; 'workout list' lists them.") }
    }

    func run() async throws {
        try await output.run { try self.merge($0, $1, at: $2) }
    }

    func merge(_ environment: HealthEnvironment, _ page: Page, at now: Date) throws -> [HKWorkout] {
        var workouts: [HKWorkout] = []
        for id in ids {
            let workout = try StoredWorkouts(environment.database).workout(id)
            if !workouts.contains(workout) { workouts.append(workout) }
        }
        var edits: [WorkoutEdit] = [.merge]
        if let title {
            var change = WorkoutLabels.Change()
            change.title = title
            edits.append(.label(change))
        }
        let name = "merge \(WorkoutTitle.of(workouts[0], page.timeZone))"
        return try HKHealthStore(environment: environment).edit(workouts, by: edits, named: name, at: now)
    }
}

/// `workout split`: splits a recording of two workouts.
struct SplitCommand: AsyncParsableCommand, UnitConfigurable {
    static let configuration = CommandConfiguration(
        commandName: "split",
        abstract: "Split a stored workout into several.",
        discussion: """
            Each part gets the samples, laps and pauses of its time, and figures of its own. 'workout undo' puts the parts together \
            again.

            Examples:
              workout split 8F3A --at 35:00
              workout split 8F3A --at 35:00 --at 1:10:00
            """)

    @Argument(help: "The workout's ID, or a unique prefix of it.", completion: StoredCompletion.workouts)
    var id: String

    @Option(
        help: "Where to split: a time since the start (35:00, 1:10:00) or a date and time.",
        transform: WorkoutMoment.parse)
    var at: [WorkoutMoment]

    @OptionGroup var output: EditOptions

    @OptionGroup var distances: UnitOptions

    func run() async throws {
        try await output.run { try self.split($0, $1, at: $2) }
    }

    func split(_ environment: HealthEnvironment, _ page: Page, at now: Date) throws -> [HKWorkout] {
        let workout = try StoredWorkouts(environment.database).workout(id)
        return try HKHealthStore(environment: environment).edit(
            [workout], by: [.split(at: at.map { $0.date(in: workout) })],
            named: "split \(WorkoutTitle.of(workout, page.timeZone))", at: now)
    }
}

/// A moment within a workout, on the command line.
enum WorkoutMoment: Equatable {
    /// Seconds since the start, including pauses.
    case seconds(Double)
    case date(Date)

    func date(in workout: HKWorkout) -> Date {
        switch self {
        case .seconds(let seconds): workout.startDate + seconds
        case .date(let date): date
        }
    }

    static func parse(_ text: String) throws -> WorkoutMoment {
        if let match = text.wholeMatch(of: #/(?:([0-9]{1,4}):)?([0-9]{1,4}):([0-9]{2}(?:\.[0-9]+)?)/#),
            let minutes = Double(match.2), let seconds = Double(match.3), seconds < 60
        {
            let hours = match.1.flatMap { Double($0) }
            if hours == nil || minutes < 60 { return .seconds((hours ?? 0) * 3_600 + minutes * 60 + seconds) }
        }
        if let duration = DurationArgument(argument: text), !text.contains("-"), text.contains(where: \.isLetter) {
            return .seconds(duration.seconds)
        }
        guard let date = try? DateArgument.parse(text), date.start == date.end else {
            throw ValidationError(
                "Write a time since the start (35:00, 1:10:00 or 35m) or a date and time (2026-11-21T09:30).")
        }
        return .date(date.start)
    }
}

/// The options of all commands that change workouts.
struct EditOptions: ParsableArguments {
    @Flag(help: "Print one JSON object per new workout.")
    var json = false

    func run(
        _ edit: @Sendable (HealthEnvironment, Page, Date) throws -> [HKWorkout]
    ) async throws {
        let page = Page.standard(columnsInPipe: .max)
        let now = Date()
        let workouts = try await CommandFailure.ownFault {
            do {
                return try edit(.current, page, now)
            } catch let error as HKError where error.code == .errorInvalidArgument {
                throw CommandFailure(exitCode: .badInput, message: CommandFailure.describe(error))
            }
        }
        let listing = WorkoutListing(workouts: workouts)
        if json {
            for line in listing.jsonLines { print(line) }
            return
        }
        CommandOutput.standard.print(styled: listing.lines(page))
        print(Undo.sentence(page, now))
    }
}
