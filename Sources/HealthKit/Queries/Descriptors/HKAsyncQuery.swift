/// A query that is awaited.
public protocol HKAsyncQuery {
    associatedtype Output

    func result(for healthStore: HKHealthStore) async throws -> Output
}

/// A query whose results are iterated over.
public protocol HKAsyncSequenceQuery {
    associatedtype Sequence: AsyncSequence

    func results(for healthStore: HKHealthStore) -> Sequence
}
