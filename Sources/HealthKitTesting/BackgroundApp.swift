import HealthKit
import Synchronization

/// An app in the foreground or background. It holds back notifications of its queries, and counts the answers of its
/// observers and HealthKit's unfinished work.
final class BackgroundApp: DeliveryGate {
    private let state: Mutex<State>

    private struct State {
        var isAsleep: Bool
        var queries: [Held] = []
        var calls: [Call] = []
        /// Work that has begun.
        var begun = 0
        var done = 0
    }

    private struct Held {
        var query: WatchingQuery
        /// The changes that it would have been notified of.
        var changed: Set<HKSampleType> = []
        /// It is an observer that was executed while the app slept, and was not called yet.
        var isHeldBack: Bool
    }

    /// One call of an observer.
    struct Call: Sendable {
        var observer: String
        var types: Set<HKSampleType>
        var isAnswered = false
        /// The completion handler was released.
        var isForgotten = false
    }

    init(isAsleep: Bool) { state = Mutex(State(isAsleep: isAsleep)) }

    /// An app that wakes gets the notifications held back. An observer that was never called is called for the first
    /// time.
    var isAsleep: Bool {
        get { state.withLock { $0.isAsleep } }
        set {
            let due = state.withLock { state -> [Held] in
                state.isAsleep = newValue
                guard !newValue else { return [] }
                defer {
                    for index in state.queries.indices {
                        state.queries[index].changed = []
                        state.queries[index].isHeldBack = false
                    }
                }
                return state.queries.filter { $0.isHeldBack || !$0.changed.isEmpty }
            }
            for held in due {
                // The first call is about all types.
                if held.isHeldBack { held.query.begin() } else { held.query.notice(held.changed) }
            }
        }
    }

    // MARK: HealthKit

    func admit(_ query: WatchingQuery) -> Admission {
        let (index, isHeldBack) = state.withLock { state in
            let isHeldBack = state.isAsleep && query.isObserver
            state.queries.append(Held(query: query, isHeldBack: isHeldBack))
            return (state.queries.count - 1, isHeldBack)
        }
        return Admission(isHeldBack: isHeldBack) { [self] changed in
            let isHeld = state.withLock { state in
                guard state.isAsleep else { return false }
                state.queries[index].changed.formUnion(changed.intersection(query.types))
                return true
            }
            if !isHeld { query.notice(changed) }
        }
    }

    /// The app is killed: its queries are over.
    func endQueries() { for query in state.withLock({ $0.queries.map(\.query) }) { query.end() } }

    func called(_ name: String, of types: Set<HKSampleType>) -> @Sendable () -> Void {
        let index = state.withLock { state in
            state.calls.append(Call(observer: name, types: types))
            return state.calls.count - 1
        }
        let answer = Answer { [weak self] in self?.state.withLock { $0.calls[index].isForgotten = true } }
        return { [weak self] in
            self?.state.withLock { $0.calls[index].isAnswered = true }
            answer.keep()
        }
    }

    /// Is released together with the app's last reference to a completion handler.
    private final class Answer: Sendable {
        private let forgotten: @Sendable () -> Void

        init(_ forgotten: @escaping @Sendable () -> Void) { self.forgotten = forgotten }

        func keep() {}

        deinit { forgotten() }
    }

    func working() -> @Sendable () -> Void {
        state.withLock { $0.begun += 1 }
        return { [weak self] in self?.state.withLock { $0.done += 1 } }
    }

    // MARK: Rest

    /// How much has begun so far: pieces of work, queries and calls of observers.
    var beginnings: Int { state.withLock { $0.begun + $0.queries.count + $0.calls.count } }

    /// How long to wait for work in real time, because a handler may wait for the test's next step.
    private static let patience = Duration.seconds(2)

    /// Returns when nothing is under way.
    func finishWork() async {
        let start = ContinuousClock.now
        while state.withLock({ $0.done < $0.begun }), start.duration(to: .now) < Self.patience {
            try? await Task.sleep(for: .milliseconds(1))
            if Task.isCancelled { return }
        }
    }

    /// Returns when each query has handled the changes that it was notified of before.
    func finishQueries() async {
        for query in state.withLock({ $0.queries.map(\.query) }) where query.isActive() {
            await withCheckedContinuation { done in query.afterwards { done.resume() } }
        }
    }

    // MARK: A delivery

    /// How many calls there were.
    var callCount: Int { state.withLock { $0.calls.count } }

    /// Those from the one of this number on.
    func calls(from first: Int) -> [Call] { state.withLock { Array($0.calls[first...]) } }

    /// The types that an observer query that runs is about.
    var observedTypes: Set<HKSampleType> {
        let queries = state.withLock { $0.queries.map(\.query) }
        return queries.filter { $0.isObserver && $0.isActive() }.reduce(into: []) { $0.formUnion($1.types) }
    }

    /// Notifies each query of changes of these types, and returns once all have handled them. For an observer that was
    /// held back this is the first call.
    func wake(for types: Set<HKSampleType>) async {
        let due = state.withLock { state in
            for index in state.queries.indices { state.queries[index].changed.subtract(types) }
            return state.queries.map(\.query)
        }
        for (index, query) in due.enumerated() where query.isActive() && !query.types.isDisjoint(with: types) {
            let before = callCount
            query.notice(types)
            await withCheckedContinuation { done in query.afterwards { done.resume() } }
            state.withLock { if $0.calls.count > before { $0.queries[index].isHeldBack = false } }
        }
    }
}
