package import Foundation

/// A person's title, notes and other labels of a workout, in its metadata and in files that can hold them.
package struct WorkoutLabels: Sendable, Equatable {
    /// Nil if the workout has no title.
    package var title: String?
    package var notes: String?
    /// The tags in alphabetical order, without duplicates and commas.
    package var tags: [String] = []
    /// The equipment: shoes, a bike.
    package var gear: String?
    /// The effort from 1 (easy) to 10 (all out). In a log it is a reading of ``effortType``; metadata does not hold it.
    package var effort: Double?

    /// HealthKit's own key for the name of the workout in its app.
    package static let titleKey = "HKWorkoutBrandName"
    package static let notesKey = "WorkoutNotes"
    /// The tags, separated by commas.
    package static let tagsKey = "WorkoutTags"
    package static let gearKey = "WorkoutGear"
    package static let keys: Set = [titleKey, notesKey, tagsKey, gearKey]

    package static let effortType = "workoutEffortScore"
    package static let effortUnit = "appleEffortScore"

    package init() {}

    /// - Parameter text: Returns the text under a key of the metadata.
    package init(_ text: (_ key: String) -> String?) {
        func found(_ key: String) -> String? { text(key).flatMap { $0.isEmpty ? nil : $0 } }
        title = found(Self.titleKey)
        notes = found(Self.notesKey)
        tags = found(Self.tagsKey).map(Self.tags(in:)) ?? []
        gear = found(Self.gearKey)
    }

    package init(of metadata: [String: MetadataValue]) {
        self.init { key in if case .string(let text)? = metadata[key] { text } else { nil } }
    }

    package static func tags(in text: String) -> [String] {
        let tags = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        return Set(tags).sorted()
    }

    /// The texts by their keys in metadata.
    package var texts: [String: String] {
        [
            Self.titleKey: title, Self.notesKey: notes, Self.gearKey: gear,
            Self.tagsKey: tags.isEmpty ? nil : tags.joined(separator: ","),
        ].compactMapValues { $0 }
    }

    package var metadata: [String: MetadataValue] { texts.mapValues(MetadataValue.string) }

    /// Returns these labels, with missing ones taken from `other`.
    package func completed(by other: WorkoutLabels) -> WorkoutLabels {
        var labels = self
        labels.title = title ?? other.title
        labels.notes = notes ?? other.notes
        labels.tags = tags.isEmpty ? other.tags : tags
        labels.gear = gear ?? other.gear
        labels.effort = effort ?? other.effort
        return labels
    }

    /// Returns the effort of a workout as a reading of its whole length. It belongs to the workout, so it counts in
    /// pauses too.
    package func effortReading(from start: Date, to end: Date, id: UUID) -> QuantityReading? {
        guard let effort, (1...10).contains(effort) else { return nil }
        return QuantityReading(
            Self.effortType, effort, unit: Self.effortUnit, start: start, end: end, origin: SampleOrigin(id: id))
    }

    /// Returns a title that a person wrote, or nil if the text is a date or a file name, as devices and programs write.
    package static func title(fromStranger text: String) -> String? {
        let isDate = text.allSatisfy { $0.isASCII && ($0.isNumber || "TZ:+-./_, ".contains($0)) }
        return isDate || text.lowercased().hasSuffix(".gpx") ? nil : text
    }
}
