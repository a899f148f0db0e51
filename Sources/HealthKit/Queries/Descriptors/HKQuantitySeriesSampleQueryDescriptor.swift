/// The single quantities inside samples, in order of time.
public struct HKQuantitySeriesSampleQueryDescriptor: HKAsyncSequenceQuery, Sendable {
    /// Quantities in order of time, or sample by sample.
    public typealias Sequence = Results
    /// What ``results(for:)`` gives: one quantity after another.
    public typealias Results = QueryResults<Result>

    /// What comes with the quantities, and in which order.
    public struct Options: OptionSet, Sendable {
        /// The options as bits.
        public let rawValue: Int

        /// From bits, as ``rawValue`` has them; bits without a meaning are ignored.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The samples come with the quantities.
        public static let includeSample = Options(rawValue: 1 << 0)
        /// The quantities of one sample come together.
        public static let orderByQuantitySampleStartDate = Options(rawValue: 1 << 1)
    }

    /// One quantity and when it was.
    public struct Result: Hashable, Sendable {
        /// The single value, not the sample's sum or average.
        public let quantity: HKQuantity
        /// When it was measured; of a moment, start and end are the same.
        public let dateInterval: DateInterval
        /// Nil unless ``Options/includeSample``.
        public let sample: HKQuantitySample?
    }

    /// The type, and which of its samples are opened.
    public var predicate: HKSamplePredicate<HKQuantitySample>
    /// Empty by default: quantities in order of time, without their samples.
    public var options: Options

    /// All quantities inside the samples that match.
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
