public import Foundation

/// What lenses are prescribed.
public enum HKVisionPrescriptionType: UInt, Sendable {
    /// The prescription is an ``HKGlassesPrescription`` where its values are known.
    case glasses = 1
    /// The prescription is an ``HKContactsPrescription`` where its values are known.
    case contacts = 2
}

/// A prescription for glasses or contact lenses. Lasts from the day of issue to the day it expires.
public class HKVisionPrescription: HKSample, NSCopying, @unchecked Sendable {
    /// What lenses are prescribed.
    public final let prescriptionType: HKVisionPrescriptionType
    /// The start of the sample.
    public final let dateIssued: Date
    /// Nil when it does not expire.
    public final let expirationDate: Date?

    /// A prescription without its values. Traps when it expires before it is issued, and when metadata holds a value of
    /// a type that is not allowed.
    public convenience init(
        type: HKVisionPrescriptionType, dateIssued: Date, expirationDate: Date?, device: HKDevice?,
        metadata: [String: Any]?
    ) {
        let identity = raising(try Self.identity(dateIssued, expirationDate, device, metadata))
        self.init(identity, type: type, dateIssued: dateIssued, expirationDate: expirationDate)
    }

    /// The dates have been checked. Without a day of expiry the sample is of the instant of issue (Apple does not say).
    package init(
        _ identity: ObjectIdentity, type: HKVisionPrescriptionType, dateIssued: Date, expirationDate: Date?
    ) {
        prescriptionType = type
        self.dateIssued = dateIssued
        self.expirationDate = expirationDate
        super.init(
            identity, sampleType: .visionPrescriptionType(), start: dateIssued, end: expirationDate ?? dateIssued)
    }

    /// What the initialisers of the subclasses check.
    static func identity(
        _ dateIssued: Date, _ expirationDate: Date?, _ device: HKDevice?, _ metadata: [String: Any]?
    ) throws(SampleError) -> ObjectIdentity {
        try checkDates(issued: dateIssued, expires: expirationDate)
        return try ObjectIdentity(device: device, metadata: metadata)
    }

    /// For prescriptions from a file or the store.
    package static func checkDates(issued: Date, expires: Date?) throws(SampleError) {
        try check(HKObjectType.visionPrescriptionType(), start: issued, end: expires ?? issued)
    }

    package override func copy(
        identity: ObjectIdentity, start: Date, end: Date, inner: (Date) -> Date
    ) -> HKVisionPrescription {
        HKVisionPrescription(
            identity, type: prescriptionType, dateIssued: start, expirationDate: expirationDate.map { _ in end })
    }

    /// Immutable, so the copy is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

    /// Nil when the archive holds no such object, or one with values that it cannot have.
    public required init?(coder: NSCoder) {
        guard
            let type = coder.decodeCount(forKey: "prescriptionType")
                .flatMap({ HKVisionPrescriptionType(rawValue: UInt(clamping: $0)) }),
            let issued = coder.decodeDate(forKey: "dateIssued")
        else { return nil }
        prescriptionType = type
        dateIssued = issued
        expirationDate = coder.decodeDate(forKey: "expirationDate")
        super.init(coder: coder)
    }

    /// Writes what `init(coder:)` reads, beside what the superclass writes.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(count: Int(prescriptionType.rawValue), forKey: "prescriptionType")
        coder.encode(date: dateIssued, forKey: "dateIssued")
        if let expirationDate { coder.encode(date: expirationDate, forKey: "expirationDate") }
    }
}
