public import Foundation

/// A sample that contains a document of HL7's Clinical Document Architecture.
public final class HKCDADocumentSample: HKDocumentSample, @unchecked Sendable {
    /// The document. Nil if the query that read the sample did not request documents.
    public let document: HKCDADocument?

    /// Creates a sample. Throws `HKError.errorInvalidArgument`, with the reason under
    /// `HKDetailedCDAValidationErrorKey`, if the data is no CDA document. Traps if the sample ends before it starts,
    /// and if metadata contains a value of a type that is not allowed.
    public convenience init(
        data documentData: Data, start startDate: Date, end endDate: Date, metadata: [String: Any]?
    ) throws {
        let document = try HKCDADocument(data: documentData)
        let type = HKDocumentType(.CDA)
        raising(try Self.check(type, start: startDate, end: endDate))
        let identity = raising(try ObjectIdentity(metadata: metadata))
        self.init(identity, document: document, type: type, start: startDate, end: endDate)
    }

    private init(
        _ identity: ObjectIdentity, document: HKCDADocument?, type: HKDocumentType, start: Date, end: Date
    ) {
        self.document = document
        super.init(identity, type: type, start: start, end: end)
    }

    /// Creates a sample from the store. `document` is nil if it was not requested.
    package static func validated(
        _ identity: ObjectIdentity, document: HKCDADocument?, start: Date, end: Date
    ) throws(SampleError) -> HKCDADocumentSample {
        let type = HKDocumentType(.CDA)
        try check(type, start: start, end: end)
        return HKCDADocumentSample(identity, document: document, type: type, start: start, end: end)
    }

    package override func copy(
        identity: ObjectIdentity, start: Date, end: Date, inner: (Date) -> Date
    ) -> HKCDADocumentSample {
        HKCDADocumentSample(identity, document: document, type: documentType, start: start, end: end)
    }

    // MARK: NSSecureCoding

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public required init?(coder: NSCoder) {
        document = coder.decodeValue(of: NSData.self, forKey: "document").flatMap {
            try? HKCDADocument(data: $0 as Data)
        }
        super.init(coder: coder)
    }

    /// Writes the values that `init(coder:)` reads, in addition to those of the superclass.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encodeIfPresent(document?.documentData.map { $0 as NSData }, forKey: "document")
    }
}
