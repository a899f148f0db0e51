import ArgumentParser
import Foundation
import HealthKit
import Recordings

/// `workout show`: the summary of a stored workout.
struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows a stored workout: the summary that 'workout replay' prints, from what is stored.",
        discussion: """
            Time in zones is counted with what 'workout profile' knows of you: the maximum heart rate, or a date of birth \
            to estimate it from, or zones of your own, those that held on its day.
            """)

    @Argument(help: "The workout's ID, or as much of its beginning as no other has.")
    var id: String

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() async throws {
        let environment = HealthEnvironment.current
        let summary = try await CommandFailure.ownFault {
            let workout = try StoredWorkouts(environment.database).workout(id)
            return try WorkoutSummary(
                workout, in: environment.database, wearer: environment.wearer(at: workout.startDate))
        }
        SummaryOutput(json: json).print(summary, nil)
    }

    func summary(_ database: any HealthDatabase, wearer: WearerProfile?) throws -> WorkoutSummary {
        try WorkoutSummary(StoredWorkouts(database).workout(id), in: database, wearer: wearer)
    }
}
