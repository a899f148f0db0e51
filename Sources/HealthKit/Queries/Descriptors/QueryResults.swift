/// The results of a query as they come. Each iteration executes a query of its own, which is stopped when the iteration
/// ends or its task is cancelled. None are dropped: what is not taken yet waits.
public struct QueryResults<Element: Sendable>: AsyncSequence, Sendable {
    typealias Continuation = AsyncThrowingStream<Element, any Error>.Continuation

    private let store: HKHealthStore
    private let makeQuery: @Sendable (Continuation) -> HKQuery

    init(_ store: HKHealthStore, _ makeQuery: @escaping @Sendable (Continuation) -> HKQuery) {
        self.store = store
        self.makeQuery = makeQuery
    }

    /// Executes the query.
    public func makeAsyncIterator() -> Iterator {
        let (stream, continuation) = AsyncThrowingStream<Element, any Error>.makeStream()
        let query = makeQuery(continuation)
        continuation.onTermination = { [store] _ in store.stop(query) }
        store.execute(query)
        return Iterator(base: stream.makeAsyncIterator())
    }

    /// Takes one result after another; the query stops when it is gone.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncThrowingStream<Element, any Error>.Iterator

        /// The next result, waited for; nil when the query is over or the task is cancelled.
        /// - Throws: What the query failed with, and nothing comes after it.
        public mutating func next() async throws -> Element? {
            try await base.next()
        }

        /// The same, without leaving the caller's actor.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
            try await base.next(isolation: actor)
        }
    }
}

extension AsyncThrowingStream.Continuation where Element: Sendable, Failure == any Error {
    /// Gives an element or, when there is none, ends with the error.
    func give(_ element: Element?, _ error: (any Error)?) {
        switch Result(element, error) {
        case .success(let element): yield(element)
        case .failure(let error): finish(throwing: error)
        }
    }
}
