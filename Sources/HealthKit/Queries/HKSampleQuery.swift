/// Finds samples. The handler is called once.
// Sendable holds: every stored property is immutable, the handler Sendable.
open class HKSampleQuery: HKQuery, @unchecked Sendable {
    /// Called once on the query's background queue, with the samples (an empty array if none match) or an error.
    public typealias ResultsHandler = @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void

    /// The largest number of samples; ``HKObjectQueryNoLimit`` for all.
    public let limit: Int
    /// The first descriptor sorts first; any order if nil or empty.
    public let sortDescriptors: [NSSortDescriptor]?

    private let descriptors: [HKQueryDescriptor]
    private let handler: ResultsHandler

    /// - Parameter sortDescriptors: Any order if nil or empty.
    @preconcurrency public init(
        sampleType: HKSampleType, predicate: NSPredicate?, limit: Int, sortDescriptors: [NSSortDescriptor]?,
        resultsHandler: @escaping @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void
    ) {
        self.limit = limit
        self.sortDescriptors = sortDescriptors
        descriptors = [HKQueryDescriptor(sampleType: sampleType, predicate: predicate)]
        handler = resultsHandler
        super.init(objectType: sampleType, predicate: predicate)
    }

    /// A sample that matches several descriptors is returned once. Stops the program if there are no descriptors.
    // Designated, as the two others are: doubles in apps' tests override all three.
    @preconcurrency public init(
        queryDescriptors: [HKQueryDescriptor], limit: Int,
        resultsHandler: @escaping @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void
    ) {
        queryDescriptors.requireAny()
        self.limit = limit
        sortDescriptors = []
        descriptors = queryDescriptors
        handler = resultsHandler
        super.init(objectType: queryDescriptors.soleType, predicate: queryDescriptors.solePredicate)
    }

    /// A sample that matches several descriptors is returned once. Stops the program if there are no descriptors.
    @preconcurrency public init(
        queryDescriptors: [HKQueryDescriptor], limit: Int, sortDescriptors: [NSSortDescriptor],
        resultsHandler: @escaping @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void
    ) {
        queryDescriptors.requireAny()
        self.limit = limit
        self.sortDescriptors = sortDescriptors
        descriptors = queryDescriptors
        handler = resultsHandler
        super.init(objectType: queryDescriptors.soleType, predicate: queryDescriptors.solePredicate)
    }

    package override func makePlan() -> QueryPlan {
        QueryPlan(fail: { self.handler(self, nil, $0) }) { pass in
            let samples = try pass.database.samples(
                pass.store.selections(self.descriptors),
                sortedBy: (self.sortDescriptors ?? []).map(SampleSort.init), limit: self.limit.asLimit)
            let visible = try pass.store.visible(samples)
            pass.deliver { self.handler(self, visible, nil) }
        }
    }
}

extension [HKQueryDescriptor] {
    func requireAny() {
        precondition(!isEmpty, "a query needs at least one descriptor: the array of query descriptors is empty")
    }

    var soleType: HKSampleType? { count == 1 ? self[0].sampleType : nil }

    var solePredicate: NSPredicate? { count == 1 ? self[0].predicate : nil }

    var sampleTypes: Set<HKSampleType> { Set(map(\.sampleType)) }
}

extension Int {
    /// Nil for ``HKObjectQueryNoLimit``.
    var asLimit: Int? { self > 0 ? self : nil }
}

/// Samples as they are now.
public struct HKSampleQueryDescriptor<Sample: HKSample>: HKAsyncQuery, Sendable {
    /// Samples of the class that the predicates name.
    public typealias Output = [Sample]

    /// A sample that matches one of them is in the result, once.
    public var predicates: [HKSamplePredicate<Sample>]
    /// The first one counts first; empty promises no order.
    public var sortDescriptors: [SortDescriptor<Sample>]
    /// At most so many; nil for all.
    public var limit: Int?

    /// - Parameter predicates: A sample that several match comes once. Stops the program when there are none.
    public init(
        predicates: [HKSamplePredicate<Sample>], sortDescriptors: [SortDescriptor<Sample>], limit: Int? = nil
    ) {
        predicates.requireAny()
        self.predicates = predicates
        self.sortDescriptors = sortDescriptors
        self.limit = limit
    }

    /// Sorting by the dates, and by the figures that ``HKSampleQuery`` sorts by, is done by the store; by anything else on
    /// all samples in memory.
    public func result(for healthStore: HKHealthStore) async throws -> [Sample] {
        let sorts = sortDescriptors.map(\.sampleSort)
        let isSortedByStore = sorts.allSatisfy { $0 != nil }
        let samples: [HKSample] = try await healthStore.answer { answer in
            HKSampleQuery(
                queryDescriptors: predicates.map(\.descriptor),
                limit: isSortedByStore ? limit ?? HKObjectQueryNoLimit : HKObjectQueryNoLimit,
                sortDescriptors: isSortedByStore
                    ? sorts.compactMap { $0 }.map { KeySortDescriptor($0.key.name, ascending: $0.ascending) } : []
            ) { _, samples, error in
                answer(Result(samples, error))
            }
        }
        let typed = samples.compactMap { $0 as? Sample }
        guard !isSortedByStore else { return typed }
        return Array(typed.sorted(using: sortDescriptors).prefix(limit ?? .max))
    }
}

extension SortDescriptor where Compared: HKSample {
    /// Nil when the store does not sort so.
    fileprivate var sampleSort: SampleSort? {
        let key: SampleSort.Key? =
            switch keyPath {
            case \Compared.startDate: .startDate
            case \Compared.endDate: .endDate
            default: SampleSort.Key(keyPath)
            }
        return key.map { SampleSort($0, ascending: order == .forward) }
    }
}
