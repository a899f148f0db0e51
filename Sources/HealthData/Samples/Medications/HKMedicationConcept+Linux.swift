public import Foundation

// Apple's apps cannot create medications, which the user enters in Health. Here, tests and importers create them.

extension HKMedicationConcept {
    /// Creates a medication by its name. Two with the same name and form are the same medication.
    public convenience init(
        named displayText: String, form: HKMedicationGeneralForm = .unknown, codings: Set<HKClinicalCoding> = []
    ) {
        self.init(
            identifier: HKHealthConceptIdentifier(domain: .medication, name: "\(displayText) (\(form.rawValue))"),
            displayText: displayText, generalForm: form, relatedCodings: codings)
    }
}

extension HKUserAnnotatedMedication {
    /// Creates a medication that somebody takes, to be stored with ``HKHealthStore/keepMedications(_:)``.
    public convenience init(
        _ medication: HKMedicationConcept, nickname: String? = nil, isArchived: Bool = false, hasSchedule: Bool = false
    ) {
        self.init(nickname: nickname, isArchived: isArchived, hasSchedule: hasSchedule, medication: medication)
    }
}

// Apple's apps cannot create dose events, which the user logs in Health. Here, tests and importers create them.

extension HKMedicationDoseEvent {
    /// Creates a dose of a medication, to be stored with ``HKHealthStore/keepDoses(_:)``.
    /// - Parameters:
    ///   - quantity: The amount taken, in `unit`.
    ///   - scheduledDate: The date when it was due. Nil for one that was taken as needed.
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
