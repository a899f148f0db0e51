/// Names a quantity type: heart rate, step count, body mass and so on.
///
/// Each constant says the canonical unit of its type, how its samples are aggregated, and since when Apple has it.
/// Source: the type identifiers of Apple's HealthKit documentation, macOS 26.
public struct HKQuantityTypeIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
