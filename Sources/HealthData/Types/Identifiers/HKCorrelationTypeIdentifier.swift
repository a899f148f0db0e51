/// Names a correlation type: samples that belong together.
public struct HKCorrelationTypeIdentifier: RawRepresentable, Hashable, Sendable {
    /// The string that stores, exports and archives have.
    public let rawValue: String

    /// Of any string: whether there is such a type, ``HKObjectType/correlationType(forIdentifier:)`` says.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Contains bloodPressureSystolic + bloodPressureDiastolic. iOS 8.0, watchOS 2.0.
    public static let bloodPressure = Self(rawValue: "HKCorrelationTypeIdentifierBloodPressure")

    /// Contains dietary* samples. iOS 8.0, watchOS 2.0.
    public static let food = Self(rawValue: "HKCorrelationTypeIdentifierFood")
}
