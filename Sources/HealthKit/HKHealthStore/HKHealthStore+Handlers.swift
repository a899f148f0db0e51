import Dispatch

// How completion handlers are called, and waited for.

extension HKHealthStore {
    /// Does `work` on a background queue, where the app's handlers are called.
    func inBackground(_ work: @escaping @Sendable () -> Void) {
        environment.asCurrent { DispatchQueue.global().asyncInEnvironment(work) }
    }

    /// Does `body` on a background queue, and tells the handler how it went.
    func inBackground(
        _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void,
        _ body: @escaping @Sendable (HKHealthStore) throws -> Void
    ) {
        inBackground { [self] in
            do {
                try body(self)
                completion(true, nil)
            } catch {
                completion(false, HKError.wrapping(error))
            }
        }
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
