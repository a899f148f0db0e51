public import SessionLog

/// The metadata of a sample as texts, as the export writes them. The meaning of a text depends on its key. Numbers with
/// a unit look like `56 degF`.
///
/// Samples with equal metadata mostly share one object, as with `HealthRecord.kind`.
public final class HealthMetadata: Sendable, Equatable {
    /// A key with its text.
    public struct Entry: Sendable, Hashable {
        /// The key, such as `HKWasUserEntered`, or one of the app's own.
        public var key: String
        /// The text in the export: `1` for true, `56 degF` for a quantity.
        public var value: String

        /// Creates an entry without converting anything, because the meaning of a text depends on its key.
        public init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    /// The entries in the order of the file. Workouts of newer systems have each entry twice.
    public let entries: [Entry]
    /// A fingerprint that does not depend on the order of the entries or on repetitions.
    public let fingerprint: HealthFingerprint

    /// The shared object for no metadata.
    public static let none = HealthMetadata([])

    /// Creates metadata. Repeated entries stay.
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

    /// How far back to look for a repeated entry. Real metadata have fewer than fifty.
    private static let window = 256

    /// Whether there are no entries.
    public var isEmpty: Bool { entries.isEmpty }

    /// The last value of a key.
    public subscript(key: String) -> String? { entries.last { $0.key == key }?.value }

    /// Returns whether the entries are equal, in the same order.
    public static func == (a: HealthMetadata, b: HealthMetadata) -> Bool { a === b || a.entries == b.entries }
}
