public import Foundation

/// A medication, whatever anybody does with it.
public final class HKMedicationConcept: NSObject, NSSecureCoding, NSCopying, Sendable {
    public let identifier: HKHealthConceptIdentifier
    /// Its name for people.
    public let displayText: String
    public let generalForm: HKMedicationGeneralForm
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

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKMedicationConcept else { return false }
        return identifier == other.identifier
    }

    public override var hash: Int { identifier.hash }

    // MARK: NSSecureCoding

    public static var supportsSecureCoding: Bool { true }

    public convenience init?(coder: NSCoder) {
        guard let identifier = coder.decodeValue(of: HKHealthConceptIdentifier.self, forKey: "identifier"),
            let text = coder.decodeString(forKey: "displayText"), let form = coder.decodeString(forKey: "generalForm"),
            let codings = coder.decodeList(of: HKClinicalCoding.self, forKey: "relatedCodings")
        else { return nil }
        self.init(
            identifier: identifier, displayText: text, generalForm: HKMedicationGeneralForm(rawValue: form),
            relatedCodings: Set(codings))
    }

    public func encode(with coder: NSCoder) {
        coder.encode(identifier, forKey: "identifier")
        coder.encode(displayText as NSString, forKey: "displayText")
        coder.encode(generalForm.rawValue as NSString, forKey: "generalForm")
        coder.encode(list: Array(relatedCodings), forKey: "relatedCodings")
    }
}

/// Whether it is a tablet, a liquid … Apple's raw values are not published; these are the names of the constants.
public struct HKMedicationGeneralForm: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let capsule = HKMedicationGeneralForm(rawValue: "capsule")
    public static let cream = HKMedicationGeneralForm(rawValue: "cream")
    public static let device = HKMedicationGeneralForm(rawValue: "device")
    public static let drops = HKMedicationGeneralForm(rawValue: "drops")
    public static let foam = HKMedicationGeneralForm(rawValue: "foam")
    public static let gel = HKMedicationGeneralForm(rawValue: "gel")
    public static let inhaler = HKMedicationGeneralForm(rawValue: "inhaler")
    public static let injection = HKMedicationGeneralForm(rawValue: "injection")
    public static let liquid = HKMedicationGeneralForm(rawValue: "liquid")
    public static let lotion = HKMedicationGeneralForm(rawValue: "lotion")
    public static let ointment = HKMedicationGeneralForm(rawValue: "ointment")
    public static let patch = HKMedicationGeneralForm(rawValue: "patch")
    public static let powder = HKMedicationGeneralForm(rawValue: "powder")
    public static let spray = HKMedicationGeneralForm(rawValue: "spray")
    public static let suppository = HKMedicationGeneralForm(rawValue: "suppository")
    public static let tablet = HKMedicationGeneralForm(rawValue: "tablet")
    public static let topical = HKMedicationGeneralForm(rawValue: "topical")
    public static let unknown = HKMedicationGeneralForm(rawValue: "unknown")
}
