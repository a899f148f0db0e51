import ArgumentParser
import Foundation
import HealthKit
import Recordings

/// `workout show`: the summary of a stored workout.
struct Show: AsyncParsableCommand, TellsDistances {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows a stored workout: the summary that 'workout replay' prints, from what is stored.",
        discussion: """
            Time in zones is counted with what 'workout profile' knows of you: the maximum heart rate, or a date of birth \
            to estimate it from, or zones of your own, those that held on its day. On a terminal the pulse is drawn with the \
            laps, the elevation and the way; --chart draws them into a pipe too, --no-chart nowhere.
            """)

    @Argument(
        help: "The workout's ID, or as much of its beginning as no other has.", completion: StoredCompletion.workouts)
    var id: String

    @Flag(inversion: .prefixedNo, help: "Draw the pulse, the elevation and the way. Default: on a terminal.")
    var chart: Bool?

    @OptionGroup var distances: UnitOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() async throws {
        let environment = HealthEnvironment.current
        let isDrawn = !json && (chart ?? (Terminal.standard() != nil))
        let (summary, drawing, distance) = try await CommandFailure.ownFault {
            let workout = try StoredWorkouts(environment.database).workout(id)
            let summary = try WorkoutSummary(workout, withZonesOf: environment)
            let wearer = environment.wearer(at: workout.startDate)
            let distance = json ? nil : try DistanceAnalysis(workout, in: environment.database)
            return (summary, isDrawn ? try Self.chart(summary, workout, environment.database, wearer) : nil, distance)
        }
        SummaryOutput(json: json).print(summary, nil, drawing)
        guard let distance else { return }
        let page = Page.standard(columnsInPipe: 80)
        CommandOutput.standard.print(
            styled: DistanceReport(analysis: distance, activity: summary.activity).lines(page))
    }

    static func chart(
        _ summary: WorkoutSummary, _ workout: HKWorkout, _ database: any HealthDatabase, _ wearer: WearerProfile?
    ) throws -> WorkoutChart {
        let entries = try StoredWorkoutEntries(workout, in: database)
        let chart = WorkoutChart(summary, entries, zones: wearer?.heartRateZones)
        if let failure = entries.failure { throw failure }
        return chart
    }

    func summary(_ database: any HealthDatabase, wearer: WearerProfile?) throws -> WorkoutSummary {
        try WorkoutSummary(StoredWorkouts(database).workout(id), in: database, wearer: wearer)
    }
}
