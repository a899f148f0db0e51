/// A type of sample that holds a document.
// Immutable, as HKObjectType explains.
public final class HKDocumentType: HKSampleType, @unchecked Sendable {
    /// Traps when there is no document type of that identifier; `documentType(forIdentifier:)` gives nil instead.
    public convenience init(_ identifier: HKDocumentTypeIdentifier) {
        guard let type = HKObjectType.documentType(forIdentifier: identifier) else {
            preconditionFailure("there is no document type with the identifier \(identifier.rawValue)")
        }
        self.init(like: type)
    }
}
