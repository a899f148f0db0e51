/// Tasks that wait for conditions, each with its own deadline.
///
/// Code that changes the state calls ``recheck()``. A wait ends when its condition holds, at its deadline, when its task is
/// cancelled, or with ``fail(_:)``.
@BusActor
package final class BusWaiters {
    private struct Waiter {
        /// If the condition holds, resumes the task and returns true.
        var attempt: () -> Bool
        var fail: (DBusCallError) -> Void
        var deadline: Int
    }

    private var waiters: [Int: Waiter] = [:]
    private var next = 0

    package init() {}

    package var count: Int { waiters.count }

    /// Checks all conditions, in the order of the waiters.
    package func recheck() {
        guard !waiters.isEmpty else { return }
        for key in waiters.keys.sorted() {
            guard let waiter = waiters[key], waiter.attempt() else { continue }
            waiters[key] = nil
            BusSchedule.shared.cancel(waiter.deadline)
        }
    }

    package func fail(_ error: DBusCallError) {
        for key in waiters.keys.sorted() { fail(key, error) }
    }

    /// Returns the value of `condition` as soon as it is not nil, possibly at once.
    package func wait<Value: Sendable>(
        atMost limit: Duration, until condition: @escaping @BusActor () -> Value?
    ) async throws(DBusCallError) -> Value {
        if let value = condition() { return value }
        next += 1
        let key = next
        let result: Result<Value, DBusCallError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // The cancellation handler may already have run.
                guard !Task.isCancelled else { return continuation.resume(returning: .failure(.cancelled)) }
                let deadline = BusSchedule.shared.after(limit) { [weak self] in self?.fail(key, .timedOut) }
                waiters[key] = Waiter(
                    attempt: {
                        guard let value = condition() else { return false }
                        continuation.resume(returning: .success(value))
                        return true
                    },
                    fail: { continuation.resume(returning: .failure($0)) },
                    deadline: deadline)
            }
        } onCancel: {
            Task { @BusActor in self.fail(key, .cancelled) }
        }
        return try result.get()
    }

    /// Waits. Returns early if the task is cancelled.
    package static func pause(_ duration: Duration) async {
        let waiters = BusWaiters()
        _ = try? await waiters.wait(atMost: duration) { nil as Bool? }
    }

    private func fail(_ key: Int, _ error: DBusCallError) {
        guard let waiter = waiters.removeValue(forKey: key) else { return }
        BusSchedule.shared.cancel(waiter.deadline)
        waiter.fail(error)
    }
}
