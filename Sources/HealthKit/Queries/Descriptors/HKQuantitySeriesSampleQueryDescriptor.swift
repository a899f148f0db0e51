/// The single quantities inside samples, in order of time.
public struct HKQuantitySeriesSampleQueryDescriptor: HKAsyncSequenceQuery, Sendable {
    public typealias Sequence = Results
    public typealias Results = QueryResults<Result>

    public struct Options: OptionSet, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The samples come with the quantities.
        public static let includeSample = Options(rawValue: 1 << 0)
        /// The quantities of one sample come together.
        public static let orderByQuantitySampleStartDate = Options(rawValue: 1 << 1)
    }

    public struct Result: Hashable, Sendable {
        public let quantity: HKQuantity
        public let dateInterval: DateInterval
        /// Nil unless ``Options/includeSample``.
        public let sample: HKQuantitySample?
    }

    public var predicate: HKSamplePredicate<HKQuantitySample>
    public var options: Options

    public init(predicate: HKSamplePredicate<HKQuantitySample>, options: Options = []) {
        self.predicate = predicate
        self.options = options
    }

    /// Ends with the last quantity.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(healthStore) { continuation in
            let query = HKQuantitySeriesSampleQuery(
                quantityType: predicate.quantityType, predicate: predicate.nsPredicate
            ) { _, quantity, interval, sample, isDone, error in
                if let quantity, let interval {
                    continuation.yield(Result(quantity: quantity, dateInterval: interval, sample: sample))
                }
                if let error { continuation.finish(throwing: error) }
                if isDone { continuation.finish() }
            }
            query.includeSample = options.contains(.includeSample)
            query.orderByQuantitySampleStartDate = options.contains(.orderByQuantitySampleStartDate)
            return query
        }
    }
}
