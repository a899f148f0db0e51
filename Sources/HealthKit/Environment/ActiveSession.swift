import Synchronization

/// The only session of a device that may run. A session that begins ends the one before, which receives
/// ``HKError/Code/errorAnotherWorkoutSessionStarted``.
package final class ActiveSession: Sendable {
    private let running = Mutex(Holder())

    private struct Holder {
        weak var session: (any Preemptible)?
    }

    package init() {}

    func begin(_ session: any Preemptible) {
        let previous = running.withLock { holder in
            let previous = holder.session
            holder.session = session
            return previous
        }
        if let previous, previous !== session { previous.yieldLater() }
    }
}

/// A session that ends when another one begins.
protocol Preemptible: AnyObject, Sendable {
    func yieldLater()
}
