/// The activity of days.
// Sendable holds: predicates are never changed and only evaluated.
public struct HKActivitySummaryQueryDescriptor: HKAsyncQuery, HKAsyncSequenceQuery, @unchecked Sendable {
    public typealias Output = [HKActivitySummary]
    public typealias Sequence = Results
    public typealias Results = QueryResults<[HKActivitySummary]>

    public var predicate: NSPredicate?

    public init(predicate: NSPredicate?) {
        self.predicate = predicate
    }

    public func result(for healthStore: HKHealthStore) async throws -> [HKActivitySummary] {
        try await healthStore.answer { answer in
            HKActivitySummaryQuery(predicate: predicate) { answer(Result($1, $2)) }
        }
    }

    /// The summaries as they are, and again after each change. It never ends by itself.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(healthStore) { continuation in
            let query = HKActivitySummaryQuery(predicate: predicate) { continuation.give($1, $2) }
            query.updateHandler = { continuation.give($1, $2) }
            return query
        }
    }
}
