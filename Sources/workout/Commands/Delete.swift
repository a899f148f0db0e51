import ArgumentParser
import Foundation
import HealthKit
import Reports

/// `workout delete`: deletes stored workouts, permanently or until it is undone.
struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete stored workouts and the samples saved with them.",
        discussion: """
            Lists what will be deleted and asks first. Samples that another app saved are kept, even if they belong to the \
            workout. 'workout undo' brings deleted workouts back for \(WorkoutReplacement.keptDays) days.

            Example:
              workout delete 8F3A
            """)

    @Argument(
        help: "The workouts' IDs, or unique prefixes of them.",
        completion: StoredCompletion.workouts)
    var ids: [String]

    @Flag(help: "Delete without asking.")
    var yes = false

    @Flag(help: "Delete only the workouts; keep their samples.")
    var keepSamples = false

    @Flag(help: "Keep nothing for 'workout undo'.")
    var permanently = false

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() async throws {
        let environment = HealthEnvironment.current
        let deletion = try await CommandFailure.ownFault { try self.deletion(environment.database) }
        let page = Page.standard(columnsInPipe: .max)
        let now = Date()
        if !yes {
            guard Question.canBeAsked else {
                throw CommandFailure(
                    exitCode: .wrongUsage, message: "not a terminal; add --yes to delete without asking")
            }
            CommandOutput.error.print(styled: deletion.lines(page))
            guard await Question.isConfirmed(permanently ? "Delete? This can't be undone. [y/N] " : "Delete? [y/N] ")
            else {
                throw CommandFailure(exitCode: .interrupted, message: "cancelled; nothing was deleted")
            }
        }
        try await CommandFailure.ownFault {
            try self.permanently
                ? deletion.carryOut(environment.database) : deletion.carryOut(environment, page, at: now)
        }
        if json {
            print(deletion.json)
        } else {
            if yes { CommandOutput.standard.print(styled: deletion.lines(page)) }
            print(localized("Deleted.") + (permanently ? "" : " " + Undo.sentence(page, now)))
        }
    }

    /// What the command would delete.
    func deletion(_ database: any HealthDatabase) throws -> WorkoutDeletion {
        let stored = StoredWorkouts(database)
        var deletion = WorkoutDeletion()
        deletion.keepsSamples = keepSamples
        for id in ids {
            let workout = try stored.workout(id)
            guard !deletion.workouts.contains(workout) else { continue }
            deletion.workouts.append(workout)
            if !keepSamples { deletion.samples += try stored.ownSamples(of: workout) }
        }
        return deletion
    }
}
