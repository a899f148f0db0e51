import ArgumentParser
import Foundation
import HealthKit

/// `workout delete`: stored workouts, for good.
struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Deletes stored workouts and the samples that were saved with them.",
        discussion: """
            Says what goes, and asks before it does. Samples that another app saved stay, also where they belong to the \
            workout.
            """)

    @Argument(
        help: "The workouts' IDs, or as much of their beginnings as no other has.",
        completion: StoredCompletion.workouts)
    var ids: [String]

    @Flag(help: "Do not ask.")
    var yes = false

    @Flag(help: "Delete the workouts only; their samples stay.")
    var keepSamples = false

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() async throws {
        let database = HealthEnvironment.current.database
        let deletion = try await CommandFailure.ownFault { try self.deletion(database) }
        let page = Page.standard(columnsInPipe: .max)
        if !yes {
            guard Question.canBeAsked else {
                throw CommandFailure(
                    exitCode: .wrongUsage, message: "nobody can be asked here whether to delete; add --yes to do it")
            }
            CommandOutput.error.print(styled: deletion.lines(page))
            guard await Question.isConfirmed("Delete? It cannot be undone. [y/N] ") else {
                throw CommandFailure(exitCode: .interrupted, message: "nothing was deleted")
            }
        }
        try await CommandFailure.ownFault { try deletion.carryOut(database) }
        if json {
            print(deletion.json)
        } else {
            if yes { CommandOutput.standard.print(styled: deletion.lines(page)) }
            print("Deleted.")
        }
    }

    /// What would go.
    func deletion(_ database: any HealthDatabase) throws -> WorkoutDeletion {
        let stored = StoredWorkouts(database)
        var deletion = WorkoutDeletion()
        for id in ids {
            let workout = try stored.workout(id)
            guard !deletion.workouts.contains(workout) else { continue }
            deletion.workouts.append(workout)
            if !keepSamples { deletion.samples += try stored.ownSamples(of: workout) }
        }
        return deletion
    }
}
