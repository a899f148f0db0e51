/// What only objects of one kind have, and filters have no word for: a predicate about it is evaluated on samples.
package enum SampleProperty: String, Sendable {
    case averageHeartRate = "ecg_average_heart_rate"
    case classification = "ecg_public_classification"
    case symptomsStatus = "ecg_symptoms_status"
    case title
    case patientName = "patient_name"
    case authorName = "author_name"
    case custodianName = "custodian_name"
    case resourceIdentifier = "FHIRResource.identifier"
    case resourceType = "FHIRResource.resourceType"
    case logStatus = "status"
    case scheduledDate
    case medicationConcept = "medicationConceptIdentifier"
    /// What logged a dose: known on Apple's systems only, so none here has one.
    case logOrigin
    case isArchived
    case hasSchedule

    /// Nil for a sample of another kind too.
    package func value(of object: Any) -> Any? {
        switch (self, object) {
        case (.averageHeartRate, let ecg as HKElectrocardiogram): ecg.averageHeartRate
        case (.classification, let ecg as HKElectrocardiogram): NSNumber(value: ecg.classification.rawValue)
        case (.symptomsStatus, let ecg as HKElectrocardiogram): NSNumber(value: ecg.symptomsStatus.rawValue)
        case (.title, let sample as HKCDADocumentSample): sample.document?.title
        case (.patientName, let sample as HKCDADocumentSample): sample.document?.patientName
        case (.authorName, let sample as HKCDADocumentSample): sample.document?.authorName
        case (.custodianName, let sample as HKCDADocumentSample): sample.document?.custodianName
        case (.resourceIdentifier, let record as HKClinicalRecord): record.fhirResource?.identifier
        case (.resourceType, let record as HKClinicalRecord): record.fhirResource?.resourceType.rawValue
        case (.logStatus, let event as HKMedicationDoseEvent): NSNumber(value: event.logStatus.rawValue)
        case (.scheduledDate, let event as HKMedicationDoseEvent): event.scheduledDate
        case (.medicationConcept, let event as HKMedicationDoseEvent): event.medicationConceptIdentifier
        case (.isArchived, let medication as HKUserAnnotatedMedication): NSNumber(value: medication.isArchived)
        case (.hasSchedule, let medication as HKUserAnnotatedMedication): NSNumber(value: medication.hasSchedule)
        default: nil
        }
    }

    /// Nil when the value does not go with it.
    package func filter(_ comparison: SampleFilter.Comparison, _ value: Any?) -> SampleFilter? {
        let plain = (value as? any RawRepresentable)?.rawValue ?? value
        let test: (Any?) -> Bool
        switch (self, plain) {
        case (.medicationConcept, let concept as HKHealthConceptIdentifier) where comparison == .equal:
            test = { $0 as? HKHealthConceptIdentifier == concept }
        case (_, nil) where comparison == .equal:
            test = { $0 == nil }
        case (_, let plain?):
            guard self != .medicationConcept, let constant = SampleFilter.Value(plain), isComparable(constant) else {
                return nil
            }
            test = { constant.compares(comparison, to: $0) }
        default: return nil
        }
        let words = "\(rawValue) \(comparison) \(value.map { "\($0)" } ?? "nil")"
        return .custom(SampleFilter.CustomPredicate(TestPredicate(words) { test(self.value(of: $0)) }))
    }

    package var isText: Bool { isComparable(.string("")) }

    private func isComparable(_ constant: SampleFilter.Value) -> Bool {
        switch (self, constant) {
        case (.averageHeartRate, .quantity), (.classification, .number), (.symptomsStatus, .number),
            (.logStatus, .number), (.scheduledDate, .date), (.title, .string), (.patientName, .string),
            (.authorName, .string), (.custodianName, .string), (.resourceIdentifier, .string),
            (.resourceType, .string), (.logOrigin, .number), (.isArchived, .number), (.hasSchedule, .number):
            true
        default: false
        }
    }
}
