import Engine
import Foundation
import HealthKit
import SessionLog
import Synchronization
import Testing

/// Apps whose callbacks wait for work of the session itself.
@Suite(.timeLimit(.minutes(5))) struct WaitingDelegateTests {
    /// Waits in each of its callbacks, and records the calls.
    private final class WaitingDelegate: NSObject, HKWorkoutSessionDelegate, HKLiveWorkoutBuilderDelegate, Sendable {
        struct Heard {
            var words: [String] = []
            var inside = 0
            var overlaps = 0
            var workout: HKWorkout?
        }

        let heard = Mutex(Heard())
        private let ended = DispatchSemaphore(value: 0)

        /// Whether it was called for the end.
        func hearsTheEnd() async -> Bool {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { [ended] in
                    continuation.resume(returning: ended.wait(timeout: .now() + 120) == .success)
                }
            }
        }

        private func hear(_ word: String, _ body: (DispatchSemaphore) -> Void) {
            heard.withLock { heard in
                heard.inside += 1
                if heard.inside > 1 { heard.overlaps += 1 }
            }
            let done = DispatchSemaphore(value: 0)
            body(done)
            // Without a limit, a failing test would hang.
            let isDone = done.wait(timeout: .now() + 60) == .success
            heard.withLock { heard in
                heard.inside -= 1
                heard.words.append(isDone ? word : word + ", and waits in vain")
            }
        }

        func workoutSession(
            _ session: HKWorkoutSession, didChangeTo to: HKWorkoutSessionState, from: HKWorkoutSessionState, date: Date
        ) {
            let builder = session.associatedWorkoutBuilder()
            switch to {
            case .running:
                hear("running") { done in builder.beginCollection(withStart: date) { _, _ in done.signal() } }
            case .stopped:
                hear("stopped") { done in
                    // The first one's completion handler makes the second call.
                    builder.endCollection(withEnd: date) { _, _ in
                        builder.finishWorkout { workout, _ in
                            self.heard.withLock { $0.workout = workout }
                            done.signal()
                        }
                    }
                }
            case .ended:
                hear("ended") { $0.signal() }
                ended.signal()
            default: break
            }
        }

        func workoutSession(_ session: HKWorkoutSession, didFailWithError error: any Error) {}

        func workoutBuilder(_ builder: HKLiveWorkoutBuilder, didCollectDataOf types: Set<HKSampleType>) {
            hear("collected") { done in
                // The async form, from a task that the callback waits for.
                Task {
                    try? await builder.addMetadata(["data": "collected"])
                    done.signal()
                }
            }
        }

        func workoutBuilderDidCollectEvent(_ builder: HKLiveWorkoutBuilder) {
            hear("event") { done in builder.addMetadata(["event": "collected"]) { _, _ in done.signal() } }
        }
    }

    @Test func `a delegate that waits for a builder's completion gets it, and callbacks stay in order`() async throws {
        let watch = try Watch(MachineFolder().url, to: [])
        let delegate = WaitingDelegate()
        watch.session.delegate = delegate
        watch.builder.delegate = delegate
        watch.session.startActivity(with: Date())
        while delegate.heard.withLock({ $0.words.isEmpty }) { await Task.yield() }
        await watch.measure(120)
        try await watch.builder.addWorkoutEvents([
            HKWorkoutEvent(type: .marker, dateInterval: DateInterval(start: Date(), duration: 0), metadata: nil)
        ])
        watch.session.stopActivity(with: nil)
        watch.session.end()
        #expect(await delegate.hearsTheEnd())
        let heard = delegate.heard.withLock { (words: $0.words, overlaps: $0.overlaps, workout: $0.workout) }
        #expect(heard.words == ["running", "collected", "event", "stopped", "ended"])
        #expect(heard.overlaps == 0)
        #expect(heard.workout?.metadata?["data"] as? String == "collected")
        #expect(heard.workout?.metadata?["event"] as? String == "collected")
        #expect(heard.workout?.statistics(for: HKQuantityType(.heartRate))?.total.count == 1)
    }

    @Test func `cancelling the wait for a companion returns at once, and the mirroring continues`() async throws {
        let folder = MachineFolder()
        // An address at which nothing listens yet.
        let phone = try await Phone(folder.url)
        await phone.stop()
        let watch = try Watch(folder.url, to: [phone.address])
        try await watch.begin()
        let waiting = Task { try await watch.session.startMirroringToCompanionDevice() }
        while watch.session.companionStandings.isEmpty { await Task.yield() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        let cancelled = Task {
            while !Task.isCancelled { await Task.yield() }
            try await watch.session.startMirroringToCompanionDevice()
        }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let later = try await Phone(folder.url, listen: phone.address)
        #expect(await later.nextSession().session.recorder.id == watch.session.recorder.id)
        _ = try await watch.finish()
        await later.stop()
    }
}
