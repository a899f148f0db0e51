import Synchronization

/// The one session of a device that may run: whoever begins ends the one before, which hears of it as
/// ``HKError/Code/errorAnotherWorkoutSessionStarted``.
package final class ActiveSession: Sendable {
    private let running = Mutex(Holder())

    private struct Holder {
        weak var recorder: WorkoutRecorder?
    }

    package init() {}

    func begin(_ recorder: WorkoutRecorder) {
        let previous = running.withLock { holder in
            let previous = holder.recorder
            holder.recorder = recorder
            return previous
        }
        guard let previous, previous !== recorder else { return }
        previous.enqueue { $0.yieldToAnother() }
    }
}
