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
