import Foundation
import HealthKit
import StoredWorkouts

/// Prints summaries on standard output: JSON for programs, a table for people.
struct SummaryOutput {
    var json: Bool

    func print(_ workout: WorkoutSummary?, _ file: FileSummary?, _ chart: WorkoutChart? = nil) {
        if json {
            CommandOutput.standard.print(SummaryJSON.line(workout: workout, file: file))
        } else {
            let table = SummaryTable(page: .standard(columnsInPipe: 80))
            CommandOutput.standard.print(styled: table.lines(workout: workout, file: file, chart: chart))
        }
        CommandOutput.standard.flush()
    }
}
