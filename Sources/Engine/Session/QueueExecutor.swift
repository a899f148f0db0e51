import Dispatch
import Synchronization

/// Runs work with the values of the task that created a session, such as the world of a test.
package typealias TaskContext = @Sendable (_ work: () -> Void) -> Void

/// Runs an actor's work on a serial dispatch queue, so that the actor and the callbacks that Apple promises on "a
/// serial background queue" share one queue.
///
/// In such a callback, an app may wait for work of this very actor: a delegate that waits for a builder's completion
/// handler. The callback then lends the actor: requests of apps run on a second queue, one after the other and in
/// order, while the first queue is blocked in the app's code. Other work stays in order: data of a sensor or another
/// machine is processed completely, with its notifications, before the next data. Notifications of the app meanwhile
/// are delayed until its callback has returned, so callbacks never overlap.
package final class QueueExecutor: SerialExecutor {
    /// How long a callback may take before requests are served in parallel. A callback that does not wait has ended by
    /// then, and everything stays on one queue.
    private static let patience = DispatchTimeInterval.milliseconds(20)
    private static let key = DispatchSpecificKey<ObjectIdentifier>()

    private let queue: DispatchQueue
    private let beside: DispatchQueue
    /// Runs all work here, including the app's delegates. Nil if it needs no context.
    private let context: TaskContext?
    private let line = Mutex(Line())

    private struct Line {
        struct Work {
            /// The work. Nil once it was done.
            var body: (@Sendable () -> Void)?
            let isAwaited: Bool
        }

        /// The work, in order.
        var work: [Work] = []
        /// The number of first elements that are done.
        var done = 0
        /// The number of elements that are not done.
        var count = 0
        /// Counts callbacks, so that a timer for one callback does not affect another.
        var callback = 0
        /// Whether a callback is running.
        var isCalling = false
        /// Whether the actor is lent: the callback has not returned, and nothing else runs on the queue.
        var isLent = false
        /// Whether work was done in parallel with the callback.
        var wasUsed = false
        /// The next notifications of the app.
        var pending: [@Sendable () -> Void] = []

        mutating func append(_ work: Work) {
            self.work.append(work)
            count += 1
        }

        mutating func next() -> (@Sendable () -> Void)? {
            while done < work.count, work[done].body == nil { done += 1 }
            if done > 64, done * 2 > work.count {
                work.removeFirst(done)
                done = 0
            }
            guard done < work.count else { return nil }
            defer { done += 1 }
            return take(done)
        }

        // Removed from the list, because its last references are released with it, which may call this object, as a
        // session does. Not inside the lock.
        private mutating func take(_ index: Int) -> (@Sendable () -> Void)? {
            count -= 1
            return work[index].body.take()
        }

        mutating func lend() {
            callback += 1
            isLent = true
            wasUsed = false
        }

        mutating func nextBeside(_ callback: Int) -> (@Sendable () -> Void)? {
            guard isLent, self.callback == callback,
                let index = work[done...].firstIndex(where: { $0.isAwaited && $0.body != nil })
            else { return nil }
            wasUsed = true
            return take(index)
        }
    }

    package init(label: String, _ context: TaskContext?) {
        self.context = context
        queue = DispatchQueue(label: label)
        beside = DispatchQueue(label: label + ".beside")
        for queue in [queue, beside] { queue.setSpecific(key: Self.key, value: ObjectIdentifier(self)) }
    }

    /// Whether more work waits.
    package var hasWork: Bool { line.withLock { $0.count > 0 } }

    /// Runs `work` after all earlier work.
    ///
    /// - Parameter isAwaited: Whether an app may wait for it in a callback, so that it must not wait for the callback.
    package func perform(isAwaited: Bool = false, _ work: @escaping @Sendable () -> Void) {
        let lent = line.withLock { line in
            line.append(Line.Work(body: work, isAwaited: isAwaited))
            return isAwaited && line.isLent ? line.callback : nil
        }
        queue.async { self.run { self.line.withLock { $0.next() }?() } }
        if let lent { beside.asyncAfter(deadline: .now() + Self.patience) { self.serve(beside: lent) } }
    }

    /// Calls the app on the queue, at once or when the running callback has returned.
    package func notify(_ callback: @escaping @Sendable () -> Void) {
        let isFirst = line.withLock { line in
            guard !line.isCalling else {
                line.pending.append(callback)
                return false
            }
            line.isCalling = true
            line.lend()
            return true
        }
        guard isFirst else { return }
        var next: (@Sendable () -> Void)? = callback
        while let callback = next {
            callback()
            let wasUsed = line.withLock { line in
                line.isLent = false
                return line.wasUsed
            }
            // Work in parallel is completed first.
            if wasUsed { beside.sync {} }
            next = line.withLock { line -> (@Sendable () -> Void)? in
                guard !line.pending.isEmpty else {
                    line.isCalling = false
                    return nil
                }
                line.lend()
                return line.pending.removeFirst()
            }
        }
    }

    private func serve(beside callback: Int) {
        while let work = line.withLock({ $0.nextBeside(callback) }) { run(work) }
    }

    private func run(_ work: () -> Void) {
        if let context { context(work) } else { work() }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        perform { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// The executor for tasks that prefer the queue: they are resumed on it without another thread. It is a separate
    /// object, because only jobs of such tasks may run on its behalf. Any other job would leave the actor for a moment
    /// at each `await`.
    final class Tasks: TaskExecutor {
        private let executor: QueueExecutor

        init(_ executor: QueueExecutor) { self.executor = executor }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            executor.perform {
                job.runSynchronously(
                    isolatedTo: self.executor.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
            }
        }
    }

    package func checkIsolated() {
        precondition(
            DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self), "This is not the session's queue.")
    }
}
