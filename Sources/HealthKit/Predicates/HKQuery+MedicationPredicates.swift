extension HKQuery {
    /// Doses with this status: taken, skipped …
    public class func predicateForMedicationDoseEvent(status: HKMedicationDoseEvent.LogStatus) -> NSPredicate {
        predicateForMedicationDoseEvent(statuses: [status])
    }

    /// Doses with one of these statuses. An empty set matches none.
    public class func predicateForMedicationDoseEvent(statuses: Set<HKMedicationDoseEvent.LogStatus>) -> NSPredicate {
        let numbers = statuses.map(\.rawValue).sorted().map(String.init).joined(separator: ", ")
        return test("\(HKPredicateKeyPathStatus) IN {\(numbers)}") { (event: HKMedicationDoseEvent) in
            statuses.contains(event.logStatus)
        }
    }

    /// Doses scheduled for exactly this date. Unscheduled doses don't match.
    public class func predicateForMedicationDoseEvent(scheduledDate: Date) -> NSPredicate {
        predicateForMedicationDoseEvent(scheduledDates: [scheduledDate])
    }

    /// Doses scheduled for exactly one of these dates. Unscheduled doses don't match.
    public class func predicateForMedicationDoseEvent(scheduledDates: Set<Date>) -> NSPredicate {
        let dates = scheduledDates.sorted().map { "\($0)" }.joined(separator: ", ")
        return test("\(HKPredicateKeyPathScheduledDate) IN {\(dates)}") { (event: HKMedicationDoseEvent) in
            event.scheduledDate.map(scheduledDates.contains) ?? false
        }
    }

    /// Doses scheduled at or after the start and before the end. Nil means no bound.
    public class func predicateForMedicationDoseEvent(scheduledStart: Date?, end: Date?) -> NSPredicate {
        let bounds = [scheduledStart.map { ">= \($0)" }, end.map { "< \($0)" }].compactMap { $0 }
        return test("\(HKPredicateKeyPathScheduledDate) \(bounds.joined(separator: " AND "))") {
            (event: HKMedicationDoseEvent) in
            guard let date = event.scheduledDate else { return false }
            return (scheduledStart.map { date >= $0 } ?? true) && (end.map { date < $0 } ?? true)
        }
    }

    /// Doses of a medication, by ``HKMedicationConcept/identifier``.
    public class func predicateForMedicationDoseEvent(
        medicationConceptIdentifier identifier: HKHealthConceptIdentifier
    ) -> NSPredicate {
        predicateForMedicationDoseEvent(medicationConceptIdentifiers: [identifier])
    }

    /// Doses of one of these medications. An empty set matches none.
    public class func predicateForMedicationDoseEvent(
        medicationConceptIdentifiers identifiers: Set<HKHealthConceptIdentifier>
    ) -> NSPredicate {
        test("\(HKPredicateKeyPathMedicationConceptIdentifier) IN {\(identifiers.count) identifiers}") {
            (event: HKMedicationDoseEvent) in identifiers.contains(event.medicationConceptIdentifier)
        }
    }

    /// Medications that the user has archived, or not. For ``HKUserAnnotatedMedicationQuery``, whose objects are not samples.
    public class func predicateForUserAnnotatedMedications(isArchived: Bool) -> NSPredicate {
        NSPredicate(format: "%K == %@", HKUserAnnotatedMedicationPredicateKeyPathIsArchived, isArchived)
    }

    /// Medications with a schedule, or without. For ``HKUserAnnotatedMedicationQuery``, whose objects are not samples.
    public class func predicateForUserAnnotatedMedications(hasSchedule: Bool) -> NSPredicate {
        NSPredicate(format: "%K == %@", HKUserAnnotatedMedicationPredicateKeyPathHasSchedule, hasSchedule)
    }
}
