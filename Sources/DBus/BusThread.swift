import Glibc
import Synchronization

/// The one thread that touches libdbus: it runs the bus actor's jobs, and sleeps in `poll` for the rest of its life.
///
/// libdbus is used as transport only: no callback of it ever runs, so no lock of it is ever held by code of ours.
/// The thread never ends, since an executor must outlive everything that it isolates; asleep it costs nothing.
final class BusThread: SerialExecutor {
    static let shared = BusThread()

    /// For tasks that prefer this thread: what a continuation resumes belongs nowhere, and goes by way of the threads that all
    /// tasks share otherwise.
    ///
    /// An object of its own: a job that is run on behalf of a task executor leaves its actor for a moment at each `await` unless
    /// its task prefers that executor, and whoever looks and then waits would miss what happens in between.
    final class Tasks: TaskExecutor {
        func enqueue(_ job: consuming ExecutorJob) { BusThread.shared.push(UnownedJob(job), prefersThread: true) }
    }

    static let tasks = Tasks()

    private struct Inbox {
        var jobs: [(job: UnownedJob, prefersThread: Bool)] = []
        /// Whether the thread sleeps, or is about to, so that it has to be woken.
        var asleep = false
        var thread: pthread_t?
    }

    private let inbox = Mutex(Inbox())
    private let wakeReader: Int32
    private let wakeWriter: Int32

    private init() {
        var ends: [Int32] = [-1, -1]
        // Without a pipe (no descriptors left) the thread looks at its inbox twenty times a second; see `sleep`.
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
            var milliseconds: Int32 = 0
            // Isolation is a matter of the thread here, which is this one.
            BusActor.assumeIsolated {
                milliseconds = BusSchedule.shared.turn(&polled)
            }
            sleep(&polled, milliseconds)
        }
    }

    private func sleep(_ polled: inout [pollfd], _ milliseconds: Int32) {
        let hasWork = inbox.withLock { inbox in
            inbox.asleep = inbox.jobs.isEmpty
            return !inbox.asleep
        }
        // Jobs that bring forth jobs do not keep the descriptors from being looked at.
        let longest = wakeReader < 0 && !(0...50).contains(milliseconds) ? 50 : milliseconds
        let limit = hasWork ? 0 : longest
        _ = poll(&polled, nfds_t(polled.count), limit)
        inbox.withLock { $0.asleep = false }
        if polled[0].revents != 0 {
            var bytes: (UInt64, UInt64) = (0, 0)
            while read(wakeReader, &bytes, 16) == 16 {}
        }
        let readable = polled.dropFirst().filter { $0.revents != 0 }.map(\.fd)
        if !readable.isEmpty {
            BusActor.assumeIsolated { BusSchedule.shared.ready(readable) }
        }
    }
}
