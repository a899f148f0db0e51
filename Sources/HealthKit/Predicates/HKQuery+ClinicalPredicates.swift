extension HKQuery {
    /// Clinical records whose resource is of the type; records without a resource do not match.
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

    /// Electrocardiograms that were classified so.
    public class func predicateForElectrocardiograms(
        classification: HKElectrocardiogram.Classification
    ) -> NSPredicate {
        test("\(HKPredicateKeyPathECGClassification) == \(classification.rawValue)") { (ecg: HKElectrocardiogram) in
            ecg.classification == classification
        }
    }

    /// Electrocardiograms by whether symptoms were noted with them.
    public class func predicateForElectrocardiograms(
        symptomsStatus: HKElectrocardiogram.SymptomsStatus
    ) -> NSPredicate {
        test("\(HKPredicateKeyPathECGSymptomsStatus) == \(symptomsStatus.rawValue)") { (ecg: HKElectrocardiogram) in
            ecg.symptomsStatus == symptomsStatus
        }
    }

    /// Symptoms that were noted with an electrocardiogram: samples of a symptom that begin within the recording, where its
    /// ``HKElectrocardiogram/symptomsStatus-swift.property`` is `present`. Otherwise no sample matches.
    ///
    /// Apple's store keeps which belongs to which; an export of Apple Health does not, and dates both alike.
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

    /// Records whose relevant date lies in the interval, its end included.
    public class func predicateForVerifiableClinicalRecords(
        withRelevantDateWithin dateInterval: DateInterval
    ) -> NSPredicate {
        test("relevantDate BETWEEN {\(dateInterval.start), \(dateInterval.end)}") {
            (record: HKVerifiableClinicalRecord) in dateInterval.contains(record.relevantDate)
        }
    }
}
