import SessionLog
import Synchronization

/// Finds samples that were added and deleted since an anchor, in this order. With an update handler it also delivers later changes.
///
/// As on Apple's systems, a query can be created through a metatype, and subclasses may override the initialisers. A metatype
/// calls the two `required` ones, which call those that a subclass overrides. A subclass that adds an initialiser must
/// override both.
// Sendable holds: properties that change before the execution are in a mutex, and the rest never changes.
open class HKAnchoredObjectQuery: HKQuery, @unchecked Sendable {
    /// Called on the query's background queue with added samples, deleted objects and the anchor to continue from. If
    /// the query failed, called with only an error, and the query has ended.
    public typealias Handler =
        @Sendable (
            HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
        ) -> Void

    private let descriptors: [HKQueryDescriptor]
    private let limit: Int
    private let anchor: HKQueryAnchor?
    private let handler: Handler
    private let update = LockedFunction<Handler?>(nil)

    /// - Parameters:
    ///   - anchor: Nil for the beginning: everything that matches now, and the deletions that are still known.
    ///   - limit: The largest number of samples and deletions together. The returned anchor gets the rest.
    @preconcurrency public init(
        type: HKSampleType, predicate: NSPredicate?, anchor: HKQueryAnchor?, limit: Int,
        resultsHandler handler:
            @escaping @Sendable (
                HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
            ) -> Void
    ) {
        descriptors = [HKQueryDescriptor(sampleType: type, predicate: predicate)]
        self.anchor = anchor
        self.limit = limit
        self.handler = handler
        super.init(objectType: type, predicate: predicate)
    }

    /// Creates a query of several types. Stops the program if there are no descriptors.
    @preconcurrency public init(
        queryDescriptors: [HKQueryDescriptor], anchor: HKQueryAnchor?, limit: Int,
        resultsHandler handler:
            @escaping @Sendable (
                HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
            ) -> Void
    ) {
        queryDescriptors.requireAny()
        descriptors = queryDescriptors
        self.anchor = anchor
        self.limit = limit
        self.handler = handler
        super.init(objectType: queryDescriptors.soleType, predicate: queryDescriptors.solePredicate)
    }

    /// Creates a query through a metatype: `type.init(type:predicate:anchor:limit:resultsHandler:)` calls this one.
    @preconcurrency public required convenience init(
        type: HKSampleType, predicate: NSPredicate?, anchor: HKQueryAnchor?, limit: Int,
        resultsHandler handler:
            @escaping @Sendable (
                HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
            ) -> Void,
        _ metatype: Void = ()
    ) {
        self.init(type: type, predicate: predicate, anchor: anchor, limit: limit, resultsHandler: handler)
    }

    /// Creates a query through a metatype: `type.init(queryDescriptors:anchor:limit:resultsHandler:)` calls this one.
    @preconcurrency public required convenience init(
        queryDescriptors: [HKQueryDescriptor], anchor: HKQueryAnchor?, limit: Int,
        resultsHandler handler:
            @escaping @Sendable (
                HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
            ) -> Void,
        _ metatype: Void = ()
    ) {
        self.init(queryDescriptors: queryDescriptors, anchor: anchor, limit: limit, resultsHandler: handler)
    }

    /// Creates a query in the older form: anchors are integers, and deletions are not reported.
    @available(iOS, deprecated: 9.0, message: "Use init(type:predicate:anchor:limit:resultsHandler:)")
    @preconcurrency public convenience init(
        type: HKSampleType, predicate: NSPredicate?, anchor: Int, limit: Int,
        completionHandler handler:
            @escaping @Sendable (HKAnchoredObjectQuery, [HKSample]?, Int, (any Error)?) -> Void
    ) {
        self.init(
            type: type, predicate: predicate, anchor: HKQueryAnchor(fromValue: anchor), limit: limit
        ) { query, samples, _, newAnchor, error in
            handler(query, samples, Int(newAnchor?.position ?? Int64(anchor)), error)
        }
    }

    /// Called for each later change until the query is stopped. Without it, the query ends with its first results. Setting it after
    /// the query was executed, or for a query with a limit, stops the program.
    public var updateHandler:
        (
            @Sendable (HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?) -> Void
        )?
    {
        get { update.function }
        set {
            precondition(run.isWaiting, "the update handler of a query must be set before its execution")
            precondition(
                newValue == nil || limit == HKObjectQueryNoLimit,
                "an anchored query with an update handler cannot have a limit: use HKObjectQueryNoLimit")
            update.function = newValue
        }
    }

    package override func makePlan() -> QueryPlan {
        let update = updateHandler
        let reached = Mutex(anchor?.position ?? 0)
        let isFirst = Mutex(true)
        return QueryPlan(
            watching: update == nil ? [] : descriptors.sampleTypes,
            fail: { error in
                (isFirst.withLock { $0 } ? self.handler : update ?? self.handler)(self, nil, nil, nil, error)
            },
            pass: { pass in
                let changes = try pass.database.changes(
                    pass.store.selections(self.descriptors), after: reached.withLock { $0 }, limit: self.limit.asLimit)
                let added = try pass.store.visible(changes.added)
                reached.withLock { $0 = changes.anchor }
                isFirst.withLock { $0 = false }
                guard pass.isFirst || !added.isEmpty || !changes.deleted.isEmpty else { return }
                let handler = pass.isFirst ? self.handler : update ?? self.handler
                pass.deliver {
                    handler(self, added, changes.deleted, HKQueryAnchor(changes.anchor), nil)
                }
            })
    }
}

/// A query for samples that were added and deleted since an anchor.
public struct HKAnchoredObjectQueryDescriptor<Sample: HKSample>: HKAsyncQuery, HKAsyncSequenceQuery, Sendable {
    /// The changes since the anchor, and the anchor to continue from.
    public typealias Output = Result
    /// Changes, one result after another. See ``results(for:)``.
    public typealias Sequence = Results
    /// The sequence of ``results(for:)``: a first result, and one for each later change.
    public typealias Results = QueryResults<Result>

    /// The changes between two anchors.
    public struct Result: Sendable {
        /// Samples that match one of the predicates and that this app may read, in the order in which they were saved.
        public let addedSamples: [Sample]
        /// The objects deleted meanwhile. Predicates do not filter deletions, because a deleted object has no
        /// properties any more.
        public let deletedObjects: [HKDeletedObject]
        /// The anchor to continue from.
        public let newAnchor: HKQueryAnchor
    }

    /// The predicates. A sample that matches one of them is included.
    public var predicates: [HKSamplePredicate<Sample>]
    /// The anchor to start after. Nil for the beginning.
    public var anchor: HKQueryAnchor?
    /// The maximum number of samples and deletions together in one result. Nil for all.
    public var limit: Int?

    /// Creates a descriptor. Stops the program if there are no predicates.
    public init(predicates: [HKSamplePredicate<Sample>], anchor: HKQueryAnchor?, limit: Int? = nil) {
        predicates.requireAny()
        self.predicates = predicates
        self.anchor = anchor
        self.limit = limit
    }

    private func makeQuery(
        limit: Int?, _ handler: @escaping HKAnchoredObjectQuery.Handler
    ) -> HKAnchoredObjectQuery {
        HKAnchoredObjectQuery(
            queryDescriptors: predicates.map(\.descriptor), anchor: anchor, limit: limit ?? HKObjectQueryNoLimit,
            resultsHandler: handler)
    }

    private static func result(
        _ added: [HKSample]?, _ deleted: [HKDeletedObject]?, _ anchor: HKQueryAnchor?
    ) -> Result? {
        guard let added, let deleted, let anchor else { return nil }
        return Result(addedSamples: added.compactMap { $0 as? Sample }, deletedObjects: deleted, newAnchor: anchor)
    }

    /// Returns the changes since the anchor, once.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a predicate that doesn't fit the types,
    ///   ``HKError/Code/errorDatabaseInaccessible`` while the device is locked.
    public func result(for healthStore: HKHealthStore) async throws -> Result {
        try await healthStore.answer { answer in
            makeQuery(limit: limit) { answer(Swift.Result(Self.result($1, $2, $3), $4)) }
        }
    }

    /// Returns a sequence of the changes since the anchor, and then each later change. It doesn't end by itself. The
    /// limit has no effect.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(healthStore) { continuation in
            let handler: HKAnchoredObjectQuery.Handler = {
                continuation.give(Self.result($1, $2, $3), $4)
            }
            let query = makeQuery(limit: nil, handler)
            query.updateHandler = handler
            return query
        }
    }
}
