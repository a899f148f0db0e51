public import Foundation

/// A document of HL7's Clinical Document Architecture, with the identifying parts of its header.
public final class HKCDADocument: NSObject, Sendable {
    /// The document as XML.
    public let documentData: Data?
    /// The title. Empty if the document has none.
    public let title: String
    /// The name of the patient. Empty if the document has none.
    public let patientName: String
    /// The name of the author. Empty if the document has none.
    public let authorName: String
    /// The name of the custodian who keeps the document, such as a clinic. Empty if the document has none.
    public let custodianName: String

    /// Reads a document. Throws `HKError.errorInvalidArgument` if the data is no CDA document.
    package init(data: Data) throws(HKError) {
        let header: CDAHeader
        do {
            header = try CDAHeader(data)
        } catch {
            throw HKError(
                .errorInvalidArgument,
                userInfo: [
                    NSLocalizedDescriptionKey:
                        "The data is not a document of the Clinical Document Architecture: \(error).",
                    HKDetailedCDAValidationErrorKey: "\(error)",
                ])
        }
        documentData = data
        title = header.title
        patientName = header.patientName
        authorName = header.authorName
        custodianName = header.custodianName
    }
}
