import Synchronization

/// The one session of a device that may run: whoever begins ends the one before, which hears of it as
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
