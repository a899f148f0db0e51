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
