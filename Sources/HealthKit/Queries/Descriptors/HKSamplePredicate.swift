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

extension Array {
    func requireAny<Sample: HKSample>() where Element == HKSamplePredicate<Sample> {
        precondition(!isEmpty, "a query needs at least one predicate: the array of predicates is empty")
    }
}
