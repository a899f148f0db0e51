package import SessionLog

/// Replaces stored workouts by others in one step: an edit, a trim, a merge, a split or a deletion.
///
/// Samples that the app saved with the workouts are removed too, unless a new workout takes them over. What is removed is kept
/// for ``keptDays`` days, so that the change can be undone.
package struct WorkoutReplacement: Sendable {
    /// The change in words, such as `trim Morning Run`.
    package var name: String
    package var date: Date
    package var old: [UUID]
    /// The new workouts in order of time. Empty for a deletion.
    package var new: [Successor]
    /// Whether samples of workouts without a successor stay, without a workout.
    package var keepsSamples = false

    /// How long a change can be undone.
    package static let keptDays = 30

    /// A workout that replaces the old ones. Attachments move to the first successor, efforts to all.
    package struct Successor: Sendable {
        /// The new workout, with its own source.
        package var workout: HKWorkout
        /// The log of the workout; see ``StoreWrite/workout(_:log:adding:)``. If nil, it takes over the samples of the old workouts.
        package var log: [SessionEntry]?
        package var routeMetadata: [String: MetadataValue] = [:]
        /// Replaces the effort scores that the app saved before.
        package var effort: HKQuantitySample?

        package init(workout: HKWorkout, log: [SessionEntry]? = nil) {
            self.workout = workout
            self.log = log
        }
    }

    package init(_ name: String, at date: Date, of old: [UUID], by new: [Successor] = []) {
        self.name = name
        self.date = date
        self.old = old
        self.new = new
    }

    /// When data that was kept at a date is purged.
    package static func end(ofKeepingSince date: Date) -> Date { date + Double(keptDays) * 86_400 }
}

/// A replacement of workouts that can be undone.
package struct UndoableChange: Sendable, Equatable {
    package var id: Int64
    package var name: String
    package var date: Date
    /// The workouts that the change removed.
    package var old: [UUID]
    /// The workouts that the change added.
    package var new: [UUID]

    /// When it is purged.
    package var end: Date { WorkoutReplacement.end(ofKeepingSince: date) }

    /// Returns the latest change of a workout, after later changes of its results, which must be undone first.
    /// - Parameter changes: Latest first.
    static func lastFirst(of workout: UUID, in changes: [UndoableChange]) -> [UndoableChange] {
        guard let last = changes.firstIndex(where: { $0.old.contains(workout) || $0.new.contains(workout) }) else {
            return []
        }
        var found = [changes[last]]
        var results = Set(changes[last].new)
        for change in changes[..<last].reversed() where !results.isDisjoint(with: change.old) {
            found.insert(change, at: 0)
            results.formUnion(change.new)
        }
        return found
    }
}
