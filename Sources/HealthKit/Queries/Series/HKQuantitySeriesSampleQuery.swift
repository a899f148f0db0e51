import Synchronization

/// Reads the single quantities of samples, in order of time. The handler is called for each, and a last time with true. A plain
/// sample has one quantity.
// Sendable holds: properties that change before the execution are in a mutex, and the rest never changes.
open class HKQuantitySeriesSampleQuery: HKQuery, @unchecked Sendable {
    private typealias Handler =
        @Sendable (
            HKQuantitySeriesSampleQuery, HKQuantity?, DateInterval?, HKQuantitySample?, Bool, (any Error)?
        ) -> Void

    private struct Options {
        var includesSample = false
        var ordersBySample = false
    }

    private let type: HKQuantityType
    /// The sample of the older form. Nil for the newer one.
    private let sample: HKQuantitySample?
    private let handler: Handler
    private let choices = Mutex(Options())

    /// - Parameter quantityHandler: Called with each quantity, its interval, its sample (nil unless ``includeSample``)
    ///   and false, and at the end with nil for all of them and true.
    @preconcurrency public init(
        quantityType: HKQuantityType, predicate: NSPredicate?,
        quantityHandler:
            @escaping @Sendable (
                HKQuantitySeriesSampleQuery, HKQuantity?, DateInterval?, HKQuantitySample?, Bool, (any Error)?
            ) -> Void
    ) {
        type = quantityType
        sample = nil
        handler = quantityHandler
        super.init(objectType: quantityType, predicate: predicate)
    }

    /// Creates a query in the older form: for the quantities of one sample, each with its start.
    @available(iOS, deprecated: 13.0, message: "Use init(quantityType:predicate:quantityHandler:)")
    @preconcurrency public init(
        sample quantitySample: HKQuantitySample,
        quantityHandler:
            @escaping @Sendable (HKQuantitySeriesSampleQuery, HKQuantity?, Date?, Bool, (any Error)?) -> Void
    ) {
        type = quantitySample.quantityType
        sample = quantitySample
        handler = { query, quantity, interval, _, done, error in
            quantityHandler(query, quantity, interval?.start, done, error)
        }
        super.init(objectType: quantitySample.quantityType, predicate: nil)
    }

    /// Whether the handler gets the samples. Set it before executing the query.
    public var includeSample: Bool {
        get { choices.withLock { $0.includesSample } }
        set {
            requireWaiting()
            choices.withLock { $0.includesSample = newValue }
        }
    }

    /// Whether the quantities of a sample are delivered together, with samples in order of their start. Set it before executing the
    /// query.
    public var orderByQuantitySampleStartDate: Bool {
        get { choices.withLock { $0.ordersBySample } }
        set {
            requireWaiting()
            choices.withLock { $0.ordersBySample = newValue }
        }
    }

    private func requireWaiting() {
        precondition(run.isWaiting, "the options of a query must be set before its execution")
    }

    package override func makePlan() -> QueryPlan {
        let options = choices.withLock { $0 }
        return QueryPlan(fail: { self.handler(self, nil, nil, nil, false, $0) }) { pass in
            var waiting: [(StoredQuantity, HKQuantitySample)] = []
            try self.eachSample(pass) { sample, quantities in
                if !options.ordersBySample {
                    // No later quantity can precede those that start before this sample does.
                    let ready = waiting.prefix { $0.0.start < sample.startDate }
                    self.deliver(ready, options, pass)
                    waiting.removeFirst(ready.count)
                }
                waiting += quantities.map { ($0, sample) }
                if options.ordersBySample {
                    self.deliver(waiting[...], options, pass)
                    waiting = []
                } else if quantities.count > 1 || waiting.count > quantities.count {
                    waiting.sort { $0.0.start < $1.0.start }
                }
            }
            guard pass.isActive else { return }
            self.deliver(waiting[...], options, pass)
            pass.deliver { self.handler(self, nil, nil, nil, true, nil) }
        }
    }

    /// The number of samples kept at a time.
    private static let batch = 4096
    /// The number of samples whose quantities are kept at a time, since a series may be long.
    private static let opened = 64

    /// Calls `body` with the samples in order of their start and their quantities, reading a batch at a time, until the
    /// query is stopped.
    private func eachSample(
        _ pass: QueryPass, _ body: (HKQuantitySample, [StoredQuantity]) throws -> Void
    ) throws {
        if let sample {
            if try pass.store.maySee(sample) { try open([sample], pass, body) }
            return
        }
        let selection = try pass.store.selection(type, predicate)
        var rest = selection
        /// The samples of the last batch that start where the next one begins.
        var seen: Set<UUID> = []
        while pass.isActive {
            let limit = Self.batch + seen.count
            let samples = try pass.database.samples([rest], sortedBy: [SampleSort(.startDate)], limit: limit)
            try open(samples.filter { !seen.contains($0.uuid) }.compactMap { $0 as? HKQuantitySample }, pass, body)
            guard samples.count == limit, let last = samples.last else { return }
            seen = Set(samples.reversed().prefix { $0.startDate == last.startDate }.map(\.uuid))
            rest.filter = .and([selection.filter, .startDate(.greaterOrEqual, last.startDate)])
        }
    }

    private func open(
        _ samples: [HKQuantitySample], _ pass: QueryPass, _ body: (HKQuantitySample, [StoredQuantity]) throws -> Void
    ) throws {
        var rest = samples[...]
        while !rest.isEmpty {
            let some = rest.prefix(Self.opened)
            rest = rest.dropFirst(Self.opened)
            let series = Set(some.lazy.filter { $0.count != 1 }.map(\.uuid))
            let inside = series.isEmpty ? [:] : try pass.database.contents(of: series)
            for sample in some {
                guard pass.isActive else { return }
                if sample.count == 1 {
                    let own = StoredQuantity(quantity: sample.quantity, start: sample.startDate, end: sample.endDate)
                    try body(sample, [own])
                } else if case .quantities(let quantities)? = inside[sample.uuid] {
                    try body(sample, quantities)
                } else {
                    try body(sample, [])
                }
            }
        }
    }

    private func deliver(
        _ quantities: ArraySlice<(StoredQuantity, HKQuantitySample)>, _ options: Options, _ pass: QueryPass
    ) {
        for (item, sample) in quantities {
            pass.deliver {
                handler(
                    self, item.quantity, DateInterval(start: item.start, end: max(item.start, item.end)),
                    options.includesSample ? sample : nil, false, nil)
            }
        }
    }
}

/// A query for the single quantities of samples, in order of time.
public struct HKQuantitySeriesSampleQueryDescriptor: HKAsyncSequenceQuery, Sendable {
    /// Quantities in order of time, or grouped by sample.
    public typealias Sequence = Results
    /// The sequence of ``results(for:)``: one quantity after another.
    public typealias Results = QueryResults<Result>

    /// The content and the order of the results.
    public struct Options: OptionSet, Sendable {
        /// The options as bits.
        public let rawValue: Int

        /// Creates options from bits as in ``rawValue``. Bits without a meaning are ignored.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Results contain the samples of the quantities.
        public static let includeSample = Options(rawValue: 1 << 0)
        /// The quantities of one sample are returned together.
        public static let orderByQuantitySampleStartDate = Options(rawValue: 1 << 1)
    }

    /// One quantity and its interval.
    public struct Result: Hashable, Sendable {
        /// The single value, not the sample's sum or average.
        public let quantity: HKQuantity
        /// The interval in which it was measured. For an instant, start and end are equal.
        public let dateInterval: DateInterval
        /// The sample. Nil unless ``Options/includeSample``.
        public let sample: HKQuantitySample?
    }

    /// The type, and the condition for its samples.
    public var predicate: HKSamplePredicate<HKQuantitySample>
    /// The options. Empty by default: quantities in order of time, without their samples.
    public var options: Options

    /// Creates a descriptor for all quantities of the matching samples.
    public init(predicate: HKSamplePredicate<HKQuantitySample>, options: Options = []) {
        self.predicate = predicate
        self.options = options
    }

    /// Returns a sequence that ends with the last quantity.
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
