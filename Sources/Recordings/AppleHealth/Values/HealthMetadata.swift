/// The metadata of a sample, as the export writes it: texts. What a text means depends on its key; numbers with a unit
/// look like `56 degF`.
///
/// Samples with equal metadata mostly share one object, as with `HealthRecord.kind`.
public final class HealthMetadata: Sendable, Equatable {
    public struct Entry: Sendable, Hashable {
        public var key: String
        public var value: String

        public init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    /// In the order of the file. Workouts of newer systems have theirs twice.
    public let entries: [Entry]
    /// Does not depend on the order of the entries, nor on how often one is there.
    public let fingerprint: HealthFingerprint

    public static let none = HealthMetadata([])

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

    public var isEmpty: Bool { entries.isEmpty }

    /// The last value of a key.
    public subscript(key: String) -> String? { entries.last { $0.key == key }?.value }

    public static func == (a: HealthMetadata, b: HealthMetadata) -> Bool { a === b || a.entries == b.entries }
}
