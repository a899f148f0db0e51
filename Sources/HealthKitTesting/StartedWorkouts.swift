import Engine
import HealthKit
import SessionLog
import Synchronization

/// The workouts that an app began in a world, and which of them it finished.
final class StartedWorkouts: Sendable {
    private let state = Mutex(State())

    private struct State {
        var recorders: [WorkoutRecorder] = []
        /// In the order in which they came.
        var outcomes: [(id: UUID, isDiscarded: Bool)] = []
        /// The number of awaited ones.
        var seen = 0
        var waiting: [UUID: CheckedContinuation<Outcome?, Never>] = [:]
    }

    enum Outcome: Sendable {
        case finished(UUID)
        case discarded(UUID)
    }

    /// In the order in which they were begun.
    var all: [WorkoutRecorder] { state.withLock { $0.recorders } }

    func add(_ recorder: WorkoutRecorder) {
        state.withLock { $0.recorders.append(recorder) }
        let sink = Sink(id: recorder.id, workouts: self)
        recorder.enqueue { $0.add(sink) }
    }

    /// The next workout that the app finishes or discards, from the first on. Nil if there is none within the limit.
    func next(within limit: Duration) async -> Outcome? {
        let id = UUID()
        let alarm = Task {
            try await Task.sleep(for: limit)
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(returning: nil)
        }
        defer { alarm.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isNow, outcome) = state.withLock { state -> (Bool, Outcome?) in
                    if let next = Self.takeNext(&state) { return (true, next) }
                    if Task.isCancelled { return (true, nil) }
                    state.waiting[id] = continuation
                    return (false, nil)
                }
                if isNow { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(returning: nil)
        }
    }

    private static func takeNext(_ state: inout State) -> Outcome? {
        guard state.seen < state.outcomes.count else { return nil }
        defer { state.seen += 1 }
        let (id, isDiscarded) = state.outcomes[state.seen]
        return isDiscarded ? .discarded(id) : .finished(id)
    }

    fileprivate func ended(_ id: UUID, isDiscarded: Bool) {
        let next = state.withLock { state -> (CheckedContinuation<Outcome?, Never>, Outcome?)? in
            state.outcomes.append((id, isDiscarded))
            guard let first = state.waiting.keys.first, let waiting = state.waiting.removeValue(forKey: first)
            else { return nil }
            return (waiting, Self.takeNext(&state))
        }
        if let (waiting, outcome) = next { waiting.resume(returning: outcome) }
    }

    func end() {
        let waiting = state.withLock { state in
            state.recorders = []
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume(returning: nil) }
    }

    /// Reads a workout's log for its end.
    private struct Sink: SessionLogSink {
        let id: UUID
        let workouts: StartedWorkouts

        func append(_ entry: SessionEntry) {
            switch entry.content {
            case .collection(.finished): workouts.ended(id, isDiscarded: false)
            case .collection(.discarded): workouts.ended(id, isDiscarded: true)
            default: return
            }
        }
    }
}
