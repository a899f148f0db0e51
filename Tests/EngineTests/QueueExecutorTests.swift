import Dispatch
import Synchronization
import Testing

@testable import Engine

@Suite struct QueueExecutorTests {
    /// Enqueues work in its deinit, as a session does.
    private final class Guest: Sendable {
        private let executor: QueueExecutor

        init(_ executor: QueueExecutor) { self.executor = executor }

        deinit { executor.perform {} }
    }

    @Test func `an object retained only by work is released afterwards, and may request more`() async {
        let executor = QueueExecutor(label: "test", nil)
        // Finished work is removed when there is a lot of it.
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

    /// The events in order.
    private final class Story: Sendable {
        private let lines = Mutex<[String]>([])

        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var told: [String] { lines.withLock { $0 } }
    }

    @Test func `requests are served while a callback waits, and other work keeps its order`() async {
        let executor = QueueExecutor(label: "test", nil)
        let story = Story()
        await withCheckedContinuation { continuation in
            executor.perform {
                story.add("first begins")
                executor.notify {
                    // Came after the entries that are being read: another machine's next entries.
                    executor.perform {
                        story.add("second")
                        executor.notify {
                            story.add("told of the second")
                            continuation.resume()
                        }
                    }
                    let answered = DispatchSemaphore(value: 0)
                    executor.perform(isAwaited: true) {
                        story.add("asked for")
                        answered.signal()
                    }
                    answered.wait()
                    story.add("answered")
                }
                story.add("first ends")
                executor.notify { story.add("told of the first") }
            }
        }
        #expect(
            story.told == [
                "first begins", "asked for", "answered", "first ends", "told of the first", "second",
                "told of the second",
            ])
    }
}
