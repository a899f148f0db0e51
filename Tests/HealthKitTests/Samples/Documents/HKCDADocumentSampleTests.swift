import Archiving
import Foundation
import HealthKit
import Testing

struct HKCDADocumentSampleTests {
    private static let document = """
        <?xml version="1.0"?>
        <ClinicalDocument xmlns="urn:hl7-org:v3">
          <title>Summary of <b>Visit</b></title>
          <recordTarget><patientRole><patient>
            <name><given>Ada</given><family>Lovelace</family></name><name><given>Other</given></name>
          </patient></patientRole></recordTarget>
          <author><assignedAuthor><assignedPerson>
            <name><prefix>Dr.</prefix> <given>Grace</given> <family>Hopper</family></name>
          </assignedPerson></assignedAuthor></author>
          <custodian><assignedCustodian><representedCustodianOrganization>
            <name>A &amp; B Clinic</name>
          </representedCustodianOrganization></assignedCustodian></custodian>
          <component><section><title>Not the title</title></section></component>
        </ClinicalDocument>
        """

    @Test func `the header contains the document's title`() throws {
        let sample = try HKCDADocumentSample(
            data: Data(Self.document.utf8), start: time(0), end: time(0), metadata: nil)
        for sample in [sample, try #require(try archivedAndRead(sample))] {
            let document = try #require(sample.document)
            #expect(document.title.hasPrefix("Summary of"))
            #expect(document.patientName == "Ada Lovelace")
            #expect(document.authorName == "Dr. Grace Hopper")
            #expect(document.custodianName == "A & B Clinic")
            #expect(document.documentData == Data(Self.document.utf8))
            #expect(sample.documentType == HKDocumentType(.CDA))
        }
    }

    @Test func `a document is found by its header`() throws {
        let sample = try HKCDADocumentSample(
            data: Data(Self.document.utf8), start: time(0), end: time(0), metadata: nil)
        let predicate = NSPredicate(
            format: "%K BEGINSWITH 'Summary' AND %K == 'Ada Lovelace'", HKPredicateKeyPathCDATitle,
            HKPredicateKeyPathCDAPatientName)
        #expect(predicate.evaluate(with: sample))
        #expect(!NSPredicate(format: "%K CONTAINS[c] 'x'", HKPredicateKeyPathCDAAuthorName).evaluate(with: sample))
    }

    @Test func `invalid text is an error, and a name in Latin-1 is read`() throws {
        var damaged = Data(Self.document.utf8)
        let name = try #require(damaged.range(of: Data("ClinicalDocument".utf8)))
        damaged[name.lowerBound + 8] = 0xD9
        #expect(throws: HKError.self) { try HKCDADocument(data: damaged) }
        let latin =
            #"<?xml version="1.0" encoding="ISO-8859-1"?>"#
            + #"<ClinicalDocument xmlns="urn:hl7-org:v3"><title>Befund für Müller</title></ClinicalDocument>"#
        let data = try #require(latin.data(using: .isoLatin1))
        #expect(try HKCDADocument(data: data).title.hasPrefix("Befund"))
    }

    @Test(arguments: [
        "", "not XML", "<ClinicalDocument/>", "<html></html>", #"<ClinicalDocument xmlns="urn:hl7-org:v3">"#,
    ])
    func `an invalid CDA document is an error with a reason`(text: String) throws {
        let error = try #require(throws: HKError.self) {
            try HKCDADocumentSample(data: Data(text.utf8), start: time(0), end: time(0), metadata: nil)
        }
        #expect(error.code == .errorInvalidArgument)
        #expect(error.userInfo[HKDetailedCDAValidationErrorKey] is String)
    }
}
