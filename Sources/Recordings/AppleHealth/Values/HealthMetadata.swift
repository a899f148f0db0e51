public import SessionLog

/// The metadata of a sample, as the export writes it: texts. What a text means depends on its key; numbers with a unit
/// look like `56 degF`.
///
/// Samples with equal metadata mostly share one object, as with `HealthRecord.kind`.
public final class HealthMetadata: Sendable, Equatable {
    /// A key with its text.
    public struct Entry: Sendable, Hashable {
        /// Such as `HKWasUserEntered`, or a key of the app's own.
        public var key: String
        /// As the export writes it: `1` for true, `56 degF` for a quantity.
        public var value: String

        /// Nothing is converted: what a text means depends on its key.
        public init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    /// In the order of the file. Workouts of newer systems have theirs twice.
    public let entries: [Entry]
    /// Does not depend on the order of the entries, nor on how often one is there.
    public let fingerprint: HealthFingerprint

    /// The one object of all that have no metadata.
    public static let none = HealthMetadata([])

    /// Repeated entries stay.
    public init(_ entries: [Entry]) {
        self.entries = entries
        var sum = HealthFingerprint()
        for (index, entry) in entries.enumerated() where !entries[..<index].suffix(Self.window).contains(entry) {
            var print = HealthFingerprint()
            print.combine(entry.key)
            print.combine(entry.value)
            sum.add(print)
        }
        fingerprint = sum
    }

    /// How far back a repeated entry is looked for: real metadata have less than fifty.
    private static let window = 256

    /// Whether there is no entry.
    public var isEmpty: Bool { entries.isEmpty }

    /// The last value of a key.
    public subscript(key: String) -> String? { entries.last { $0.key == key }?.value }

    /// Equal when the entries are, in the same order.
    public static func == (a: HealthMetadata, b: HealthMetadata) -> Bool { a === b || a.entries == b.entries }
}
