import Foundation

/// Puts summaries on standard output: JSON for programs, a table for people.
struct SummaryOutput {
    var json: Bool

    func print(_ workout: WorkoutSummary?, _ file: FileSummary?) {
        if json {
            Swift.print(SummaryJSON.line(workout: workout, file: file))
        } else {
            let terminal = Terminal.standard()
            let table = SummaryTable(
                columns: terminal?.size.columns ?? 80,
                capability: terminal?.capability
                    ?? TerminalCapability(environment: ProcessInfo.processInfo.environment, isTerminal: false))
            for line in table.lines(workout: workout, file: file) { Swift.print(line) }
        }
        fflush(nil)
    }
}
