public import Foundation

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
