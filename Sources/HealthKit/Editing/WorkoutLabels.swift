package import SessionLog

extension WorkoutLabels {
    /// Those of a workout, without its effort, which is a sample of its own.
    package init(_ metadata: [String: Any]?) { self.init { key in metadata?[key] as? String } }

    /// The metadata with these labels in it, and everything else as it was.
    package func added(to metadata: [String: Any]?) -> [String: Any]? {
        var metadata = metadata ?? [:]
        for key in Self.keys { metadata[key] = texts[key] }
        return metadata.isEmpty ? nil : metadata
    }

    /// What is to become of them: nil leaves a label as it is, and an empty text removes it.
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

    /// Where it was; nil if it does not say so.
    package var timeZone: TimeZone? {
        (metadata?[HKMetadataKeyTimeZone] as? String).flatMap(TimeZone.init(identifier:))
    }
}
