import Synchronization

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

/// One answer, given once by whoever comes first, to one who waits for it.
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
    /// Executes the query that `make` makes and waits for the first answer that it is given; cancelling the task stops the
    /// query.
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
    /// From the two arguments of a handler.
    init(_ value: Success?, _ error: (any Error)?) {
        if let value {
            self = .success(value)
        } else {
            self = .failure(error ?? HKError.make(.unknownError, "The query gave neither a result nor an error."))
        }
    }
}
