public import Foundation
public import SessionLog

/// A record from a clinic, as an export names it: what it is about is in a file of its own, a resource of HL7 FHIR as JSON.
public struct HealthClinicalRecord: Sendable, Equatable {
    /// The type of the resource, such as `Observation`.
    public var type: String
    /// Unique among the resources of one type from one clinic.
    public var identifier: String
    /// The clinic.
    public var sourceName: String
    /// Where the clinic's records were fetched; nil where the export does not say.
    public var sourceURL: String?
    /// Such as `4.0.1`.
    public var fhirVersion: String
    /// When the phone received it.
    public var receivedDate: Date
    /// Such as `/clinical-records/Observation-1.json`.
    public var resourceFilePath: String

    /// - Parameter resourceFilePath: Where in the export the resource is.
    public init(
        type: String, identifier: String, sourceName: String, sourceURL: String?, fhirVersion: String,
        receivedDate: Date, resourceFilePath: String
    ) {
        self.type = type
        self.identifier = identifier
        self.sourceName = sourceName
        self.sourceURL = sourceURL
        self.fhirVersion = fhirVersion
        self.receivedDate = receivedDate
        self.resourceFilePath = resourceFilePath
    }

    /// Of the resource, in whatever state it was received.
    public var fingerprint: HealthFingerprint {
        var print = HealthFingerprint()
        for text in ["ClinicalRecord", type, identifier, sourceName] { print.combine(text) }
        return print
    }
}
