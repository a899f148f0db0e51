import Engine
import HealthKit
import Synchronization

/// A clock that only the test advances. Sleeping tasks wake at their dates.
final class ScriptedTime: TimeSource {
    private let state: Mutex<State>

    private struct Sleeper {
        var wake: Date
        var isPacedReading: Bool
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var date: Date
        /// The machine's time whenever this clock was advanced, in order. At least one.
        var turns: [(machine: Date, date: Date)]
        var sleepers: [UUID: Sleeper] = [:]
        var isOver = false
    }

    /// - Parameter start: Nil: from now.
    init(from start: Date?) {
        let machine = Date()
        state = Mutex(State(date: start ?? machine, turns: [(machine, start ?? machine)]))
    }

    func now() -> Date { state.withLock { $0.date } }

    /// What app code reads from `Date()`.
    func wall() -> Date { now() }

    var isApart: Bool { true }

    /// A date before the world began, or in the machine's future, does not come from its clock. A date that this
    /// clock has shown belongs to this clock, whatever the machine's time is now.
    func date(atWall wall: Date) -> Date {
        let machine = Date()
        return state.withLock { state in
            guard wall >= state.turns[0].machine, wall <= machine, !state.turns.contains(where: { $0.date == wall })
            else { return wall }
            return state.turns.last { $0.machine <= wall }?.date ?? wall
        }
    }

    /// The clock advances to the date, unless it is later already, or began at another date than the machine's.
    func begin(atWall wall: Date) {
        let machine = Date()
        let due = state.withLock { state -> [Sleeper] in
            guard state.turns[0].date == state.turns[0].machine, wall > state.date, wall >= state.turns[0].machine,
                wall <= machine
            else { return [] }
            state.date = wall
            // A moment before the test's last turn, so that the date itself is still read as stated.
            let later = state.turns.drop { $0.machine <= wall }.map { (machine: $0.machine, date: max($0.date, wall)) }
            state.turns = state.turns.filter { $0.machine <= wall } + [(wall, wall)] + later
            let due = state.sleepers.filter { $0.value.wake <= wall }
            for id in due.keys { state.sleepers[id] = nil }
            return Array(due.values)
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    func sleep(until wake: Date) async throws {
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Void, any Error>? = state.withLock { state in
                    if Task.isCancelled || state.isOver { return .failure(CancellationError()) }
                    if wake <= state.date { return .success(()) }
                    state.sleepers[id] = Sleeper(
                        wake: wake, isPacedReading: PacedReading.isCurrent, continuation: continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    // MARK: The test

    func set(to date: Date) {
        let machine = Date()
        state.withLock { state in
            guard date > state.date else { return }
            state.date = date
            state.turns.append((machine, date))
        }
    }

    /// Advances to the next date that a task waits for, and wakes it.
    /// - Returns: The number of tasks that slept before. Nil if none waits for a date until `end`.
    func wakeNext(until end: Date) -> Int? {
        let machine = Date()
        let (count, due) = state.withLock { state -> (Int, [Sleeper]) in
            guard let next = state.sleepers.values.map(\.wake).min(), next <= end else { return (0, []) }
            let count = state.sleepers.count
            if next > state.date {
                state.date = next
                state.turns.append((machine, next))
            }
            let due = state.sleepers.filter { $0.value.wake <= next }
            for id in due.keys { state.sleepers[id] = nil }
            return (count, Array(due.values))
        }
        for sleeper in due { sleeper.continuation.resume() }
        return due.isEmpty ? nil : count
    }

    /// How many recordings and simulations wait for their next entry to be due.
    var sleepingReadings: Int { state.withLock { $0.sleepers.values.count(where: \.isPacedReading) } }

    /// A woken task usually sleeps again, such as a replay until its next reading. A task that does not is given a
    /// moment.
    func waitForSleepers(_ count: Int) async {
        let start = ContinuousClock.now
        while state.withLock({ $0.sleepers.count }) < count, start.duration(to: .now) < .milliseconds(20) {
            await Task.yield()
        }
    }

    /// No task sleeps any longer.
    func end() {
        let sleepers = state.withLock { state in
            state.isOver = true
            defer { state.sleepers = [:] }
            return state.sleepers.values.map(\.continuation)
        }
        for sleeper in sleepers { sleeper.resume(throwing: CancellationError()) }
    }
}
