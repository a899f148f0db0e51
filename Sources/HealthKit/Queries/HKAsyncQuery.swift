import Synchronization

/// A query with one result, which is awaited.
public protocol HKAsyncQuery {
    /// The result of the query.
    associatedtype Output

    /// Executes the query and waits for its result. Cancelling the task stops the query.
    func result(for healthStore: HKHealthStore) async throws -> Output
}

/// A query with a sequence of results.
public protocol HKAsyncSequenceQuery {
    /// The sequence of results.
    associatedtype Sequence: AsyncSequence

    /// Returns a sequence of the query's results. The query begins with the iteration, and stops when the iteration
    /// ends or its task is cancelled.
    func results(for healthStore: HKHealthStore) -> Sequence
}

/// The results of a query as they arrive. Each iteration executes a separate query, which is stopped when the iteration
/// ends or its task is cancelled. No result is dropped: they wait until they are read.
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

    /// Returns one result after another. The query stops when the iterator is deallocated.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncThrowingStream<Element, any Error>.Iterator

        /// Waits for the next result. Returns nil if the query has ended or the task is cancelled.
        /// - Throws: The error of the query. Nothing follows it.
        public mutating func next() async throws -> Element? {
            try await base.next()
        }

        /// Does the same without leaving the caller's actor.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
            try await base.next(isolation: actor)
        }
    }
}

extension AsyncThrowingStream.Continuation where Element: Sendable, Failure == any Error {
    /// Yields an element, or if there is none, ends with the error.
    func give(_ element: Element?, _ error: (any Error)?) {
        switch Result(element, error) {
        case .success(let element): yield(element)
        case .failure(let error): finish(throwing: error)
        }
    }
}

/// A single answer for one waiting task. Only the first one given counts.
private final class QueryAnswer<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, any Error>)
        case given(Result<Value, any Error>)
        case over
    }

    private let state = Mutex(State.open)

    func give(_ result: Result<Value, any Error>) {
        let continuation = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            switch state {
            case .open:
                state = .given(result)
                return nil
            case .awaited(let continuation):
                state = .over
                return continuation
            case .given, .over:
                return nil
            }
        }
        continuation?.resume(with: result)
    }

    func wait(_ continuation: CheckedContinuation<Value, any Error>) {
        let given = state.withLock { state -> Result<Value, any Error>? in
            if case .given(let result) = state {
                state = .over
                return result
            }
            state = .awaited(continuation)
            return nil
        }
        if let given { continuation.resume(with: given) }
    }
}

extension HKHealthStore {
    /// Executes the query that `make` creates, and waits for the first answer. Cancelling the task stops the query.
    func answer<Value: Sendable>(
        of make: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> HKQuery
    ) async throws -> Value {
        let answer = QueryAnswer<Value>()
        let query = make(answer.give)
        return try await withTaskCancellationHandler {
            try Task.checkCancellation()
            execute(query)
            return try await withCheckedThrowingContinuation(answer.wait)
        } onCancel: {
            stop(query)
            answer.give(.failure(CancellationError()))
        }
    }
}

extension Result where Failure == any Error {
    /// Creates a result from the two arguments of a handler.
    init(_ value: Success?, _ error: (any Error)?) {
        if let value {
            self = .success(value)
        } else {
            self = .failure(error ?? HKError.make(.unknownError, "The query gave neither a result nor an error."))
        }
    }
}
