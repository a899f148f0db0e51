/// The figures of a quantity type in consecutive intervals of the calendar.
public struct HKStatisticsCollectionQueryDescriptor: HKAsyncQuery, HKAsyncSequenceQuery, Sendable {
    public typealias Output = HKStatisticsCollection
    public typealias Sequence = Results
    public typealias Results = QueryResults<Result>

    public struct Result: Sendable {
        public let statisticsCollection: HKStatisticsCollection
        /// What has changed since the result before; nil in the first one.
        public let updatedStatistics: [HKStatistics]?
    }

    public var predicate: HKSamplePredicate<HKQuantitySample>
    public var options: HKStatisticsOptions
    /// Where one interval begins.
    public var anchorDate: Date
    /// How long an interval is.
    public var intervalComponents: DateComponents

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
