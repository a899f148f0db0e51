/// The type of `HKUserAnnotatedMedication`. The user grants reading medication by medication; not a sample type.
// Immutable, as HKObjectType explains.
public final class HKUserAnnotatedMedicationType: HKObjectType, @unchecked Sendable {
    /// True: medications may not be in the read set of an ordinary request.
    public override func requiresPerObjectAuthorization() -> Bool { true }
}

/// The identifier of `HKObjectType.userAnnotatedMedicationType()`. Its value lacks the word that its name has.
public let HKDataTypeIdentifierUserAnnotatedMedicationConcept = "HKDataTypeUserAnnotatedMedicationConcept"
