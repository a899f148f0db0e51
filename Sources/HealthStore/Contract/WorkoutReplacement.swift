package import SessionLog

/// Stored workouts that give way to others in one step: what an edit, a trim, a merge, a split and a deletion are to the store.
///
/// The samples that the workouts' source saved with them go too, unless a new workout takes them over. What goes is kept for
/// ``keptDays`` days, so that the change can be undone.
package struct WorkoutReplacement: Sendable {
    /// What was done, for people: `trim Morning Run`.
    package var name: String
    package var date: Date
    package var old: [UUID]
    /// In order of time. None deletes the old ones.
    package var new: [Successor]
    /// Whether the samples of workouts without a successor stay, as samples without a workout.
    package var keepsSamples = false

    /// How long a change can be undone.
    package static let keptDays = 30

    /// A workout that takes the place of the old ones. Attachments go to the first successor, efforts to all of them.
    package struct Successor: Sendable {
        /// Saved under its own source.
        package var workout: HKWorkout
        /// The workout's samples, see ``StoreWrite/workout(_:log:adding:)``; nil takes over those of the old workouts as they are.
        package var log: [SessionEntry]?
        package var routeMetadata: [String: MetadataValue] = [:]
        /// Takes the place of the effort scores that the source saved before.
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

    /// When what was kept at a date goes for good.
    package static func end(ofKeepingSince date: Date) -> Date { date + Double(keptDays) * 86_400 }
}

/// A replacement of workouts that can be undone.
package struct UndoableChange: Sendable, Equatable {
    package var id: Int64
    package var name: String
    package var date: Date
    /// What the change took out of the store.
    package var old: [UUID]
    /// What it put in their place.
    package var new: [UUID]

    /// When it is purged.
    package var end: Date { WorkoutReplacement.end(ofKeepingSince: date) }

    /// Returns the last change of a workout after those that have changed its results since, which have to be undone
    /// first.
    /// - Parameter changes: The latest first.
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
