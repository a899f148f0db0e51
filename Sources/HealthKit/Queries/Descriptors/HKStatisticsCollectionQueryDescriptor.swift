import Synchronization

/// The figures of a quantity type in consecutive intervals of the calendar.
public struct HKStatisticsCollectionQueryDescriptor: HKAsyncQuery, HKAsyncSequenceQuery, Sendable {
    /// All intervals with their figures.
    public typealias Output = HKStatisticsCollection
    /// Collections, one after each change; see ``results(for:)``.
    public typealias Sequence = Results
    /// What ``results(for:)`` gives: the collection as it is, and again after each change.
    public typealias Results = QueryResults<Result>

    /// A collection, and what is new in it.
    public struct Result: Sendable {
        /// The whole collection, not only what changed.
        public let statisticsCollection: HKStatisticsCollection
        /// What has changed since the result before; nil in the first one.
        public let updatedStatistics: [HKStatistics]?
    }

    /// The type, and which of its samples count.
    public var predicate: HKSamplePredicate<HKQuantitySample>
    /// Which figures. Stops the program when the query is made with one that does not go with the type.
    public var options: HKStatisticsOptions
    /// Where one interval begins.
    public var anchorDate: Date
    /// How long an interval is.
    public var intervalComponents: DateComponents

    /// - Parameters:
    ///   - predicate: The type, and which of its samples count.
    ///   - options: Sums of cumulative types; averages, minima and maxima of discrete ones.
    ///   - anchorDate: Where one interval begins; it may lie before, among or after the samples.
    ///   - intervalComponents: How long an interval is: a day, a week. In the current calendar where it has none of its
    ///     own.
    public init(
        predicate: HKSamplePredicate<HKQuantitySample>, options: HKStatisticsOptions, anchorDate: Date,
        intervalComponents: DateComponents
    ) {
        self.predicate = predicate
        self.options = options
        self.anchorDate = anchorDate
        self.intervalComponents = intervalComponents
    }

    private func makeQuery() -> HKStatisticsCollectionQuery {
        HKStatisticsCollectionQuery(
            quantityType: predicate.quantityType, quantitySamplePredicate: predicate.nsPredicate, options: options,
            anchorDate: anchorDate, intervalComponents: intervalComponents)
    }

    /// The collection as it is now; empty where nothing matches.
    public func result(for healthStore: HKHealthStore) async throws -> HKStatisticsCollection {
        try await healthStore.answer { answer in
            let query = makeQuery()
            query.initialResultsHandler = { answer(Swift.Result($1, $2)) }
            return query
        }
    }

    /// The collection as it is, and again after each change. It never ends by itself.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(healthStore) { continuation in
            let query = makeQuery()
            let latest = LatestCollection()
            let give: @Sendable (HKStatisticsCollection?, (any Error)?) -> Void = { collection, error in
                continuation.give(
                    collection.map { Result(statisticsCollection: $0, updatedStatistics: latest.changes(to: $0)) },
                    error)
            }
            query.initialResultsHandler = { give($1, $2) }
            query.statisticsUpdateHandler = { give($2, $3) }
            return query
        }
    }
}

/// Remembers the collection before, to tell what has changed.
final class LatestCollection: Sendable {
    private let latest = Mutex<HKStatisticsCollection?>(nil)

    /// Nil for the first collection.
    func changes(to collection: HKStatisticsCollection) -> [HKStatistics]? {
        let older = latest.withLock { latest in
            defer { latest = collection }
            return latest
        }
        return older.map(collection.changes)
    }
}
