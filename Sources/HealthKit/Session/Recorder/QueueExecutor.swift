import Dispatch
import Synchronization

/// Runs an actor's work on a serial dispatch queue, so that the actor and the callbacks that Apple promises on "a serial
/// background queue" are one and the same place.
///
/// An app may wait, in such a callback, for something that this very actor has to do: a delegate that waits for a builder's
/// completion handler. The callback then lends the actor: what apps have asked for is done on a second queue, one after the other
/// and in order, while the first one does nothing but stand in the app's code. What nobody waits for keeps its turn: what came
/// from a sensor or another machine is taken in whole, told, and only then comes what it sent next. What the app is to be told
/// meanwhile it is told when its callback has returned, so callbacks never overlap.
final class QueueExecutor: SerialExecutor {
    /// How long a callback may take before somebody who waits for an answer is served beside it. A callback that waits for
    /// nothing is over by then, and everything stays on one queue.
    private static let patience = DispatchTimeInterval.milliseconds(20)
    private static let key = DispatchSpecificKey<ObjectIdentifier>()

    private let queue: DispatchQueue
    private let beside: DispatchQueue
    /// From where the session was made, to all that is done here: the app's delegates too.
    private let passage = EnvironmentPropagation()
    private let line = Mutex(Line())

    private struct Line {
        struct Work {
            /// Nil for what was done.
            var body: (@Sendable () -> Void)?
            let isAwaited: Bool
        }

        /// What is to be done, in order.
        var work: [Work] = []
        /// How many of them, from the first one on, are done.
        var done = 0
        /// How many of them are not.
        var count = 0
        /// Counts callbacks, so that whoever was to serve beside one does not serve beside another.
        var callback = 0
        /// A callback is under way.
        var isTelling = false
        /// Nothing else happens on the queue, and the callback has not returned.
        var isLent = false
        /// Something was done beside the callback.
        var wasUsed = false
        /// What the app is to be told next.
        var untold: [@Sendable () -> Void] = []

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

        // Taken out: whom it holds last goes with it, and may ask for something here, as a session does. Not behind the lock.
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

    init(label: String) {
        queue = DispatchQueue(label: label)
        beside = DispatchQueue(label: label + ".beside")
        for queue in [queue, beside] { queue.setSpecific(key: Self.key, value: ObjectIdentifier(self)) }
    }

    /// Whether something is to be done after what is being done.
    var hasWork: Bool { line.withLock { $0.count > 0 } }

    /// Does `work` after everything that came before.
    ///
    /// - Parameter isAwaited: an app may wait for it in a callback, which is then no reason for it to wait.
    func perform(isAwaited: Bool = false, _ work: @escaping @Sendable () -> Void) {
        let lent = line.withLock { line in
            line.append(Line.Work(body: work, isAwaited: isAwaited))
            return isAwaited && line.isLent ? line.callback : nil
        }
        queue.async { self.passage { self.line.withLock { $0.next() }?() } }
        if let lent { beside.asyncAfter(deadline: .now() + Self.patience) { self.serve(beside: lent) } }
    }

    /// Calls the app, on the queue; at once, or when the callback that is under way has returned.
    func notify(_ callback: @escaping @Sendable () -> Void) {
        let isFirst = line.withLock { line in
            guard !line.isTelling else {
                line.untold.append(callback)
                return false
            }
            line.isTelling = true
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
            // What is being done beside is done to its end.
            if wasUsed { beside.sync {} }
            next = line.withLock { line -> (@Sendable () -> Void)? in
                guard !line.untold.isEmpty else {
                    line.isTelling = false
                    return nil
                }
                line.lend()
                return line.untold.removeFirst()
            }
        }
    }

    private func serve(beside callback: Int) {
        while let work = line.withLock({ $0.nextBeside(callback) }) { passage(work) }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        perform { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// For tasks that prefer the queue: what resumes them needs no other thread to bring them here. An object of its own, since
    /// only jobs of such tasks may be run on behalf of it: any other would leave the actor for a moment at each `await`.
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

    func checkIsolated() {
        precondition(
            DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self), "This is not the session's queue.")
    }
}
