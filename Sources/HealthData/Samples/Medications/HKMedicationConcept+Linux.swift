public import Foundation

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

// Apple's apps cannot make dose events: the person logs them in Health. Here tests and importers do.

extension HKMedicationDoseEvent {
    /// A dose of a medication, to be kept with ``HKHealthStore/keepDoses(_:)``.
    /// - Parameters:
    ///   - quantity: How much was taken, in `unit`.
    ///   - scheduledDate: When it was due; nil for one that was taken as needed.
    public static func logged(
        _ status: LogStatus, of medication: HKMedicationConcept, at date: Date, quantity: Double? = nil,
        scheduledDate: Date? = nil, scheduledQuantity: Double? = nil, unit: HKUnit = .count()
    ) -> HKMedicationDoseEvent {
        let log = Log(
            scheduledDate: scheduledDate, scheduledDoseQuantity: scheduledQuantity, doseQuantity: quantity,
            status: status, scheduleType: scheduledDate == nil ? .asNeeded : .schedule, unit: unit)
        return raising(
            try validated(ObjectIdentity(), concept: medication.identifier, log: log, start: date, end: date))
    }
}
