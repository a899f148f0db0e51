import Dispatch

// Calls of completion handlers, and waiting for them.

extension HKHealthStore {
    /// Runs `work` on a background queue, on which the app's handlers are called.
    func inBackground(_ work: @escaping @Sendable () -> Void) {
        environment.asCurrent { DispatchQueue.global().asyncInEnvironment(work) }
    }

    /// Runs `body` on a background queue, and calls the handler with its outcome.
    func inBackground(
        _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void,
        _ body: @escaping @Sendable (HKHealthStore) throws -> Void
    ) {
        inBackground { [self] in respond(to: completion) { try body(self) } }
    }

    /// Waits for a call with a completion handler, which a subclass may have overridden.
    func finishing(_ call: (@escaping @Sendable (Bool, (any Error)?) -> Void) -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            call { _, error in continuation.resume(with: error.map(Result.failure) ?? .success(())) }
        }
    }

    func answering<Value: Sendable>(
        _ call: (@escaping @Sendable (Value, (any Error)?) -> Void) -> Void
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
            call { value, error in continuation.resume(with: error.map(Result.failure) ?? .success(value)) }
        }
    }
}

/// Calls a completion handler with the result of `body`, or with `fallback` and the error that it throws.
func respond<Value>(
    to completion: (Value, (any Error)?) -> Void, else fallback: Value, _ body: () throws -> Value
) {
    do {
        completion(try body(), nil)
    } catch {
        completion(fallback, HKError.wrapping(error))
    }
}

/// Calls a completion handler with true, or with false and the error that `body` throws.
func respond(to completion: (Bool, (any Error)?) -> Void, _ body: () throws -> Void) {
    respond(to: completion, else: false) {
        try body()
        return true
    }
}

/// Does the same for a body without `await`.
func respond(
    to completion: @Sendable (Bool, (any Error)?) -> Void, _ body: @Sendable () async throws -> Void
) async {
    let result: Result<Void, any Error>
    do {
        result = .success(try await body())
    } catch {
        result = .failure(error)
    }
    respond(to: completion) { try result.get() }
}
