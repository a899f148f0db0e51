public import Foundation

/// A prescription for glasses.
public final class HKGlassesPrescription: HKVisionPrescription, @unchecked Sendable {
    /// The right lens. Nil if there is none.
    public let rightEye: HKGlassesLensSpecification?
    /// The left lens. Nil if there is none.
    public let leftEye: HKGlassesLensSpecification?

    /// Creates a prescription. Traps if it expires before it is issued, and if metadata contains a value of a type that
    /// is not allowed.
    public convenience init(
        rightEyeSpecification: HKGlassesLensSpecification?, leftEyeSpecification: HKGlassesLensSpecification?,
        dateIssued: Date, expirationDate: Date?, device: HKDevice?, metadata: [String: Any]?
    ) {
        let identity = raising(try Self.identity(dateIssued, expirationDate, device, metadata))
        self.init(identity, rightEyeSpecification, leftEyeSpecification, dateIssued, expirationDate)
    }

    /// `checkDates` has checked the dates.
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

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public required init?(coder: NSCoder) {
        rightEye = coder.decodeValue(of: HKGlassesLensSpecification.self, forKey: "rightEye")
        leftEye = coder.decodeValue(of: HKGlassesLensSpecification.self, forKey: "leftEye")
        super.init(coder: coder)
    }

    /// Writes the values that `init(coder:)` reads, in addition to those of the superclass.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encodeIfPresent(rightEye, forKey: "rightEye")
        coder.encodeIfPresent(leftEye, forKey: "leftEye")
    }
}
