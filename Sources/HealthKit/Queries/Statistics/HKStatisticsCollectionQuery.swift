import Synchronization

/// Computes statistics of a quantity type in consecutive calendar intervals: once, or with an update handler also after each
/// change.
// Sendable holds: what changes before the execution is in a mutex, the rest never does.
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
                "the interval components of a statistics collection must lead forward: \(intervalComponents)")
        }
        self.anchorDate = anchorDate
        self.options = options
        self.intervalComponents = intervalComponents
        self.grid = grid
        type = quantityType
        super.init(objectType: quantityType, predicate: quantitySamplePredicate)
    }

    /// Called once with the first results; without samples the collection is empty. Set it before executing the query.
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

    /// What a pass found, for the next one to go on from.
    private struct LatestPass {
        var collection: HKStatisticsCollection
        var mark: Int64
        /// Another one when the right to read was given or taken.
        var onlySource: String?
    }

    /// Reads only the intervals that samples came into or went from, where that can be told.
    private func makePass(_ pass: QueryPass, after older: LatestPass?) throws -> LatestPass {
        let selection = try pass.store.selection(type, predicate)
        // Before the statistics: what comes in between is read again.
        let changes = try pass.database.changedTimes(type, after: older?.mark ?? .max)
        let collection: HKStatisticsCollection
        if let older, older.onlySource == selection.onlySource, !selection.filter.asksForMembership,
            let times = changes.ranges
        {
            collection = try older.collection.reading(again: grid.bounds(touchedBy: times)) { bounds in
                try pass.database.statistics(
                    selection, bounds: .dates(bounds), separatingSources: options.contains(.separateBySource))
            }
        } else {
            collection = try self.collection(pass, selection)
        }
        return LatestPass(collection: collection, mark: changes.mark, onlySource: selection.onlySource)
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
