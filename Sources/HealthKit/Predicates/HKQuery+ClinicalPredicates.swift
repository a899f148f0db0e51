extension HKQuery {
    public class func predicateForClinicalRecords(withFHIRResourceType resourceType: HKFHIRResourceType) -> NSPredicate
    {
        test("\(HKPredicateKeyPathClinicalRecordFHIRResourceType) == \"\(resourceType.rawValue)\"") {
            (record: HKClinicalRecord) in record.fhirResource?.resourceType == resourceType
        }
    }

    /// The record of a resource: what its source calls it.
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

    public class func predicateForElectrocardiograms(
        classification: HKElectrocardiogram.Classification
    ) -> NSPredicate {
        test("\(HKPredicateKeyPathECGClassification) == \(classification.rawValue)") { (ecg: HKElectrocardiogram) in
            ecg.classification == classification
        }
    }

    public class func predicateForElectrocardiograms(
        symptomsStatus: HKElectrocardiogram.SymptomsStatus
    ) -> NSPredicate {
        test("\(HKPredicateKeyPathECGSymptomsStatus) == \(symptomsStatus.rawValue)") { (ecg: HKElectrocardiogram) in
            ecg.symptomsStatus == symptomsStatus
        }
    }

    /// Symptoms that were noted with an electrocardiogram. Nothing on Linux notes any: no sample matches.
    public class func predicateForObjectsAssociated(electrocardiogram: HKElectrocardiogram) -> NSPredicate {
        SampleFilter.none.predicate
    }

    /// Records whose relevant date lies in the interval, its end included.
    public class func predicateForVerifiableClinicalRecords(
        withRelevantDateWithin dateInterval: DateInterval
    ) -> NSPredicate {
        test("relevantDate BETWEEN {\(dateInterval.start), \(dateInterval.end)}") {
            (record: HKVerifiableClinicalRecord) in dateInterval.contains(record.relevantDate)
        }
    }
}
