import Recordings

/// What a person says about a workout: its title, notes, tags and gear, as they stand in its metadata.
package struct WorkoutLabels: Sendable, Equatable {
    /// Nil if nobody gave it one.
    package var title: String?
    package var notes: String?
    /// In alphabetical order, each once; without commas.
    package var tags: [String] = []
    /// Shoes, a bike.
    package var gear: String?

    package static let titleKey = LabelKey.title.rawValue
    package static let notesKey = LabelKey.notes.rawValue
    package static let tagsKey = LabelKey.tags.rawValue
    package static let gearKey = LabelKey.gear.rawValue

    package init(_ metadata: [String: Any]?) {
        func text(_ key: String) -> String? { (metadata?[key] as? String).flatMap { $0.isEmpty ? nil : $0 } }
        title = text(Self.titleKey)
        notes = text(Self.notesKey)
        tags = text(Self.tagsKey).map(Self.tags(in:)) ?? []
        gear = text(Self.gearKey)
    }

    package static func tags(in text: String) -> [String] {
        let tags = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        return Set(tags).sorted()
    }

    /// The metadata with these labels in it, and everything else as it was.
    package func added(to metadata: [String: Any]?) -> [String: Any]? {
        var metadata = metadata ?? [:]
        metadata[Self.titleKey] = title
        metadata[Self.notesKey] = notes
        metadata[Self.tagsKey] = tags.isEmpty ? nil : tags.joined(separator: ",")
        metadata[Self.gearKey] = gear
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
}
