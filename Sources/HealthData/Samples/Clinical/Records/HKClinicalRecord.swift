public import Foundation

/// A record from a clinic, such as an allergy or a laboratory result. Read-only for apps.
public final class HKClinicalRecord: HKSample, NSCopying, @unchecked Sendable {
    /// The kind of the record: an allergy, a laboratory result …
    public let clinicalType: HKClinicalType
    /// The record's name from its source, for people.
    public let displayName: String
    /// The FHIR resource. Nil if the record came without one.
    public let fhirResource: HKFHIRResource?

    /// Creates a record from a file or the store. Throws ``SampleError`` instead of trapping if the data is invalid.
    package static func validated(
        _ identity: ObjectIdentity, type: HKClinicalType, displayName: String, fhirResource: HKFHIRResource?,
        start: Date, end: Date
    ) throws(SampleError) -> HKClinicalRecord {
        try check(type, start: start, end: end)
        return HKClinicalRecord(identity, type, displayName, fhirResource, start, end)
    }

    private init(
        _ identity: ObjectIdentity, _ type: HKClinicalType, _ displayName: String, _ resource: HKFHIRResource?,
        _ start: Date, _ end: Date
    ) {
        clinicalType = type
        self.displayName = displayName
        fhirResource = resource
        super.init(identity, sampleType: type, start: start, end: end)
    }

    package override func copy(
        identity: ObjectIdentity, start: Date, end: Date, inner: (Date) -> Date
    ) -> HKClinicalRecord {
        HKClinicalRecord(identity, clinicalType, displayName, fhirResource, start, end)
    }

    /// Returns the object itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public required init?(coder: NSCoder) {
        guard let type = coder.decodeValue(of: HKClinicalType.self, forKey: "sampleType"),
            let name = coder.decodeString(forKey: "displayName")
        else { return nil }
        clinicalType = type
        displayName = name
        fhirResource = coder.decodeValue(of: HKFHIRResource.self, forKey: "fhirResource")
        super.init(coder: coder)
    }

    /// Writes the values that `init(coder:)` reads, in addition to those of the superclass.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(displayName as NSString, forKey: "displayName")
        coder.encodeIfPresent(fhirResource, forKey: "fhirResource")
    }
}
