import Engine
import Foundation
import HealthKit
import Synchronization

/// A clock that only the test advances. A task that sleeps wakes when the clock reaches its date.
final class SteppedTime: TimeSource {
    private let state: Mutex<State>

    private struct State {
        /// By the monotonic clock.
        var date: Date
        /// The seconds by which the wall clock was set forward.
        var aheadInSeconds = 0.0
        var sleepers: [UUID: (wake: Date, continuation: CheckedContinuation<Void, any Error>)] = [:]
    }

    init(_ start: Date = Date(timeIntervalSinceReferenceDate: 800_000_000)) {
        state = Mutex(State(date: start))
    }

    func now() -> Date { state.withLock { $0.date + $0.aheadInSeconds } }

    var uptimeInSeconds: Double { state.withLock { $0.date.timeIntervalSinceReferenceDate } }

    func reading() -> (wall: Date, uptimeInSeconds: Double) {
        state.withLock { ($0.date + $0.aheadInSeconds, $0.date.timeIntervalSinceReferenceDate) }
    }

    /// Sets the wall clock, as a user does.
    func set(by seconds: Double) { state.withLock { $0.aheadInSeconds += seconds } }

    func sleep(until wake: Date) async throws {
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Void, any Error>? = state.withLock { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    let wake = wake - state.aheadInSeconds
                    if wake <= state.date { return .success(()) }
                    state.sleepers[id] = (wake, continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    func advance(by seconds: TimeInterval) {
        let woken = state.withLock { state in
            state.date += seconds
            let due = state.sleepers.filter { $0.value.wake <= state.date }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.wake < $1.wake }.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }

    /// Whether a task has now started to sleep for this long.
    func isSlept(for duration: Duration) -> Bool {
        state.withLock { state in
            let wake = state.date + duration / .seconds(1)
            return state.sleepers.values.contains { abs($0.wake.timeIntervalSince(wake)) < 1e-6 }
        }
    }

    /// Advances the clock step by step and lets other tasks run in between, until the condition is true. Advances by
    /// `limit` seconds at most, and then only waits, because tasks may be late on a busy machine.
    /// - Returns: Whether the condition became true.
    func run(atMost limit: TimeInterval = 120, until condition: () async -> Bool) async -> Bool {
        var turned = 0.0
        while await !condition() {
            guard turned < limit else { return await Self.wait(until: condition) }
            await pass(0.25)
            turned += 0.25
        }
        return true
    }

    /// Advances the clock by some seconds, step by step, and lets other tasks run in between.
    func pass(_ seconds: TimeInterval) async {
        for _ in 0..<Int(seconds / 0.25) {
            advance(by: 0.25)
            await Self.giveWay()
        }
    }

    /// Lets other tasks run, including those on other threads.
    private static func giveWay() async {
        let start = ContinuousClock.now
        repeat { await Task.yield() } while start.duration(to: .now) < .milliseconds(3)
    }

    /// Lets other tasks run until the condition is true, without advancing the clock; for at most two minutes.
    @discardableResult
    static func wait(until condition: () async -> Bool) async -> Bool {
        let start = ContinuousClock.now
        while await !condition() {
            guard start.duration(to: .now) < .seconds(120) else { return false }
            await Task.yield()
        }
        return true
    }
}
