/// A type of samples and which of them, with the class that they are of.
// Sendable holds: predicates are never changed and only evaluated.
public struct HKSamplePredicate<Sample: HKSample>: Hashable, @unchecked Sendable {
    public let sampleType: HKSampleType
    public let nsPredicate: NSPredicate?

    private init(_ sampleType: HKSampleType, _ nsPredicate: NSPredicate?) {
        self.sampleType = sampleType
        self.nsPredicate = nsPredicate
    }

    public static func == (a: Self, b: Self) -> Bool {
        a.sampleType == b.sampleType && a.nsPredicate == b.nsPredicate
    }

    // Foundation's predicates have no hash that goes with their equality.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(sampleType)
    }

    var descriptor: HKQueryDescriptor { HKQueryDescriptor(sampleType: sampleType, predicate: nsPredicate) }
}

extension HKSamplePredicate {
    public static func quantitySample(
        type: HKQuantityType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKQuantitySample> where Sample == HKQuantitySample {
        HKSamplePredicate<HKQuantitySample>(type, predicate)
    }

    public static func categorySample(
        type: HKCategoryType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKCategorySample> where Sample == HKCategorySample {
        HKSamplePredicate<HKCategorySample>(type, predicate)
    }

    public static func correlation(
        type: HKCorrelationType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKCorrelation> where Sample == HKCorrelation {
        HKSamplePredicate<HKCorrelation>(type, predicate)
    }

    public static func sample(
        type: HKSampleType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKSample> where Sample == HKSample {
        HKSamplePredicate<HKSample>(type, predicate)
    }

    public static func workout(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKWorkout> where Sample == HKWorkout {
        HKSamplePredicate<HKWorkout>(.workoutType(), predicate)
    }

    public static func workoutRoute(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKWorkoutRoute> where Sample == HKWorkoutRoute {
        HKSamplePredicate<HKWorkoutRoute>(HKSeriesType.workoutRoute(), predicate)
    }

    public static func heartbeatSeries(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKHeartbeatSeriesSample> where Sample == HKHeartbeatSeriesSample {
        HKSamplePredicate<HKHeartbeatSeriesSample>(HKSeriesType.heartbeat(), predicate)
    }
}

extension HKSamplePredicate {
    public static func clinicalRecord(
        type: HKClinicalType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKClinicalRecord> where Sample == HKClinicalRecord {
        HKSamplePredicate<HKClinicalRecord>(type, predicate)
    }

    public static func electrocardiogram(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKElectrocardiogram> where Sample == HKElectrocardiogram {
        HKSamplePredicate<HKElectrocardiogram>(.electrocardiogramType(), predicate)
    }

    public static func audiogram(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKAudiogramSample> where Sample == HKAudiogramSample {
        HKSamplePredicate<HKAudiogramSample>(.audiogramSampleType(), predicate)
    }

    public static func visionPrescription(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKVisionPrescription> where Sample == HKVisionPrescription {
        HKSamplePredicate<HKVisionPrescription>(.visionPrescriptionType(), predicate)
    }

    public static func stateOfMind(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKStateOfMind> where Sample == HKStateOfMind {
        HKSamplePredicate<HKStateOfMind>(.stateOfMindType(), predicate)
    }

    public static func gad7Assessment(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKGAD7Assessment> where Sample == HKGAD7Assessment {
        HKSamplePredicate<HKGAD7Assessment>(HKScoredAssessmentType(.GAD7), predicate)
    }

    public static func phq9Assessment(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKPHQ9Assessment> where Sample == HKPHQ9Assessment {
        HKSamplePredicate<HKPHQ9Assessment>(HKScoredAssessmentType(.PHQ9), predicate)
    }
}

extension Array {
    func requireAny<Sample: HKSample>() where Element == HKSamplePredicate<Sample> {
        precondition(!isEmpty, "a query needs at least one predicate: the array of predicates is empty")
    }
}
