import Foundation

/// Puts summaries on standard output: JSON for programs, a table for people.
struct SummaryOutput {
    var json: Bool

    func print(_ workout: WorkoutSummary?, _ file: FileSummary?) {
        if json {
            Swift.print(SummaryJSON.line(workout: workout, file: file))
        } else {
            let table = SummaryTable(page: .standard(columnsInPipe: 80))
            for line in table.lines(workout: workout, file: file) { Swift.print(line) }
        }
        fflush(nil)
    }
}
