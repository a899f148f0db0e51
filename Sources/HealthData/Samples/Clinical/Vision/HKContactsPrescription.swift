public import Foundation

/// A prescription for contact lenses.
public final class HKContactsPrescription: HKVisionPrescription, @unchecked Sendable {
    /// The right lens. Nil if there is none.
    public let rightEye: HKContactsLensSpecification?
    /// The left lens. Nil if there is none.
    public let leftEye: HKContactsLensSpecification?
    /// The prescribed brand.
    public let brand: String

    /// Creates a prescription. Traps if it expires before it is issued, and if metadata contains a value of a type that
    /// is not allowed.
    public convenience init(
        rightEyeSpecification: HKContactsLensSpecification?, leftEyeSpecification: HKContactsLensSpecification?,
        brand: String, dateIssued: Date, expirationDate: Date?, device: HKDevice?, metadata: [String: Any]?
    ) {
        let identity = raising(try Self.identity(dateIssued, expirationDate, device, metadata))
        self.init(identity, rightEyeSpecification, leftEyeSpecification, brand, dateIssued, expirationDate)
    }

    /// `checkDates` has checked the dates.
    package init(
        _ identity: ObjectIdentity, _ rightEye: HKContactsLensSpecification?, _ leftEye: HKContactsLensSpecification?,
        _ brand: String, _ dateIssued: Date, _ expirationDate: Date?
    ) {
        self.rightEye = rightEye
        self.leftEye = leftEye
        self.brand = brand
        super.init(identity, type: .contacts, dateIssued: dateIssued, expirationDate: expirationDate)
    }

    package override func copy(
        identity: ObjectIdentity, start: Date, end: Date, inner: (Date) -> Date
    ) -> HKContactsPrescription {
        HKContactsPrescription(identity, rightEye, leftEye, brand, start, expirationDate.map { _ in end })
    }

    // MARK: NSSecureCoding

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public required init?(coder: NSCoder) {
        guard let brand = coder.decodeString(forKey: "brand") else { return nil }
        self.brand = brand
        rightEye = coder.decodeValue(of: HKContactsLensSpecification.self, forKey: "rightEye")
        leftEye = coder.decodeValue(of: HKContactsLensSpecification.self, forKey: "leftEye")
        super.init(coder: coder)
    }

    /// Writes the values that `init(coder:)` reads, in addition to those of the superclass.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encodeIfPresent(rightEye, forKey: "rightEye")
        coder.encodeIfPresent(leftEye, forKey: "leftEye")
        coder.encode(brand as NSString, forKey: "brand")
    }
}
