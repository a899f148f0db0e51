/// The type of a FHIR resource. The raw value is the resource's own name, such as `Observation`.
public struct HKFHIRResourceType: RawRepresentable, Hashable, Sendable {
    /// The resource's own name in FHIR.
    public let rawValue: String

    /// Of any resource, also one without a constant here.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// What somebody does not tolerate, and how the body reacts.
    public static let allergyIntolerance = Self(rawValue: "AllergyIntolerance")
    /// A diagnosis or a complaint.
    public static let condition = Self(rawValue: "Condition")
    /// What an insurance covers.
    public static let coverage = Self(rawValue: "Coverage")
    /// The findings of an examination as a whole.
    public static let diagnosticReport = Self(rawValue: "DiagnosticReport")
    /// A document, such as a clinical note.
    public static let documentReference = Self(rawValue: "DocumentReference")
    /// A vaccination, given or refused.
    public static let immunization = Self(rawValue: "Immunization")
    /// Medication that a pharmacy handed out.
    public static let medicationDispense = Self(rawValue: "MedicationDispense")
    /// A prescription, as DSTU2 calls it.
    public static let medicationOrder = Self(rawValue: "MedicationOrder")
    /// A prescription, as R4 calls it.
    public static let medicationRequest = Self(rawValue: "MedicationRequest")
    /// Medication that somebody says they take.
    public static let medicationStatement = Self(rawValue: "MedicationStatement")
    /// A measurement, such as a laboratory result or a blood pressure.
    public static let observation = Self(rawValue: "Observation")
    /// An operation, an examination or a counselling that took place.
    public static let procedure = Self(rawValue: "Procedure")
}
