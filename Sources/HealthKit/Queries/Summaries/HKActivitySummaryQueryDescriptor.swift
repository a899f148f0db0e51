/// The activity of days.
// Sendable holds: predicates are never changed and only evaluated.
public struct HKActivitySummaryQueryDescriptor: HKAsyncQuery, HKAsyncSequenceQuery, @unchecked Sendable {
    /// Days in their order.
    public typealias Output = [HKActivitySummary]
    /// All days, again after each change.
    public typealias Sequence = Results
    /// What ``results(for:)`` gives: the summaries as they are, and again after each change.
    public typealias Results = QueryResults<[HKActivitySummary]>

    /// Which days; nil for all.
    public var predicate: NSPredicate?

    /// - Parameter predicate: Of days; nil for all.
    public init(predicate: NSPredicate?) {
        self.predicate = predicate
    }

    /// The summaries as they are now, in order of their days.
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
