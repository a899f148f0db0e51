public import Foundation

/// A prescription for glasses.
public final class HKGlassesPrescription: HKVisionPrescription, @unchecked Sendable {
    /// Nil when there is no lens for this eye.
    public let rightEye: HKGlassesLensSpecification?
    /// Nil when there is no lens for this eye.
    public let leftEye: HKGlassesLensSpecification?

    /// Traps when the prescription expires before it is issued, and when metadata holds a value of a type that is not
    /// allowed.
    public convenience init(
        rightEyeSpecification: HKGlassesLensSpecification?, leftEyeSpecification: HKGlassesLensSpecification?,
        dateIssued: Date, expirationDate: Date?, device: HKDevice?, metadata: [String: Any]?
    ) {
        let identity = raising(try Self.identity(dateIssued, expirationDate, device, metadata))
        self.init(identity, rightEyeSpecification, leftEyeSpecification, dateIssued, expirationDate)
    }

    /// The dates have been through `checkDates`.
    package init(
        _ identity: ObjectIdentity, _ rightEye: HKGlassesLensSpecification?, _ leftEye: HKGlassesLensSpecification?,
        _ dateIssued: Date, _ expirationDate: Date?
    ) {
        self.rightEye = rightEye
        self.leftEye = leftEye
        super.init(identity, type: .glasses, dateIssued: dateIssued, expirationDate: expirationDate)
    }

    package override func copy(
        identity: ObjectIdentity, start: Date, end: Date, inner: (Date) -> Date
    ) -> HKGlassesPrescription {
        HKGlassesPrescription(identity, rightEye, leftEye, start, expirationDate.map { _ in end })
    }

    // MARK: NSSecureCoding

    /// Nil when the archive holds no such object, or one with values that it cannot have.
    public required init?(coder: NSCoder) {
        rightEye = coder.decodeValue(of: HKGlassesLensSpecification.self, forKey: "rightEye")
        leftEye = coder.decodeValue(of: HKGlassesLensSpecification.self, forKey: "leftEye")
        super.init(coder: coder)
    }

    /// Writes what `init(coder:)` reads, beside what the superclass writes.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encodeIfPresent(rightEye, forKey: "rightEye")
        coder.encodeIfPresent(leftEye, forKey: "leftEye")
    }
}
