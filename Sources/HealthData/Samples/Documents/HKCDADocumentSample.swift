public import Foundation

/// A sample that holds a document of HL7's Clinical Document Architecture.
public final class HKCDADocumentSample: HKDocumentSample, @unchecked Sendable {
    /// Nil when the query that read the sample did not ask for documents.
    public let document: HKCDADocument?

    /// Throws `HKError.errorInvalidArgument`, with the reason under `HKDetailedCDAValidationErrorKey`, when the data is
    /// no CDA document. Traps when the sample ends before it starts, and when metadata holds a value of a type that is
    /// not allowed.
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

    /// A sample from the store; nil as `document` when it was not asked for.
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

    /// Nil when the archive holds no such object, or one with values that it cannot have.
    public required init?(coder: NSCoder) {
        document = coder.decodeValue(of: NSData.self, forKey: "document").flatMap {
            try? HKCDADocument(data: $0 as Data)
        }
        super.init(coder: coder)
    }

    /// Writes what `init(coder:)` reads, beside what the superclass writes.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encodeIfPresent(document?.documentData.map { $0 as NSData }, forKey: "document")
    }
}
