/// The identifier of a quantity type: heart rate, step count, body mass and so on.
///
/// The comment of each constant states the canonical unit of its type, the aggregation of its samples, and the versions
/// that introduced it. Source: the type identifiers of Apple's HealthKit documentation, macOS 26.
public struct HKQuantityTypeIdentifier: RawRepresentable, Hashable, Sendable {
    /// The string used in stores, exports and archives.
    public let rawValue: String

    /// Creates an identifier from any string. ``HKObjectType/quantityType(forIdentifier:)`` returns nil if there is no
    /// such type.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
