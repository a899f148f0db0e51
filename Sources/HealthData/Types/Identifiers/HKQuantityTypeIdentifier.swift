/// Names a quantity type: heart rate, step count, body mass and so on.
///
/// Each constant says the canonical unit of its type, how its samples are aggregated, and since when Apple has it.
/// Source: the type identifiers of Apple's HealthKit documentation, macOS 26.
public struct HKQuantityTypeIdentifier: RawRepresentable, Hashable, Sendable {
    /// The string that stores, exports and archives have.
    public let rawValue: String

    /// Of any string: whether there is such a type, ``HKObjectType/quantityType(forIdentifier:)`` says.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
