/// Names a document type.
public struct HKDocumentTypeIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Clinical Document Architecture. iOS 10.0, watchOS 3.0.
    public static let CDA = Self(rawValue: "HKDocumentTypeIdentifierCDA")
}
