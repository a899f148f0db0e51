import Synchronization

/// What was added to the store and deleted from it since an anchor, in that order, and on from there while there is an
/// update handler.
///
/// As on Apple's systems one can be made through a metatype, and a subclass overrides the initialisers with `override`: what
/// a metatype calls are the two `required` ones, which make their object with those that a subclass overrides. A subclass
/// that adds an initialiser of its own overrides both, as Swift asks for once there is a `required` one.
// Sendable holds: what changes before the execution is in a mutex, the rest never does.
open class HKAnchoredObjectQuery: HKQuery, @unchecked Sendable {
    /// Called on the query's own background queue with what was added, what was deleted and the anchor to go on from;
    /// or with an error and without any of them, and then the query is over.
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
    ///   - anchor: Nil begins at the beginning: all that matches now, and the deletions that are still remembered.
    ///   - limit: At most so many samples and deletions together; go on with the anchor that comes with them.
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

    /// Stops the program when there are no descriptors.
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

    /// The older form: anchors are whole numbers, and deletions are not told.
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

    /// Called with each later change, until the query is stopped; without it the query ends with its first results. Stops
    /// the program when it is set after the execution, or for a query with a limit.
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
