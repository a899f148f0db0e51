public import Foundation

/// A sample that contains a document. Abstract.
public class HKDocumentSample: HKSample, @unchecked Sendable {
    /// The format of the document.
    public final let documentType: HKDocumentType

    init(_ identity: ObjectIdentity, type: HKDocumentType, start: Date, end: Date) {
        documentType = type
        super.init(identity, sampleType: type, start: start, end: end)
    }

    // MARK: NSSecureCoding

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public required init?(coder: NSCoder) {
        guard let type = coder.decodeValue(of: HKDocumentType.self, forKey: "sampleType") else { return nil }
        documentType = type
        super.init(coder: coder)
    }
}
