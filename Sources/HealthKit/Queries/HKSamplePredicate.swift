/// A type of samples and a condition for them, with their class.
// Sendable holds: predicates are never changed and only evaluated.
public struct HKSamplePredicate<Sample: HKSample>: Hashable, @unchecked Sendable {
    /// The type of the samples.
    public let sampleType: HKSampleType
    /// The condition for samples. Nil for all.
    public let nsPredicate: NSPredicate?

    private init(_ sampleType: HKSampleType, _ nsPredicate: NSPredicate?) {
        self.sampleType = sampleType
        self.nsPredicate = nsPredicate
    }

    /// Returns whether type and predicate are equal.
    public static func == (a: Self, b: Self) -> Bool {
        a.sampleType == b.sampleType && a.nsPredicate == b.nsPredicate
    }

    /// Hashes the type alone, because the hash of Foundation's predicates does not match their equality.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(sampleType)
    }

    var descriptor: HKQueryDescriptor { HKQueryDescriptor(sampleType: sampleType, predicate: nsPredicate) }
}

extension HKSamplePredicate {
    /// Samples of a quantity type. Without a predicate, all that this app may read.
    public static func quantitySample(
        type: HKQuantityType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKQuantitySample> where Sample == HKQuantitySample {
        HKSamplePredicate<HKQuantitySample>(type, predicate)
    }

    /// Samples of a category type. Without a predicate, all that this app may read.
    public static func categorySample(
        type: HKCategoryType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKCategorySample> where Sample == HKCategorySample {
        HKSamplePredicate<HKCategorySample>(type, predicate)
    }

    /// Correlations: the two values of a blood pressure, the nutrients of a meal.
    public static func correlation(
        type: HKCorrelationType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKCorrelation> where Sample == HKCorrelation {
        HKSamplePredicate<HKCorrelation>(type, predicate)
    }

    /// Samples of any type, as `HKSample`, for a query of types of several classes.
    public static func sample(
        type: HKSampleType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKSample> where Sample == HKSample {
        HKSamplePredicate<HKSample>(type, predicate)
    }

    /// Workouts. Without a predicate, all that this app may read.
    public static func workout(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKWorkout> where Sample == HKWorkout {
        HKSamplePredicate<HKWorkout>(.workoutType(), predicate)
    }

    /// Routes of workouts. ``HKWorkoutRouteQueryDescriptor`` reads their locations.
    public static func workoutRoute(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKWorkoutRoute> where Sample == HKWorkoutRoute {
        HKSamplePredicate<HKWorkoutRoute>(HKSeriesType.workoutRoute(), predicate)
    }

    /// Heartbeat series. ``HKHeartbeatSeriesQueryDescriptor`` reads their beats.
    public static func heartbeatSeries(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKHeartbeatSeriesSample> where Sample == HKHeartbeatSeriesSample {
        HKSamplePredicate<HKHeartbeatSeriesSample>(HKSeriesType.heartbeat(), predicate)
    }
}

extension HKSamplePredicate {
    /// Clinical records of a type. On Linux they come from an Apple Health export.
    public static func clinicalRecord(
        type: HKClinicalType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKClinicalRecord> where Sample == HKClinicalRecord {
        HKSamplePredicate<HKClinicalRecord>(type, predicate)
    }

    /// Electrocardiograms. ``HKElectrocardiogramQueryDescriptor`` reads their voltages.
    public static func electrocardiogram(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKElectrocardiogram> where Sample == HKElectrocardiogram {
        HKSamplePredicate<HKElectrocardiogram>(.electrocardiogramType(), predicate)
    }

    /// Audiograms. Without a predicate, all that this app may read.
    public static func audiogram(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKAudiogramSample> where Sample == HKAudiogramSample {
        HKSamplePredicate<HKAudiogramSample>(.audiogramSampleType(), predicate)
    }

    /// Prescriptions of glasses and contact lenses. The user allows reading per prescription.
    public static func visionPrescription(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKVisionPrescription> where Sample == HKVisionPrescription {
        HKSamplePredicate<HKVisionPrescription>(.visionPrescriptionType(), predicate)
    }

    /// Doses of medications, taken and skipped ones. Without a predicate, all that this app may read.
    public static func medicationDoseEvent(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKMedicationDoseEvent> where Sample == HKMedicationDoseEvent {
        HKSamplePredicate<HKMedicationDoseEvent>(.medicationDoseEventType(), predicate)
    }

    /// States of mind. Without a predicate, all that this app may read.
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
