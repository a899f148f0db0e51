import Foundation
import Glibc
import Synchronization

/// Keeps all cores awake until ``end()``, with threads that run only if nothing else wants to.
///
/// A sleeping core takes time to wake, in a virtual machine often longer than what is measured. Measuring with and
/// without this separates the program's latency from the machine's.
final class AwakeCores: Sendable {
    private let isOver = Atomic(false)

    init() {
        for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
            let thread = Thread { [self] in
                var parameters = sched_param()
                // SCHED_IDLE of sched(7), for the calling thread.
                guard sched_setscheduler(0, 5, &parameters) == 0 else { return }
                while !isOver.load(ordering: .relaxed) {}
            }
            thread.start()
        }
    }

    func end() { isOver.store(true, ordering: .relaxed) }
}
