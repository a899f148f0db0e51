import Testing

@testable import HealthKit

@Suite struct QueueExecutorTests {
    /// Asks for something when it goes, as a session does.
    private final class Guest: Sendable {
        private let executor: QueueExecutor

        init(_ executor: QueueExecutor) { self.executor = executor }

        deinit { executor.perform {} }
    }

    @Test func `whoever is held by work alone goes when that is done, and may ask for more`() async {
        let executor = QueueExecutor(label: "test")
        // Work that is done is cleared away once there is much of it.
        for _ in 0..<500 {
            let guest = Guest(executor)
            executor.perform { withExtendedLifetime(guest) {} }
        }
        await withCheckedContinuation { continuation in executor.perform { continuation.resume() } }
        weak var left: Guest?
        await withCheckedContinuation { continuation in
            let guest = Guest(executor)
            left = guest
            executor.perform { withExtendedLifetime(guest) {} }
            executor.perform { continuation.resume() }
        }
        #expect(left == nil)
    }
}
