/// A type of samples and which of them, with the class that they are of.
// Sendable holds: predicates are never changed and only evaluated.
public struct HKSamplePredicate<Sample: HKSample>: Hashable, @unchecked Sendable {
    /// The type that is asked for.
    public let sampleType: HKSampleType
    /// Which samples of it; nil for all.
    public let nsPredicate: NSPredicate?

    private init(_ sampleType: HKSampleType, _ nsPredicate: NSPredicate?) {
        self.sampleType = sampleType
        self.nsPredicate = nsPredicate
    }

    /// Equal when type and predicate are.
    public static func == (a: Self, b: Self) -> Bool {
        a.sampleType == b.sampleType && a.nsPredicate == b.nsPredicate
    }

    /// By the type alone: Foundation's predicates have no hash that goes with their equality.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(sampleType)
    }

    var descriptor: HKQueryDescriptor { HKQueryDescriptor(sampleType: sampleType, predicate: nsPredicate) }
}

extension HKSamplePredicate {
    /// Samples of a quantity type; without a predicate, all that this app may see.
    public static func quantitySample(
        type: HKQuantityType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKQuantitySample> where Sample == HKQuantitySample {
        HKSamplePredicate<HKQuantitySample>(type, predicate)
    }

    /// Samples of a category type; without a predicate, all that this app may see.
    public static func categorySample(
        type: HKCategoryType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKCategorySample> where Sample == HKCategorySample {
        HKSamplePredicate<HKCategorySample>(type, predicate)
    }

    /// Correlations: two blood pressures as one measurement, the nutrients of one meal.
    public static func correlation(
        type: HKCorrelationType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKCorrelation> where Sample == HKCorrelation {
        HKSamplePredicate<HKCorrelation>(type, predicate)
    }

    /// Samples of any type, as `HKSample`: for a query over types of several classes.
    public static func sample(
        type: HKSampleType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKSample> where Sample == HKSample {
        HKSamplePredicate<HKSample>(type, predicate)
    }

    /// Workouts; without a predicate, all that this app may see.
    public static func workout(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKWorkout> where Sample == HKWorkout {
        HKSamplePredicate<HKWorkout>(.workoutType(), predicate)
    }

    /// Routes of workouts; their locations come from ``HKWorkoutRouteQueryDescriptor``.
    public static func workoutRoute(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKWorkoutRoute> where Sample == HKWorkoutRoute {
        HKSamplePredicate<HKWorkoutRoute>(HKSeriesType.workoutRoute(), predicate)
    }

    /// Heartbeat series; their beats come from ``HKHeartbeatSeriesQueryDescriptor``.
    public static func heartbeatSeries(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKHeartbeatSeriesSample> where Sample == HKHeartbeatSeriesSample {
        HKSamplePredicate<HKHeartbeatSeriesSample>(HKSeriesType.heartbeat(), predicate)
    }
}

extension HKSamplePredicate {
    /// Clinical records of a type. On Linux they come with an Apple Health export.
    public static func clinicalRecord(
        type: HKClinicalType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKClinicalRecord> where Sample == HKClinicalRecord {
        HKSamplePredicate<HKClinicalRecord>(type, predicate)
    }

    /// Electrocardiograms; their voltages come from ``HKElectrocardiogramQueryDescriptor``.
    public static func electrocardiogram(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKElectrocardiogram> where Sample == HKElectrocardiogram {
        HKSamplePredicate<HKElectrocardiogram>(.electrocardiogramType(), predicate)
    }

    /// Audiograms; without a predicate, all that this app may see.
    public static func audiogram(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKAudiogramSample> where Sample == HKAudiogramSample {
        HKSamplePredicate<HKAudiogramSample>(.audiogramSampleType(), predicate)
    }

    /// Prescriptions of glasses and contact lenses. The app sees those that it was allowed to one by one.
    public static func visionPrescription(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKVisionPrescription> where Sample == HKVisionPrescription {
        HKSamplePredicate<HKVisionPrescription>(.visionPrescriptionType(), predicate)
    }

    /// Doses of medications, taken and skipped ones; without a predicate, all that this app may see.
    public static func medicationDoseEvent(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKMedicationDoseEvent> where Sample == HKMedicationDoseEvent {
        HKSamplePredicate<HKMedicationDoseEvent>(.medicationDoseEventType(), predicate)
    }

    /// States of mind; without a predicate, all that this app may see.
    public static func stateOfMind(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKStateOfMind> where Sample == HKStateOfMind {
        HKSamplePredicate<HKStateOfMind>(.stateOfMindType(), predicate)
    }

    /// Answers to the GAD-7 questionnaire about anxiety.
    public static func gad7Assessment(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKGAD7Assessment> where Sample == HKGAD7Assessment {
        HKSamplePredicate<HKGAD7Assessment>(HKScoredAssessmentType(.GAD7), predicate)
    }

    /// Answers to the PHQ-9 questionnaire about depression.
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
