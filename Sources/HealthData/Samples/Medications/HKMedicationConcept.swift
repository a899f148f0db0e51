public import Foundation

/// A medication, independent of who takes it and how.
public final class HKMedicationConcept: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The identifier of the medication, to which doses refer.
    public let identifier: HKHealthConceptIdentifier
    /// Its name for people.
    public let displayText: String
    /// The form of the medication: a tablet, a liquid …
    public let generalForm: HKMedicationGeneralForm
    /// The codes of the medication in coding systems. May be empty.
    public let relatedCodings: Set<HKClinicalCoding>

    package init(
        identifier: HKHealthConceptIdentifier, displayText: String, generalForm: HKMedicationGeneralForm,
        relatedCodings: Set<HKClinicalCoding>
    ) {
        self.identifier = identifier
        self.displayText = displayText
        self.generalForm = generalForm
        self.relatedCodings = relatedCodings
    }

    /// Returns the object itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns whether the identifiers are equal, even if the names differ.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKMedicationConcept else { return false }
        return identifier == other.identifier
    }

    /// The hash of the identifier.
    public override var hash: Int { identifier.hash }

    // MARK: NSSecureCoding

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public convenience init?(coder: NSCoder) {
        guard let identifier = coder.decodeValue(of: HKHealthConceptIdentifier.self, forKey: "identifier"),
            let text = coder.decodeString(forKey: "displayText"), let form = coder.decodeString(forKey: "generalForm"),
            let codings = coder.decodeList(of: HKClinicalCoding.self, forKey: "relatedCodings")
        else { return nil }
        self.init(
            identifier: identifier, displayText: text, generalForm: HKMedicationGeneralForm(rawValue: form),
            relatedCodings: Set(codings))
    }

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
    public func encode(with coder: NSCoder) {
        coder.encode(identifier, forKey: "identifier")
        coder.encode(displayText as NSString, forKey: "displayText")
        coder.encode(generalForm.rawValue as NSString, forKey: "generalForm")
        coder.encode(list: Array(relatedCodings), forKey: "relatedCodings")
    }
}

/// The form of a medication: a tablet, a liquid … Apple's raw values are not published. These are the names of the
/// constants.
public struct HKMedicationGeneralForm: RawRepresentable, Hashable, Sendable {
    /// The name of the constant.
    public let rawValue: String

    /// Creates a form from any name, also one without a constant here.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Swallowed whole.
    public static let capsule = HKMedicationGeneralForm(rawValue: "capsule")
    /// Spread on the skin; softer than an ointment.
    public static let cream = HKMedicationGeneralForm(rawValue: "cream")
    /// A device and no substance.
    public static let device = HKMedicationGeneralForm(rawValue: "device")
    /// Counted in drops.
    public static let drops = HKMedicationGeneralForm(rawValue: "drops")
    /// From a can or a pump.
    public static let foam = HKMedicationGeneralForm(rawValue: "foam")
    /// Spread on the skin, without fat.
    public static let gel = HKMedicationGeneralForm(rawValue: "gel")
    /// Breathed in.
    public static let inhaler = HKMedicationGeneralForm(rawValue: "inhaler")
    /// Given with a needle.
    public static let injection = HKMedicationGeneralForm(rawValue: "injection")
    /// Drunk, measured by volume.
    public static let liquid = HKMedicationGeneralForm(rawValue: "liquid")
    /// Spread on the skin; thin.
    public static let lotion = HKMedicationGeneralForm(rawValue: "lotion")
    /// Spread on the skin, with much fat.
    public static let ointment = HKMedicationGeneralForm(rawValue: "ointment")
    /// Stuck on the skin.
    public static let patch = HKMedicationGeneralForm(rawValue: "patch")
    /// Stirred in or sprinkled.
    public static let powder = HKMedicationGeneralForm(rawValue: "powder")
    /// Sprayed into the nose or the mouth, or on the skin.
    public static let spray = HKMedicationGeneralForm(rawValue: "spray")
    /// Inserted into the body, where it melts.
    public static let suppository = HKMedicationGeneralForm(rawValue: "suppository")
    /// Pressed powder, swallowed or chewed.
    public static let tablet = HKMedicationGeneralForm(rawValue: "tablet")
    /// On the skin, in any form.
    public static let topical = HKMedicationGeneralForm(rawValue: "topical")
    /// Unknown.
    public static let unknown = HKMedicationGeneralForm(rawValue: "unknown")
}
