/// Names a document type.
public struct HKDocumentTypeIdentifier: RawRepresentable, Hashable, Sendable {
    /// The string that stores and archives have.
    public let rawValue: String

    /// Of any string: whether there is such a type, ``HKObjectType/documentType(forIdentifier:)`` says.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Clinical Document Architecture. iOS 10.0, watchOS 3.0.
    public static let CDA = Self(rawValue: "HKDocumentTypeIdentifierCDA")
}
