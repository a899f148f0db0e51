import Foundation
import Glibc
import Synchronization

/// Keeps every core awake, until ``end()``, with threads that run only where nobody else wants to.
///
/// A core that sleeps takes its time to wake, in a virtual machine often longer than what is to be measured: with and without
/// this, a latency shows what is the program's and what is the machine's.
final class AwakeCores: Sendable {
    private let isOver = Atomic(false)

    init() {
        for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
            let thread = Thread { [self] in
                var parameters = sched_param()
                // SCHED_IDLE of sched(7), of the calling thread.
                guard sched_setscheduler(0, 5, &parameters) == 0 else { return }
                while !isOver.load(ordering: .relaxed) {}
            }
            thread.start()
        }
    }

    func end() { isOver.store(true, ordering: .relaxed) }
}
