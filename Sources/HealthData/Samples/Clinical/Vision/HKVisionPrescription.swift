public import Foundation

/// The kind of lenses prescribed.
public enum HKVisionPrescriptionType: UInt, Sendable {
    /// Glasses. The prescription is an ``HKGlassesPrescription`` if its values are known.
    case glasses = 1
    /// Contact lenses. The prescription is an ``HKContactsPrescription`` if its values are known.
    case contacts = 2
}

/// A prescription for glasses or contact lenses. It lasts from the day of issue to the day it expires.
public class HKVisionPrescription: HKSample, NSCopying, @unchecked Sendable {
    /// The kind of lenses prescribed.
    public final let prescriptionType: HKVisionPrescriptionType
    /// The date of issue, which is the start of the sample.
    public final let dateIssued: Date
    /// The date on which it expires. Nil if it does not expire.
    public final let expirationDate: Date?

    /// Creates a prescription without its values. Traps if it expires before it is issued, and if metadata contains a
    /// value of a type that is not allowed.
    public convenience init(
        type: HKVisionPrescriptionType, dateIssued: Date, expirationDate: Date?, device: HKDevice?,
        metadata: [String: Any]?
    ) {
        let identity = raising(try Self.identity(dateIssued, expirationDate, device, metadata))
        self.init(identity, type: type, dateIssued: dateIssued, expirationDate: expirationDate)
    }

    /// The dates have been checked. Without a day of expiry, the sample ends at the instant of issue (Apple does not
    /// document this).
    package init(
        _ identity: ObjectIdentity, type: HKVisionPrescriptionType, dateIssued: Date, expirationDate: Date?
    ) {
        prescriptionType = type
        self.dateIssued = dateIssued
        self.expirationDate = expirationDate
        super.init(
            identity, sampleType: .visionPrescriptionType(), start: dateIssued, end: expirationDate ?? dateIssued)
    }

    /// Checks the arguments of the subclasses' initialisers.
    static func identity(
        _ dateIssued: Date, _ expirationDate: Date?, _ device: HKDevice?, _ metadata: [String: Any]?
    ) throws(SampleError) -> ObjectIdentity {
        try checkDates(issued: dateIssued, expires: expirationDate)
        return try ObjectIdentity(device: device, metadata: metadata)
    }

    /// Checks the dates of prescriptions from a file or the store.
    package static func checkDates(issued: Date, expires: Date?) throws(SampleError) {
        try check(HKObjectType.visionPrescriptionType(), start: issued, end: expires ?? issued)
    }

    package override func copy(
        identity: ObjectIdentity, start: Date, end: Date, inner: (Date) -> Date
    ) -> HKVisionPrescription {
        HKVisionPrescription(
            identity, type: prescriptionType, dateIssued: start, expirationDate: expirationDate.map { _ in end })
    }

    /// Returns the object itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

    /// Returns nil if the archive contains no such object, or one with invalid values.
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

    /// Writes the values that `init(coder:)` reads, in addition to those of the superclass.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(count: Int(prescriptionType.rawValue), forKey: "prescriptionType")
        coder.encode(date: dateIssued, forKey: "dateIssued")
        if let expirationDate { coder.encode(date: expirationDate, forKey: "expirationDate") }
    }
}
