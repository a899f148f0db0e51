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
