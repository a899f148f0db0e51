package import SessionLog

extension WorkoutLabels {
    /// Creates the labels of a workout, without its effort, which is a separate sample.
    package init(_ metadata: [String: Any]?) { self.init { key in metadata?[key] as? String } }

    /// Returns the metadata with these labels, and everything else unchanged.
    package func added(to metadata: [String: Any]?) -> [String: Any]? {
        var metadata = metadata ?? [:]
        for key in Self.keys { metadata[key] = texts[key] }
        return metadata.isEmpty ? nil : metadata
    }

    /// A change of labels: nil keeps a label, and an empty text removes it.
    package struct Change: Sendable, Equatable {
        package var title: String?
        package var notes: String?
        package var gear: String?
        package var addedTags: [String] = []
        package var removedTags: [String] = []

        package init() {}

        package var isEmpty: Bool { self == Change() }
    }

    package func applying(_ change: Change) -> WorkoutLabels {
        func changed(_ old: String?, _ new: String?) -> String? { new.map { $0.isEmpty ? nil : $0 } ?? old }
        var labels = self
        labels.title = changed(title, change.title)
        labels.notes = changed(notes, change.notes)
        labels.gear = changed(gear, change.gear)
        labels.tags = Set(tags).subtracting(change.removedTags).union(change.addedTags).sorted()
        return labels
    }
}

extension HKWorkout {
    package var labels: WorkoutLabels { WorkoutLabels(metadata) }

    /// The time zone of the workout's place. Nil if it does not contain one.
    package var timeZone: TimeZone? {
        (metadata?[HKMetadataKeyTimeZone] as? String).flatMap(TimeZone.init(identifier:))
    }
}
