import Archiving
import Foundation
import HealthData
import Testing

struct HKClinicalRecordTests {
    @Test func `a record and its resource survive archiving`() throws {
        let resource = HKFHIRResource(
            fhirVersion: .primaryR4(), resourceType: .observation, identifier: "o1", data: Data("{}".utf8),
            sourceURL: URL(string: "https://clinic.example/o1"))
        let record = try HKClinicalRecord.validated(
            ObjectIdentity(), type: HKClinicalType(.labResultRecord), displayName: "Glucose", fhirResource: resource,
            start: time(0), end: time(0))
        let read = try #require(try archivedAndRead(record))
        #expect(read == record)
        #expect(read.clinicalType == HKClinicalType(.labResultRecord))
        #expect(read.displayName == "Glucose")
        #expect(read.fhirResource?.fhirVersion == .primaryR4())
        #expect(read.fhirResource?.resourceType == .observation)
        #expect(read.fhirResource?.data == Data("{}".utf8))
        #expect(read.fhirResource?.sourceURL == resource.sourceURL)
    }

    @Test(arguments: [("1.0.2", HKFHIRRelease.dstu2), ("4.0.1", .r4), ("3.0.2", .unknown)])
    func `versions know their release`(version: String, release: HKFHIRRelease) throws {
        let read = try HKFHIRVersion(fromVersionString: version)
        #expect(read.fhirRelease == release)
        #expect(read.stringRepresentation == version)
    }

    @Test(arguments: ["", "4", "4.0", "4.0.1.2", "4..1", "a.b.c", "4.-1.0"])
    func `an invalid version is an error`(text: String) {
        #expect(throws: HKError.self) { try HKFHIRVersion(fromVersionString: text) }
    }
}
