import Foundation
import HealthKit
import Reports
import StoredWorkouts

/// Workouts to delete, and the data that goes with them.
struct WorkoutDeletion {
    var workouts: [HKWorkout] = []
    /// The samples of each type that each workout has, if any.
    var samples: [(selection: SampleSelection, count: Int)] = []
    var keepsSamples = false

    var sampleCount: Int { samples.reduce(0) { $0 + $1.count } }

    func lines(_ page: Page) -> [String] {
        let with =
            samples.isEmpty
            ? localized("without samples") : localized("and %1", Page.counted(sampleCount, "sample"))
        return ["\(Page.counted(workouts.count, "workout")) \(with):"]
            + WorkoutListing(workouts: workouts).lines(page)
    }

    /// Deletes them so that 'workout undo' can restore them.
    func carryOut(_ environment: HealthEnvironment, _ page: Page, at now: Date) throws {
        let title = workouts.first.map { WorkoutTitle.of($0, page.timeZone) } ?? ""
        let name = workouts.count == 1 ? "delete \(title)" : "delete \(Page.counted(workouts.count, "workout"))"
        try HKHealthStore(environment: environment).delete(
            workouts, keepingSamples: keepsSamples, named: name, at: now)
    }

    /// Deletes them permanently. The workouts go last, so that after an interruption the rest can be found and deleted
    /// by their IDs.
    func carryOut(_ database: any HealthDatabase) throws {
        for (selection, _) in samples { _ = try database.delete(selection, owner: nil) }
        _ = try database.delete(Set(workouts.map(\.uuid)), owner: nil)
    }

    var json: String {
        JSONText.object([
            ("deleted", .array(workouts.map { .string($0.uuid.uuidString) })), ("samples", .integer(sampleCount)),
        ]).text
    }
}
