public import Foundation

/// A record from a clinic: an allergy, a laboratory result. Read only for apps.
public final class HKClinicalRecord: HKSample, NSCopying, @unchecked Sendable {
    /// What kind of record it is: an allergy, a laboratory result …
    public let clinicalType: HKClinicalType
    /// The record's name for people, from its source.
    public let displayName: String
    /// Nil when the record came without one.
    public let fhirResource: HKFHIRResource?

    /// A record from a file or the store; ``SampleError`` instead of a trap when the data is wrong.
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

    /// Immutable, so the copy is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

    /// Nil when the archive holds no such object, or one with values that it cannot have.
    public required init?(coder: NSCoder) {
        guard let type = coder.decodeValue(of: HKClinicalType.self, forKey: "sampleType"),
            let name = coder.decodeString(forKey: "displayName")
        else { return nil }
        clinicalType = type
        displayName = name
        fhirResource = coder.decodeValue(of: HKFHIRResource.self, forKey: "fhirResource")
        super.init(coder: coder)
    }

    /// Writes what `init(coder:)` reads, beside what the superclass writes.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(displayName as NSString, forKey: "displayName")
        coder.encodeIfPresent(fhirResource, forKey: "fhirResource")
    }
}
