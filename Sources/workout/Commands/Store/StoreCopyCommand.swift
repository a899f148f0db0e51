import ArgumentParser
import Foundation
import HealthKit
import StoredWorkouts

extension Store {
    /// `workout store copy`: everything in a store, into another one.
    struct Copy: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "copy",
            abstract: "Copy a whole store into an empty one.",
            discussion: """
                Copies samples, workouts, routes, attachments, the profile, the permissions of apps and what can be undone, from a file \
                to a server, back, or between people of a server. FROM and TO are written as in HEALTHKIT_STORE. FROM may be in use. \
                Don't use TO until the copy is finished.

                An interrupted copy goes on where it was if you run the same command again. At the end both stores are compared.

                Examples:
                  workout store copy old.sqlite 'postgresql:///health?person=anna'
                  workout store copy 'postgresql:///health?person=anna' anna.sqlite
                """)

        @Argument(help: "The store to copy: a file or postgresql://….", completion: .file())
        var from: String
        @Argument(help: "An empty or new store.", completion: .file())
        var to: String
        @Flag(help: "Print one JSON object.")
        var json = false

        func run() throws {
            let (source, target) = try CommandFailure.storeFault {
                (try HealthEnvironment.store(at: from), try HealthEnvironment.store(at: to))
            }
            guard source.location != target.location else {
                throw CommandFailure(exitCode: .wrongUsage, message: "FROM and TO are the same store")
            }
            guard source.location.exists else {
                throw CommandFailure(
                    exitCode: .badInput, message: "\(source.location.title) does not exist. Nothing was copied.")
            }
            let progress = json ? nil : ImportProgress()
            let outcome = try CommandFailure.storeFault {
                defer { progress?.clear() }
                return try StoreCopy(from: source, to: target).run { now in
                    progress?.show(
                        now.isComparing
                            ? "Comparing \(now.total) rows …"
                            : "Copied \(now.rows) of \(now.total) rows (\(now.total == 0 ? 0 : now.rows * 100 / now.total) %)"
                    )
                }
            }
            if json {
                print(
                    JSONText.object([
                        ("rows", .integer(outcome.rows)), ("samples", .integer(outcome.samples)),
                        ("workouts", .integer(outcome.workouts)), ("continued", .boolean(outcome.wasContinued)),
                    ]).text)
            } else {
                print(
                    "\(outcome.wasContinued ? "Finished the copy of" : "Copied") \(outcome.samples) samples and \(outcome.workouts) "
                        + "\(outcome.workouts == 1 ? "workout" : "workouts"). Both stores have the same \(outcome.rows) rows."
                )
            }
            if let sessions = source.location.journalFolder, HealthEnvironment.hasJournals(in: sessions) {
                CommandOutput.error.print(
                    "notice: unfinished sessions were not copied. To save them in FROM first: HEALTHKIT_STORE=FROM workout recover"
                )
            }
        }
    }
}
