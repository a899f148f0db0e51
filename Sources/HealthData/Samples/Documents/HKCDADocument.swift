public import Foundation
import Recordings

/// A document of HL7's Clinical Document Architecture, with the parts of its header that name it.
public final class HKCDADocument: NSObject, Sendable {
    /// The XML.
    public let documentData: Data?
    /// Empty when the document has none, as the names below.
    public let title: String
    /// Whom the document is about; empty when it does not say.
    public let patientName: String
    /// Who wrote the document; empty when it does not say.
    public let authorName: String
    /// Who keeps the document, such as a clinic; empty when it does not say.
    public let custodianName: String

    /// Throws `HKError.errorInvalidArgument` when the data is no CDA document.
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
