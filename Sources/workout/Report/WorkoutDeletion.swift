import Foundation
import HealthKit

/// Workouts that are to be deleted, and what goes with them.
struct WorkoutDeletion {
    var workouts: [HKWorkout] = []
    /// Each workout's samples of a type, where there are any.
    var samples: [(selection: SampleSelection, count: Int)] = []

    var sampleCount: Int { samples.reduce(0) { $0 + $1.count } }

    func lines(_ page: Page) -> [String] {
        let with = samples.isEmpty ? "without samples" : "and \(Page.counted(sampleCount, "sample"))"
        return ["\(Page.counted(workouts.count, "workout")) \(with):"]
            + WorkoutListing(workouts: workouts).lines(page)
    }

    /// The workouts go last: what an interruption leaves can be found and deleted by their IDs.
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
