/// Names a type of clinical record. Apps read them; none may write one.
public struct HKClinicalTypeIdentifier: RawRepresentable, Hashable, Sendable {
    /// The string that stores, exports and archives have.
    public let rawValue: String

    /// Of any string: whether there is such a type, ``HKObjectType/clinicalType(forIdentifier:)`` says.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// iOS 12.0.
    public static let allergyRecord = Self(rawValue: "HKClinicalTypeIdentifierAllergyRecord")

    /// iOS 16.4.
    public static let clinicalNoteRecord = Self(rawValue: "HKClinicalTypeIdentifierClinicalNoteRecord")

    /// iOS 12.0.
    public static let conditionRecord = Self(rawValue: "HKClinicalTypeIdentifierConditionRecord")

    /// iOS 14.0.
    public static let coverageRecord = Self(rawValue: "HKClinicalTypeIdentifierCoverageRecord")

    /// iOS 12.0.
    public static let immunizationRecord = Self(rawValue: "HKClinicalTypeIdentifierImmunizationRecord")

    /// iOS 12.0.
    public static let labResultRecord = Self(rawValue: "HKClinicalTypeIdentifierLabResultRecord")

    /// iOS 12.0.
    public static let medicationRecord = Self(rawValue: "HKClinicalTypeIdentifierMedicationRecord")

    /// iOS 12.0.
    public static let procedureRecord = Self(rawValue: "HKClinicalTypeIdentifierProcedureRecord")

    /// iOS 12.0.
    public static let vitalSignRecord = Self(rawValue: "HKClinicalTypeIdentifierVitalSignRecord")
}
