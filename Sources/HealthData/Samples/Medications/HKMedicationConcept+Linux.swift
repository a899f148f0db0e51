// Apple's apps cannot make medications: the person enters them in Health. Here tests and importers do.

extension HKMedicationConcept {
    /// A medication by its name. Two of one name and form are the same medication.
    public convenience init(
        named displayText: String, form: HKMedicationGeneralForm = .unknown, codings: Set<HKClinicalCoding> = []
    ) {
        self.init(
            identifier: HKHealthConceptIdentifier(domain: .medication, name: "\(displayText) (\(form.rawValue))"),
            displayText: displayText, generalForm: form, relatedCodings: codings)
    }
}

extension HKUserAnnotatedMedication {
    /// A medication that somebody takes, to be kept with ``HKHealthStore/keepMedications(_:)``.
    public convenience init(
        _ medication: HKMedicationConcept, nickname: String? = nil, isArchived: Bool = false, hasSchedule: Bool = false
    ) {
        self.init(nickname: nickname, isArchived: isArchived, hasSchedule: hasSchedule, medication: medication)
    }
}
