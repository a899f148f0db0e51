import Synchronization

/// The only session of a device that may run. A session that begins to run ends the one before, whose observer receives
/// ``SessionError/Kind/anotherSessionStarted``.
package final class ActiveSession: Sendable {
    private let running = Mutex(Holder())

    private struct Holder {
        weak var session: WorkoutRecorder?
    }

    package init() {}

    func begin(_ session: WorkoutRecorder) {
        let previous = running.withLock { holder in
            let previous = holder.session
            holder.session = session
            return previous
        }
        if let previous, previous !== session { previous.enqueue { $0.yieldToAnother() } }
    }
}
