extension HKQuery {
    /// Clinical records with a resource of this type. Records without a resource don't match.
    public class func predicateForClinicalRecords(withFHIRResourceType resourceType: HKFHIRResourceType) -> NSPredicate
    {
        test("\(HKPredicateKeyPathClinicalRecordFHIRResourceType) == \"\(resourceType.rawValue)\"") {
            (record: HKClinicalRecord) in record.fhirResource?.resourceType == resourceType
        }
    }

    /// The record of a resource with this source and identifier.
    public class func predicateForClinicalRecords(
        from source: HKSource, fhirResourceType resourceType: HKFHIRResourceType, identifier: String
    ) -> NSPredicate {
        NSCompoundPredicate(andPredicateWithSubpredicates: [
            predicateForObjects(from: source), predicateForClinicalRecords(withFHIRResourceType: resourceType),
            test("\(HKPredicateKeyPathClinicalRecordFHIRResourceIdentifier) == \"\(identifier)\"") {
                (record: HKClinicalRecord) in record.fhirResource?.identifier == identifier
            },
        ])
    }

    /// Electrocardiograms with this classification.
    public class func predicateForElectrocardiograms(
        classification: HKElectrocardiogram.Classification
    ) -> NSPredicate {
        test("\(HKPredicateKeyPathECGClassification) == \(classification.rawValue)") { (ecg: HKElectrocardiogram) in
            ecg.classification == classification
        }
    }

    /// Electrocardiograms with this symptoms status.
    public class func predicateForElectrocardiograms(
        symptomsStatus: HKElectrocardiogram.SymptomsStatus
    ) -> NSPredicate {
        test("\(HKPredicateKeyPathECGSymptomsStatus) == \(symptomsStatus.rawValue)") { (ecg: HKElectrocardiogram) in
            ecg.symptomsStatus == symptomsStatus
        }
    }

    /// Symptoms of an electrocardiogram: samples of a symptom that begin within the recording, if its
    /// ``HKElectrocardiogram/symptomsStatus-swift.property`` is `present`. Otherwise no sample matches.
    ///
    /// Apple's store keeps the association. An Apple Health export doesn't, but gives both the same dates.
    public class func predicateForObjectsAssociated(electrocardiogram: HKElectrocardiogram) -> NSPredicate {
        guard electrocardiogram.symptomsStatus == .present else { return SampleFilter.none.predicate }
        return NSCompoundPredicate(andPredicateWithSubpredicates: [
            SampleFilter.and([
                .startDate(.greaterOrEqual, electrocardiogram.startDate),
                .startDate(.lessOrEqual, electrocardiogram.endDate),
            ]).predicate,
            test("symptom of \(electrocardiogram.uuid)") { (sample: HKCategorySample) in
                CategoryTypeRow.symptomIdentifiers.contains(sample.categoryType.identifier)
            },
        ])
    }

    /// Records whose relevant date is in the interval, including its end.
    public class func predicateForVerifiableClinicalRecords(
        withRelevantDateWithin dateInterval: DateInterval
    ) -> NSPredicate {
        test("relevantDate BETWEEN {\(dateInterval.start), \(dateInterval.end)}") {
            (record: HKVerifiableClinicalRecord) in dateInterval.contains(record.relevantDate)
        }
    }
}
