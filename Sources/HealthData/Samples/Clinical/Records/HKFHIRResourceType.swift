/// The type of a FHIR resource. The raw value is the resource's own name, such as `Observation`.
public struct HKFHIRResourceType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let allergyIntolerance = Self(rawValue: "AllergyIntolerance")
    public static let condition = Self(rawValue: "Condition")
    public static let coverage = Self(rawValue: "Coverage")
    public static let diagnosticReport = Self(rawValue: "DiagnosticReport")
    public static let documentReference = Self(rawValue: "DocumentReference")
    public static let immunization = Self(rawValue: "Immunization")
    public static let medicationDispense = Self(rawValue: "MedicationDispense")
    public static let medicationOrder = Self(rawValue: "MedicationOrder")
    public static let medicationRequest = Self(rawValue: "MedicationRequest")
    public static let medicationStatement = Self(rawValue: "MedicationStatement")
    public static let observation = Self(rawValue: "Observation")
    public static let procedure = Self(rawValue: "Procedure")
}
