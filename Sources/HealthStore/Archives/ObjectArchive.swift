/// Objects as bytes on a disk: keyed archives, as `NSKeyedArchiver` writes them.
///
/// ``CheckedUnarchiver`` reads them, not `NSKeyedUnarchiver`: swift-corelibs-foundation stops the program at an unexpected class,
/// and at objects that contain themselves, and a damaged disk may have both.
package enum ObjectArchive {
    package static func encoded(_ object: some NSObject & NSSecureCoding) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    }

    /// - Throws: ``SampleRunError/damaged(_:)`` for anything but an archive of such an object.
    package static func decoded<Object: NSObject & NSSecureCoding>(_ data: Data, as type: Object.Type) throws -> Object
    {
        do {
            return try CheckedUnarchiver.object(of: type, from: data)
        } catch {
            throw SampleRunError.damaged("an object that is no \(type)")
        }
    }

    package static func decoded(_ data: Data) throws -> HKSample { try decoded(data, as: HKSample.self) }

    /// The classes that an archive may contain, by their names without a module. Decoding them has no side effects.
    package static var classes: [String: any (NSObject & NSSecureCoding).Type] {
        let all: [any (NSObject & NSSecureCoding).Type] = [
            // Samples.
            HKAudiogramSample.self, HKCDADocumentSample.self, HKCategorySample.self, HKClinicalRecord.self,
            HKContactsPrescription.self, HKCorrelation.self, HKCumulativeQuantitySample.self,
            HKCumulativeQuantitySeriesSample.self, HKDiscreteQuantitySample.self, HKElectrocardiogram.self,
            HKGAD7Assessment.self, HKGlassesPrescription.self, HKHeartbeatSeriesSample.self, HKMedicationDoseEvent.self,
            HKPHQ9Assessment.self, HKQuantitySample.self, HKStateOfMind.self, HKVerifiableClinicalRecord.self,
            HKVisionPrescription.self, HKWorkout.self, HKWorkoutRoute.self,
            // Their parts.
            HKAudiogramSensitivityPoint.self, HKAudiogramSensitivityPointClampingRange.self,
            HKAudiogramSensitivityTest.self, HKClinicalCoding.self, HKContactsLensSpecification.self, HKDevice.self,
            HKFHIRResource.self, HKFHIRVersion.self, HKGlassesLensSpecification.self, HKHealthConceptIdentifier.self,
            HKLensSpecification.self, HKQuantity.self, HKSource.self, HKSourceRevision.self, HKStatistics.self,
            HKUnit.self, HKVerifiableClinicalRecordSubject.self, HKVisionPrism.self, HKWorkoutActivity.self,
            HKWorkoutConfiguration.self, HKWorkoutEvent.self,
            // Their types.
            HKAudiogramSampleType.self, HKCategoryType.self, HKClinicalType.self, HKCorrelationType.self,
            HKDocumentType.self, HKElectrocardiogramType.self, HKMedicationDoseEventType.self, HKPrescriptionType.self,
            HKQuantityType.self, HKScoredAssessmentType.self, HKSeriesType.self, HKStateOfMindType.self,
            HKWorkoutType.self,
        ]
        return Dictionary(uniqueKeysWithValues: all.map { (String(describing: $0), $0) })
    }
}
