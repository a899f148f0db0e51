import ArgumentParser
import Foundation
import HealthKit

/// `workout list`: the stored workouts.
struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the stored workouts, newest first.",
        discussion: "Times are local on the screen and UTC in JSON. 'workout show ID' shows one of them.")

    @OptionGroup var range: DateRangeArguments

    @Option(
        help: "Only this kind, by its name: running, cycling, swimBikeRun …", completion: ActivityArgument.completion,
        transform: ActivityArgument.parse)
    var activity: HKWorkoutActivityType?

    @Option(help: "At most N of them.")
    var limit: Int?

    @Flag(help: "Print one JSON object a workout, one a line.")
    var json = false

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
    }

    func run() async throws {
        let lines = try await CommandFailure.ownFault {
            try self.lines(HealthEnvironment.current.database, .standard(columnsInPipe: .max))
        }
        CommandOutput.standard.print(styled: lines)
    }

    func lines(_ database: any HealthDatabase, _ page: Page) throws -> [String] {
        let workouts = try StoredWorkouts(database)
            .all(from: range.start, to: range.end, activity: activity, limit: limit)
        let listing = WorkoutListing(workouts: workouts)
        if json { return listing.jsonLines }
        guard workouts.isEmpty else { return listing.lines(page) }
        return [
            range.start == nil && range.end == nil && activity == nil
                ? "No workouts are stored yet. 'workout replay FILE --save' stores one."
                : "No stored workout is like that. 'workout list' shows all."
        ]
    }
}
