import Synchronization

/// Computes statistics of a quantity type in consecutive calendar intervals: once, or with an update handler also after each
/// change.
// Sendable holds: properties that change before the execution are in a mutex, and the rest never changes.
open class HKStatisticsCollectionQuery: HKQuery, @unchecked Sendable {
    /// The start of one interval.
    public let anchorDate: Date
    /// The statistics to compute.
    public let options: HKStatisticsOptions
    /// The length of an interval.
    public let intervalComponents: DateComponents

    package typealias InitialHandler =
        @Sendable (
            HKStatisticsCollectionQuery, HKStatisticsCollection?, (any Error)?
        ) -> Void
    package typealias UpdateHandler =
        @Sendable (
            HKStatisticsCollectionQuery, HKStatistics?, HKStatisticsCollection?, (any Error)?
        ) -> Void

    private let type: HKQuantityType
    private let grid: BucketGrid
    private let handlers = Mutex<(initial: InitialHandler?, update: UpdateHandler?)>((nil, nil))

    /// - Parameters:
    ///   - anchorDate: The start of one interval, before, among or after the samples.
    ///   - intervalComponents: The length of an interval. Without a calendar and time zone, the current ones are used.
    ///
    /// Stops the program if an option doesn't fit the type, or the interval is zero or negative.
    public init(
        quantityType: HKQuantityType, quantitySamplePredicate: NSPredicate?, options: HKStatisticsOptions = [],
        anchorDate: Date, intervalComponents: DateComponents
    ) {
        options.require(for: quantityType)
        guard let grid = BucketGrid(anchor: anchorDate, components: intervalComponents) else {
            preconditionFailure(
                "the interval components of a statistics collection must be positive: \(intervalComponents)")
        }
        self.anchorDate = anchorDate
        self.options = options
        self.intervalComponents = intervalComponents
        self.grid = grid
        type = quantityType
        super.init(objectType: quantityType, predicate: quantitySamplePredicate)
    }

    /// Called once with the first results. Without samples the collection is empty. Set it before executing the query.
    public var initialResultsHandler:
        (@Sendable (HKStatisticsCollectionQuery, HKStatisticsCollection?, (any Error)?) -> Void)?
    {
        get { handlers.withLock { $0.initial } }
        set {
            requireWaiting()
            handlers.withLock { $0.initial = newValue }
        }
    }

    /// Called after each change until the query is stopped, with the changed statistics (nil if several changed) and the new
    /// collection. Without it, the query ends with its first results. Set it before executing the query.
    public var statisticsUpdateHandler:
        (@Sendable (HKStatisticsCollectionQuery, HKStatistics?, HKStatisticsCollection?, (any Error)?) -> Void)?
    {
        get { handlers.withLock { $0.update } }
        set {
            requireWaiting()
            handlers.withLock { $0.update = newValue }
        }
    }

    private func requireWaiting() {
        precondition(run.isWaiting, "the handlers of a query must be set before its execution")
    }

    package override func makePlan() -> QueryPlan {
        let (initial, update) = handlers.withLock { $0 }
        guard let initial else {
            preconditionFailure("a statistics collection query needs an initialResultsHandler before its execution")
        }
        let latest = Mutex<LatestPass?>(nil)
        return QueryPlan(
            watching: update == nil ? [] : [type],
            fail: { error in
                if let update, latest.withLock({ $0 != nil }) {
                    update(self, nil, nil, error)
                } else {
                    initial(self, nil, error)
                }
            },
            pass: { pass in
                let older = latest.withLock { $0 }
                let newer = try self.makePass(pass, after: older)
                latest.withLock { $0 = newer }
                let collection = newer.collection
                guard let older else {
                    pass.deliver { initial(self, collection, nil) }
                    return
                }
                let changed = collection.changes(since: older.collection)
                guard !changed.isEmpty else { return }
                pass.deliver { update?(self, changed.count == 1 ? changed[0] : nil, collection, nil) }
            })
    }

    /// The result of a pass, from which the next one continues.
    private struct LatestPass {
        var collection: HKStatisticsCollection
        var mark: Int64
        /// Changes if permission to read was given, limited or removed.
        var selection: SampleSelection
    }

    /// Reads only the intervals in which samples were added or deleted, if that is known.
    private func makePass(_ pass: QueryPass, after older: LatestPass?) throws -> LatestPass {
        let selection = try pass.store.selection(type, predicate)
        // Read before the statistics: later changes are read again.
        let changes = try pass.database.changedTimes(type, after: older?.mark ?? .max)
        let collection: HKStatisticsCollection
        if let older, older.selection == selection, !selection.filter.asksForMembership,
            let times = changes.ranges
        {
            collection = try older.collection.reading(again: grid.bounds(touchedBy: times)) { bounds in
                try pass.database.statistics(
                    selection, bounds: .dates(bounds), separatingSources: options.contains(.separateBySource))
            }
        } else {
            collection = try self.collection(pass, selection)
        }
        return LatestPass(collection: collection, mark: changes.mark, selection: selection)
    }

    private func collection(_ pass: QueryPass, _ selection: SampleSelection) throws -> HKStatisticsCollection {
        guard let range = try pass.database.dateRange(selection) else {
            return HKStatisticsCollection([], of: type, options: options, grid: grid)
        }
        let buckets = try pass.database.statistics(
            selection, bounds: .dates(grid.bounds(covering: range)),
            separatingSources: options.contains(.separateBySource))
        return HKStatisticsCollection(buckets, of: type, options: options, grid: grid)
    }
}

/// A query for the statistics of a quantity type in consecutive intervals of the calendar.
public struct HKStatisticsCollectionQueryDescriptor: HKAsyncQuery, HKAsyncSequenceQuery, Sendable {
    /// The statistics of all intervals.
    public typealias Output = HKStatisticsCollection
    /// Collections, one after each change. See ``results(for:)``.
    public typealias Sequence = Results
    /// The sequence of ``results(for:)``: the present collection, and another one after each change.
    public typealias Results = QueryResults<Result>

    /// A collection, and its changes.
    public struct Result: Sendable {
        /// The whole collection, not only the changes.
        public let statisticsCollection: HKStatisticsCollection
        /// The statistics that have changed since the last result. Nil in the first one.
        public let updatedStatistics: [HKStatistics]?
    }

    /// The type, and the condition for its samples.
    public var predicate: HKSamplePredicate<HKQuantitySample>
    /// The statistics to compute. Executing a query with an option that doesn't fit the type stops the program.
    public var options: HKStatisticsOptions
    /// The start of one interval.
    public var anchorDate: Date
    /// The length of an interval.
    public var intervalComponents: DateComponents

    /// - Parameters:
    ///   - predicate: The type, and the condition for its samples.
    ///   - options: Sums of cumulative types, and averages, minima and maxima of discrete ones.
    ///   - anchorDate: The start of one interval, before, among or after the samples.
    ///   - intervalComponents: The length of an interval: a day, a week. Without a calendar, the current one is used.
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

    /// Returns the present collection. Empty if no samples match.
    public func result(for healthStore: HKHealthStore) async throws -> HKStatisticsCollection {
        try await healthStore.answer { answer in
            let query = makeQuery()
            query.initialResultsHandler = { answer(Swift.Result($1, $2)) }
            return query
        }
    }

    /// Returns a sequence of the present collection, and another one after each change. It doesn't end by itself.
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

/// Keeps the last collection, to find the changes.
final class LatestCollection: Sendable {
    private let latest = Mutex<HKStatisticsCollection?>(nil)

    /// Returns the changes, or nil for the first collection.
    func changes(to collection: HKStatisticsCollection) -> [HKStatistics]? {
        let older = latest.withLock { latest in
            defer { latest = collection }
            return latest
        }
        return older.map(collection.changes)
    }
}
