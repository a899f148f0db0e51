import ArgumentParser
import Foundation
import HealthKit
import Recordings
import Reports
import SessionLog
import StoredWorkouts

/// `workout list`: lists the stored workouts.
struct List: AsyncParsableCommand, UnitConfigurable, LanguageConfigurable {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List stored workouts, newest first.",
        discussion: """
            The column 'record' names the longest distance over which a workout is the fastest of all history, and how many \
            more records it holds ('workout analyze' lists all). Weekly totals follow; unfinished sessions (see 'workout recover') are listed first. 'workout show ID' shows one \
            workout. Times are local on the screen and UTC in JSON.

            Examples:
              workout list --activity running --from 3mo
              workout list --text lake --tag race --min-distance 10km
            """)

    @OptionGroup var which: WorkoutFilterArguments

    @Option(help: "Number of workouts to list at most.")
    var limit: Int?

    @OptionGroup var distances: UnitOptions

    @OptionGroup var reader: LanguageOptions

    @OptionGroup var pager: PagerOptions

    @Flag(help: "Print one JSON object per workout, one per line.")
    var json = false

    var isForPrograms: Bool { json }

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
    }

    func run() async throws {
        let lines = try await CommandFailure.ownFault {
            let environment = HealthEnvironment.current
            let waiting =
                json ? [] : Self.waiting(SessionRecovery.waiting(in: environment), .standard(columnsInPipe: .max))
            return try waiting + self.lines(environment.database, .standard(columnsInPipe: .max))
        }
        Pager.print(styled: lines, pager)
    }

    func lines(_ database: any HealthDatabase, _ page: Page) throws -> [String] {
        let workouts = try StoredWorkouts(database)
            .all(which.filter, limit: limit)
        let listing = WorkoutListing(
            workouts: workouts, best: workouts.isEmpty ? nil : try BestEfforts(in: database))
        if json { return listing.jsonLines }
        guard workouts.isEmpty else {
            // Part of a week would be mistaken for the whole week.
            guard limit == nil, workouts.count > 1 else { return listing.lines(page) }
            return listing.lines(page) + [""] + WeekTotals(workouts, page.timeZone).lines(page)
        }
        return [
            which.filter.isEmpty
                ? localized(
                    "No workouts are stored yet. To store one: workout record, workout import FILE or workout replay FILE --save"
                )
                : localized("No stored workout matches. 'workout list' lists all.")
        ]
    }

    /// Returns a line for each interrupted session.
    static func waiting(_ sessions: [SessionState], _ page: Page) -> [String] {
        sessions.map { session in
            let title = ActivityTitle.of(session.header?.activity.activity ?? "other")
            let start = session.workoutStart.map { page.minute($0, showsZone: true) } ?? page.dash
            return StyledLine(
                "! " + localized("%1 of %2 was interrupted. To save it: workout recover", title, start),
                .colour(.yellow)
            )
            .text(page.capability.colour)
        }
    }
}
