import Synchronization

/// Finds samples that were added and deleted since an anchor, in this order. With an update handler it also delivers later changes.
///
/// As on Apple's systems, a query can be created through a metatype, and subclasses may override the initialisers. A metatype
/// calls the two `required` ones, which call those that a subclass overrides. A subclass that adds an initialiser must
/// override both.
// Sendable holds: what changes before the execution is in a mutex, the rest never does.
open class HKAnchoredObjectQuery: HKQuery, @unchecked Sendable {
    /// Called on the query's background queue with added samples, deleted objects and the anchor to continue from; or with an
    /// error only, and then the query is over.
    public typealias Handler =
        @Sendable (
            HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
        ) -> Void

    private let descriptors: [HKQueryDescriptor]
    private let limit: Int
    private let anchor: HKQueryAnchor?
    private let handler: Handler
    private let update = Mutex<Handler?>(nil)

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

    /// Stops the program if there are no descriptors.
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

    /// Through a metatype: `type.init(type:predicate:anchor:limit:resultsHandler:)` means this one.
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

    /// Through a metatype: `type.init(queryDescriptors:anchor:limit:resultsHandler:)` means this one.
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

    /// The older form: anchors are integers, and deletions are not reported.
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
        get { update.withLock { $0 } }
        set {
            precondition(run.isWaiting, "the update handler of a query must be set before its execution")
            precondition(
                newValue == nil || limit == HKObjectQueryNoLimit,
                "an anchored query with an update handler cannot have a limit: use HKObjectQueryNoLimit")
            update.withLock { $0 = newValue }
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

/// What was added to the store and deleted from it since an anchor.
public struct HKAnchoredObjectQueryDescriptor<Sample: HKSample>: HKAsyncQuery, HKAsyncSequenceQuery, Sendable {
    /// The changes since the anchor, and the anchor to go on from.
    public typealias Output = Result
    /// Changes, one result after another; see ``results(for:)``.
    public typealias Sequence = Results
    /// What ``results(for:)`` gives: a first result, and one for each later change.
    public typealias Results = QueryResults<Result>

    /// The changes between two anchors.
    public struct Result: Sendable {
        /// Samples that match one of the predicates and that this app may see, in the order in which the store took
        /// them in.
        public let addedSamples: [Sample]
        /// What was deleted meanwhile. Predicates let every deletion of their types through: what is deleted has no
        /// properties any more.
        public let deletedObjects: [HKDeletedObject]
        /// To go on from.
        public let newAnchor: HKQueryAnchor
    }

    /// A sample that matches one of them counts.
    public var predicates: [HKSamplePredicate<Sample>]
    /// Nil begins at the beginning.
    public var anchor: HKQueryAnchor?
    /// At most so many samples and deletions together, of one result; nil for all.
    public var limit: Int?

    /// Stops the program when there are no predicates.
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

    /// What has changed since the anchor, once.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a predicate that the types cannot have,
    ///   ``HKError/Code/errorDatabaseInaccessible`` while the device is locked.
    public func result(for healthStore: HKHealthStore) async throws -> Result {
        try await healthStore.answer { answer in
            makeQuery(limit: limit) { answer(Swift.Result(Self.result($1, $2, $3), $4)) }
        }
    }

    /// What is there after the anchor, and then each change. It never ends by itself; the limit does not count here.
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
