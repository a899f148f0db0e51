import Glibc
import Synchronization

/// The only thread that uses libdbus. It runs the bus actor's jobs, and otherwise sleeps in `poll`.
///
/// libdbus is only a transport: none of its callbacks is used, so our code never runs while it holds a lock. The thread never ends,
/// because an executor must outlive everything that it isolates.
final class BusThread: SerialExecutor {
    static let shared = BusThread()

    /// An executor for tasks that prefer this thread. Without the preference, a resumed continuation runs on a thread of the global pool.
    ///
    /// It is a separate object: a job of a task executor leaves its actor for a moment at each `await` unless its task prefers that
    /// executor, and code that checks and then waits would miss events in between.
    final class Tasks: TaskExecutor {
        func enqueue(_ job: consuming ExecutorJob) { BusThread.shared.push(UnownedJob(job), prefersThread: true) }
    }

    static let tasks = Tasks()

    private struct Inbox {
        var jobs: [(job: UnownedJob, prefersThread: Bool)] = []
        /// Whether the thread sleeps or is about to, and has to be woken.
        var asleep = false
        var thread: pthread_t?
    }

    private let inbox = Mutex(Inbox())
    private let wakeReader: Int32
    private let wakeWriter: Int32

    private init() {
        var ends: [Int32] = [-1, -1]
        // Without a pipe (no descriptors left), the thread checks its inbox twenty times a second; see `sleep`.
        if pipe(&ends) == 0 {
            for end in ends {
                _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            }
        } else {
            ends = [-1, -1]
        }
        wakeReader = ends[0]
        wakeWriter = ends[1]
        var thread = pthread_t()
        let started = pthread_create(&thread, nil, { _ in BusThread.shared.run() }, nil)
        precondition(started == 0, "cannot start the thread for D-Bus: pthread_create answered \(started)")
        pthread_detach(thread)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        push(UnownedJob(job), prefersThread: false)
    }

    private func push(_ job: UnownedJob, prefersThread: Bool) {
        let wakes = inbox.withLock { inbox in
            inbox.jobs.append((job, prefersThread))
            defer { inbox.asleep = false }
            return inbox.asleep
        }
        if wakes {
            var byte: UInt8 = 0
            _ = write(wakeWriter, &byte, 1)
        }
    }

    func checkIsolated() {
        precondition(isCurrent, "not on the thread for D-Bus")
    }

    func isIsolatingCurrentContext() -> Bool? { isCurrent }

    private var isCurrent: Bool {
        inbox.withLock { inbox in inbox.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }

    private func run() -> Never {
        inbox.withLock { $0.thread = pthread_self() }
        var jobs: [(job: UnownedJob, prefersThread: Bool)] = []
        var polled: [pollfd] = []
        while true {
            inbox.withLock { swap(&$0.jobs, &jobs) }
            for (job, prefersThread) in jobs {
                if prefersThread {
                    job.runSynchronously(
                        isolatedTo: asUnownedSerialExecutor(), taskExecutor: Self.tasks.asUnownedTaskExecutor())
                } else {
                    job.runSynchronously(on: asUnownedSerialExecutor())
                }
            }
            jobs.removeAll(keepingCapacity: true)
            polled.removeAll(keepingCapacity: true)
            polled.append(pollfd(fd: wakeReader, events: Int16(POLLIN), revents: 0))
            // This is the actor's thread.
            let milliseconds = BusActor.assumeIsolated(with: &polled) { BusSchedule.shared.turn(&$0) }
            sleep(&polled, milliseconds)
        }
    }

    private func sleep(_ polled: inout [pollfd], _ milliseconds: Int32) {
        let hasWork = inbox.withLock { inbox in
            inbox.asleep = inbox.jobs.isEmpty
            return !inbox.asleep
        }
        // Poll the descriptors even if jobs enqueue more jobs.
        let longest = wakeReader < 0 && !(0...50).contains(milliseconds) ? 50 : milliseconds
        let limit = hasWork ? 0 : longest
        _ = poll(&polled, nfds_t(polled.count), limit)
        inbox.withLock { $0.asleep = false }
        if polled[0].revents != 0 {
            var bytes: (UInt64, UInt64) = (0, 0)
            while read(wakeReader, &bytes, 16) == 16 {}
        }
        var readable = polled.dropFirst().filter { $0.revents != 0 }.map(\.fd)
        if !readable.isEmpty {
            BusActor.assumeIsolated(with: &readable) { BusSchedule.shared.ready($0) }
        }
    }
}
