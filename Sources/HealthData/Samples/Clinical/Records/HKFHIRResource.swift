public import Foundation

/// A resource of HL7 FHIR, as the clinic sent it.
public final class HKFHIRResource: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The version of FHIR that ``data`` follows.
    public let fhirVersion: HKFHIRVersion
    /// What the resource is of, such as an observation.
    public let resourceType: HKFHIRResourceType
    /// Unique among the resources of one type from one clinic.
    public let identifier: String
    /// The resource as JSON.
    public let data: Data
    /// Where it was fetched; nil when it came by another way.
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

    /// Immutable, so the copy is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

    /// True: archives are read with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Nil when the archive holds no such object, or one with values that it cannot have.
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

    /// Writes what `init(coder:)` reads, under keys of this library's own.
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

    /// Of any resource, also one without a constant here.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// What somebody does not tolerate, and how the body reacts.
    public static let allergyIntolerance = Self(rawValue: "AllergyIntolerance")
    /// A diagnosis or a complaint.
    public static let condition = Self(rawValue: "Condition")
    /// What an insurance covers.
    public static let coverage = Self(rawValue: "Coverage")
    /// The findings of an examination as a whole.
    public static let diagnosticReport = Self(rawValue: "DiagnosticReport")
    /// A document, such as a clinical note.
    public static let documentReference = Self(rawValue: "DocumentReference")
    /// A vaccination, given or refused.
    public static let immunization = Self(rawValue: "Immunization")
    /// Medication that a pharmacy handed out.
    public static let medicationDispense = Self(rawValue: "MedicationDispense")
    /// A prescription, as DSTU2 calls it.
    public static let medicationOrder = Self(rawValue: "MedicationOrder")
    /// A prescription, as R4 calls it.
    public static let medicationRequest = Self(rawValue: "MedicationRequest")
    /// Medication that somebody says they take.
    public static let medicationStatement = Self(rawValue: "MedicationStatement")
    /// A measurement, such as a laboratory result or a blood pressure.
    public static let observation = Self(rawValue: "Observation")
    /// An operation, an examination or a counselling that took place.
    public static let procedure = Self(rawValue: "Procedure")
}
