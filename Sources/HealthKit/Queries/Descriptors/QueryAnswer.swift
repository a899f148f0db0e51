import Synchronization

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
