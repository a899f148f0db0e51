/// A query that is awaited.
public protocol HKAsyncQuery {
    /// What the query answers with.
    associatedtype Output

    /// Executes the query and waits for its one answer. Cancelling the task stops the query.
    func result(for healthStore: HKHealthStore) async throws -> Output
}

/// A query whose results are iterated over.
public protocol HKAsyncSequenceQuery {
    /// The sequence that hands out the results.
    associatedtype Sequence: AsyncSequence

    /// A sequence of the query's results. The query begins with the iteration, and stops when that ends or its task is
    /// cancelled.
    func results(for healthStore: HKHealthStore) -> Sequence
}
