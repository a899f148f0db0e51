/// Finds the sources of samples. The handler is called once.
// Sendable holds: every stored property is immutable, the handler Sendable.
open class HKSourceQuery: HKQuery, @unchecked Sendable {
    private let type: HKSampleType
    private let handler: @Sendable (HKSourceQuery, Set<HKSource>?, (any Error)?) -> Void

    /// - Parameter completionHandler: Called once on the query's background queue with the sources of all matching samples that
    ///   this app may read, or with an error.
    @preconcurrency public init(
        sampleType: HKSampleType, samplePredicate objectPredicate: NSPredicate?,
        completionHandler: @escaping @Sendable (HKSourceQuery, Set<HKSource>?, (any Error)?) -> Void
    ) {
        type = sampleType
        handler = completionHandler
        super.init(objectType: sampleType, predicate: objectPredicate)
    }

    package override func makePlan() -> QueryPlan {
        QueryPlan(fail: { self.handler(self, nil, $0) }) { pass in
            let sources = try pass.database.sources(pass.store.selection(self.type, self.predicate))
            pass.deliver { self.handler(self, sources, nil) }
        }
    }
}
