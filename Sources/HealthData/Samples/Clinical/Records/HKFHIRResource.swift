public import Foundation

/// A resource of HL7 FHIR, as the clinic sent it.
public final class HKFHIRResource: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The version of FHIR that ``data`` follows.
    public let fhirVersion: HKFHIRVersion
    /// The type of the resource, such as an observation.
    public let resourceType: HKFHIRResourceType
    /// The identifier, unique among the resources of one type from one clinic.
    public let identifier: String
    /// The resource as JSON.
    public let data: Data
    /// The address from which it was fetched. Nil if it came in another way.
    public let sourceURL: URL?

    package init(
        fhirVersion: HKFHIRVersion, resourceType: HKFHIRResourceType, identifier: String, data: Data, sourceURL: URL?
    ) {
        self.fhirVersion = fhirVersion
        self.resourceType = resourceType
        self.identifier = identifier
        self.data = data
        self.sourceURL = sourceURL
    }

    /// Returns the object itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public convenience init?(coder: NSCoder) {
        guard let version = coder.decodeValue(of: HKFHIRVersion.self, forKey: "fhirVersion"),
            let type = coder.decodeString(forKey: "resourceType"),
            let identifier = coder.decodeString(forKey: "identifier"),
            let data = coder.decodeValue(of: NSData.self, forKey: "data")
        else { return nil }
        self.init(
            fhirVersion: version, resourceType: HKFHIRResourceType(rawValue: type), identifier: identifier,
            data: data as Data, sourceURL: coder.decodeString(forKey: "sourceURL").flatMap(URL.init(string:)))
    }

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
    public func encode(with coder: NSCoder) {
        coder.encode(fhirVersion, forKey: "fhirVersion")
        coder.encode(resourceType.rawValue as NSString, forKey: "resourceType")
        coder.encode(identifier as NSString, forKey: "identifier")
        coder.encode(data as NSData, forKey: "data")
        coder.encodeIfPresent(string: sourceURL?.absoluteString, forKey: "sourceURL")
    }
}

/// The type of a FHIR resource. The raw value is the resource's own name, such as `Observation`.
public struct HKFHIRResourceType: RawRepresentable, Hashable, Sendable {
    /// The resource's own name in FHIR.
    public let rawValue: String

    /// Creates a resource from any name, also one without a constant here.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A substance that somebody does not tolerate, and the body's reaction.
    public static let allergyIntolerance = Self(rawValue: "AllergyIntolerance")
    /// A diagnosis or a complaint.
    public static let condition = Self(rawValue: "Condition")
    /// The coverage of an insurance.
    public static let coverage = Self(rawValue: "Coverage")
    /// The overall findings of an examination.
    public static let diagnosticReport = Self(rawValue: "DiagnosticReport")
    /// A document, such as a clinical note.
    public static let documentReference = Self(rawValue: "DocumentReference")
    /// A vaccination, given or refused.
    public static let immunization = Self(rawValue: "Immunization")
    /// Medication that a pharmacy dispensed.
    public static let medicationDispense = Self(rawValue: "MedicationDispense")
    /// A prescription in DSTU2.
    public static let medicationOrder = Self(rawValue: "MedicationOrder")
    /// A prescription in R4.
    public static let medicationRequest = Self(rawValue: "MedicationRequest")
    /// Medication that somebody reports to take.
    public static let medicationStatement = Self(rawValue: "MedicationStatement")
    /// A measurement, such as a laboratory result or a blood pressure.
    public static let observation = Self(rawValue: "Observation")
    /// An operation, an examination or a counselling that was performed.
    public static let procedure = Self(rawValue: "Procedure")
}
