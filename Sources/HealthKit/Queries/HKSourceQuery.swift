/// Finds the sources of samples. The handler is called once.
// Sendable holds: every stored property is immutable, and the handler is Sendable.
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

/// A query for the sources of samples.
public struct HKSourceQueryDescriptor<Sample: HKSample>: HKAsyncQuery, Sendable {
    /// The apps and devices, sorted by name.
    public typealias Output = [HKSource]

    /// The samples whose sources are returned.
    public var predicate: HKSamplePredicate<Sample>

    /// - Parameter predicate: The samples whose sources are returned. Only samples that this app may read count.
    public init(predicate: HKSamplePredicate<Sample>) {
        self.predicate = predicate
    }

    /// Returns the sources, sorted by name.
    public func result(for healthStore: HKHealthStore) async throws -> [HKSource] {
        let sources: Set<HKSource> = try await healthStore.answer { answer in
            HKSourceQuery(sampleType: predicate.sampleType, samplePredicate: predicate.nsPredicate) {
                answer(Result($1, $2))
            }
        }
        return sources.sorted { ($0.name, $0.bundleIdentifier) < ($1.name, $1.bundleIdentifier) }
    }
}
