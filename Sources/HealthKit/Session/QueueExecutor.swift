import Dispatch
import Synchronization

/// Runs an actor's work on a serial dispatch queue, so that the actor and the callbacks that Apple promises on "a serial
/// background queue" are one and the same place.
final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue
    private let waiting = Atomic<Int>(0)

    init(label: String) {
        queue = DispatchQueue(label: label)
    }

    /// Whether something is to be done after what is being done.
    var hasWork: Bool { waiting.load(ordering: .relaxed) > 0 }

    /// Does `work` after everything that came before.
    func perform(_ work: @escaping @Sendable () -> Void) {
        waiting.add(1, ordering: .relaxed)
        queue.async {
            self.waiting.subtract(1, ordering: .relaxed)
            work()
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        perform { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
