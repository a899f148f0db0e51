import ArgumentParser
import Foundation
import HealthKit
import SessionLog
import StoredWorkouts

/// `workout show`: shows a stored workout.
struct Show: AsyncParsableCommand, UnitConfigurable, LanguageConfigurable {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a stored workout.",
        discussion: """
            Prints the summary that 'workout replay' prints. Time in zones uses your profile ('workout profile'): your \
            maximum heart rate, an estimate from your date of birth, or your own zones as of that day. On a terminal, draws \
            heart rate with laps, elevation and route; --chart also draws them if output is piped, --no-chart never.

            Example:
              workout show 8F3A
            """)

    @Argument(
        help: "The workout's ID, or a unique prefix of it.", completion: StoredCompletion.workouts)
    var id: String

    @Flag(inversion: .prefixedNo, help: "Draw heart rate, elevation and route. Default: on a terminal.")
    var chart: Bool?

    @OptionGroup var distances: UnitOptions

    @OptionGroup var reader: LanguageOptions

    @OptionGroup var pager: PagerOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    var isForPrograms: Bool { json }

    func run() async throws {
        let environment = HealthEnvironment.current
        let isDrawn = !json && (chart ?? (Terminal.standard() != nil))
        let (summary, drawing, report) = try await CommandFailure.ownFault {
            let workout = try StoredWorkouts(environment.database).workout(id)
            let summary = try WorkoutSummary(workout, withZonesOf: environment)
            let wearer = environment.wearer(at: workout.startDate)
            let report = json ? nil : try DistanceReport(workout, in: environment.database)
            return (summary, isDrawn ? try Self.chart(summary, workout, environment.database, wearer) : nil, report)
        }
        guard let report else { return SummaryOutput(json: json).print(summary, nil, drawing) }
        let page = Page.standard(columnsInPipe: 80)
        Pager.print(
            styled: SummaryTable(page: page).lines(workout: summary, chart: drawing) + report.lines(page), pager)
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
