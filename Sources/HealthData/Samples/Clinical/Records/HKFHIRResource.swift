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
