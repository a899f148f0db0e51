/// Finds samples. The handler is called once.
// Sendable holds: every stored property is immutable, and the handler is Sendable.
open class HKSampleQuery: HKQuery, @unchecked Sendable {
    /// Called once on the query's background queue, with the samples (an empty array if none match) or an error.
    public typealias ResultsHandler = @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void

    /// The largest number of samples. ``HKObjectQueryNoLimit`` for all.
    public let limit: Int
    /// The order of the samples. The first descriptor sorts first. Any order if nil or empty.
    public let sortDescriptors: [NSSortDescriptor]?

    private let descriptors: [HKQueryDescriptor]
    private let handler: ResultsHandler

    /// - Parameter sortDescriptors: The order. Any order if nil or empty.
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

    /// Creates a query of several types. A sample that matches several descriptors is returned once. Stops the program
    /// if there are no descriptors.
    // Designated like the other two, because doubles in apps' tests override all three.
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

    /// Creates a query of several types. A sample that matches several descriptors is returned once. Stops the program
    /// if there are no descriptors.
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

/// A query for the present samples.
public struct HKSampleQueryDescriptor<Sample: HKSample>: HKAsyncQuery, Sendable {
    /// The samples, of the class that the predicates name.
    public typealias Output = [Sample]

    /// The predicates. A sample that matches one or several of them is returned once.
    public var predicates: [HKSamplePredicate<Sample>]
    /// The order. The first descriptor sorts first. Any order if empty.
    public var sortDescriptors: [SortDescriptor<Sample>]
    /// The largest number of samples. Nil for all.
    public var limit: Int?

    /// Creates a descriptor. Stops the program if there are no predicates.
    /// - Parameter predicates: The predicates. A sample that matches several is returned once.
    public init(
        predicates: [HKSamplePredicate<Sample>], sortDescriptors: [SortDescriptor<Sample>], limit: Int? = nil
    ) {
        predicates.requireAny()
        self.predicates = predicates
        self.sortDescriptors = sortDescriptors
        self.limit = limit
    }

    /// Returns the samples. The store sorts by dates, and by the values that ``HKSampleQuery`` sorts by. Any other
    /// order is made in memory from all samples.
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
    /// The same order for the store. Nil if the store does not have it.
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
