import ArgumentParser
import Foundation
import HealthKit
import Reports
import StoredWorkouts
import Synchronization

/// `workout browse`: shows the stored workouts on the whole terminal.
struct Browse: AsyncParsableCommand, UnitConfigurable {
    static let configuration = CommandConfiguration(
        commandName: "browse",
        abstract: "Browse stored workouts on the terminal, with a preview and a search.",
        discussion: """
            Keys: up and down (or k and j) move, left and right go by pages, g and G to the first and the last, / searches, Enter \
            opens a workout, Esc goes back and clears the search, q quits.

            Example:
              workout browse --activity running --from 1y
            """)

    @OptionGroup var which: WorkoutFilterArguments

    @OptionGroup var distances: UnitOptions

    func run() async throws {
        guard let terminal = Terminal.standard(), terminal.input != nil else {
            throw CommandFailure(exitCode: .wrongUsage, message: "browse needs a terminal; 'workout list' does not")
        }
        let environment = HealthEnvironment.current
        let workouts = try await CommandFailure.ownFault {
            try StoredWorkouts(environment.database).all(which.filter)
        }
        guard !workouts.isEmpty else {
            print("No stored workout matches. 'workout list' lists all.")
            return
        }
        try await Self.browse(workouts, environment, on: terminal)
    }

    static func browse(_ workouts: [HKWorkout], _ environment: HealthEnvironment, on terminal: Terminal) async throws {
        let list = Mutex(BrowseList(workouts))
        let previews = BrowsePreviews(environment)
        let (end, isOver) = AsyncStream.makeStream(of: Void.self)
        let closed = try await TerminalScreen(terminal: terminal).run(
            content: {
                let shown = list.withLock { $0 }
                let columns = BrowseFrame.previewColumns(shown, terminal.size)
                let page = Page(columns: columns, capability: terminal.capability)
                return BrowseFrame(list: shown, preview: shown.selection.map { previews.lines(of: $0, page) } ?? [])
            },
            keys: { key in
                list.withLock { list in
                    list.press(key)
                    if list.isOver { isOver.finish() }
                }
            },
            until: { for await _ in end {} })
        if case .interrupted = closed { throw ExitCode.interrupted }
    }
}

/// The summaries of the workouts that were selected. Each is read once.
private final class BrowsePreviews: Sendable {
    private let environment: HealthEnvironment
    private let known = Mutex<[UUID: WorkoutSummary]>([:])

    init(_ environment: HealthEnvironment) { self.environment = environment }

    func lines(of workout: HKWorkout, _ page: Page) -> [String] {
        do {
            let summary: WorkoutSummary
            if let read = known.withLock({ $0[workout.uuid] }) {
                summary = read
            } else {
                summary = try WorkoutSummary(workout, withZonesOf: environment)
                known.withLock { $0[workout.uuid] = summary }
            }
            return SummaryTable(page: page).lines(workout: summary)
        } catch {
            return [localized("This workout cannot be read: %1", CommandFailure.describe(error))]
        }
    }
}
