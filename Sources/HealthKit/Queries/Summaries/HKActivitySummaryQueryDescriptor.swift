/// A query of the activity of days.
// Sendable holds: predicates are never changed and only evaluated.
public struct HKActivitySummaryQueryDescriptor: HKAsyncQuery, HKAsyncSequenceQuery, @unchecked Sendable {
    /// Days in their order.
    public typealias Output = [HKActivitySummary]
    /// All days, again after each change.
    public typealias Sequence = Results
    /// The results of ``results(for:)``: the current summaries, then all summaries after each change.
    public typealias Results = QueryResults<[HKActivitySummary]>

    /// The condition for days; nil for all.
    public var predicate: NSPredicate?

    /// - Parameter predicate: The condition for days; nil for all.
    public init(predicate: NSPredicate?) {
        self.predicate = predicate
    }

    /// The current summaries, sorted by day.
    public func result(for healthStore: HKHealthStore) async throws -> [HKActivitySummary] {
        try await healthStore.answer { answer in
            HKActivitySummaryQuery(predicate: predicate) { answer(Result($1, $2)) }
        }
    }

    /// The current summaries, then all summaries after each change. The sequence doesn't end by itself.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(healthStore) { continuation in
            let query = HKActivitySummaryQuery(predicate: predicate) { continuation.give($1, $2) }
            query.updateHandler = { continuation.give($1, $2) }
            return query
        }
    }
}
