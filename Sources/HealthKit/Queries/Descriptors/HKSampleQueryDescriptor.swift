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
