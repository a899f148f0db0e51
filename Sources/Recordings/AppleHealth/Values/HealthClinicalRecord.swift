public import Foundation
public import SessionLog

/// A record from a clinic, as an export lists it. Its content is in a file of its own: a JSON resource of HL7 FHIR.
public struct HealthClinicalRecord: Sendable, Equatable {
    /// The type of the resource, such as `Observation`.
    public var type: String
    /// The identifier, unique among the clinic's resources of one type.
    public var identifier: String
    /// The name of the clinic.
    public var sourceName: String
    /// The address from which the clinic's records were fetched. Nil if the export does not state it.
    public var sourceURL: String?
    /// The version of FHIR, such as `4.0.1`.
    public var fhirVersion: String
    /// When the phone received it.
    public var receivedDate: Date
    /// The path in the export, such as `/clinical-records/Observation-1.json`.
    public var resourceFilePath: String

    /// - Parameter resourceFilePath: The path of the resource in the export.
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

    /// Identifies the resource, in whatever version it was received.
    public var fingerprint: HealthFingerprint {
        var print = HealthFingerprint()
        for text in ["ClinicalRecord", type, identifier, sourceName] { print.combine(text) }
        return print
    }
}
