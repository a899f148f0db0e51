import HealthKit
import Synchronization

/// An app that is in the background or not: holds back what its queries hear of changes, and counts what its observers answer.
final class BackgroundApp: ChangeGate {
    private let state: Mutex<State>

    private struct State {
        var isAsleep: Bool
        var queries: [Held] = []
        var calls: [Call] = []
    }

    private struct Held {
        var query: WatchingQuery
        /// Of which it would have heard.
        var changed: Set<HKSampleType> = []
    }

    /// One call of an observer.
    struct Call: Sendable {
        var observer: String
        var types: Set<HKSampleType>
        var isAnswered = false
        /// Nobody holds the completion handler any more.
        var isForgotten = false
    }

    init(isAsleep: Bool) { state = Mutex(State(isAsleep: isAsleep)) }

    /// An app that wakes hears of what was held back.
    var isAsleep: Bool {
        get { state.withLock { $0.isAsleep } }
        set {
            let due = state.withLock { state -> [Held] in
                state.isAsleep = newValue
                guard !newValue else { return [] }
                defer { for index in state.queries.indices { state.queries[index].changed = [] } }
                return state.queries.filter { !$0.changed.isEmpty }
            }
            for held in due { held.query.notice(held.changed) }
        }
    }

    // MARK: HealthKit

    func watch(_ query: WatchingQuery) -> @Sendable (Set<HKSampleType>) -> Void {
        let index = state.withLock { state in
            state.queries.append(Held(query: query))
            return state.queries.count - 1
        }
        return { [self] changed in
            let isHeld = state.withLock { state in
                guard state.isAsleep else { return false }
                state.queries[index].changed.formUnion(changed.intersection(query.types))
                return true
            }
            if !isHeld { query.notice(changed) }
        }
    }

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

    /// Goes when the app lets go of a completion handler.
    private final class Answer: Sendable {
        private let forgotten: @Sendable () -> Void

        init(_ forgotten: @escaping @Sendable () -> Void) { self.forgotten = forgotten }

        func keep() {}

        deinit { forgotten() }
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

    /// Has each query hear of changes of these types, and returns once all have dealt with them.
    func wake(for types: Set<HKSampleType>) async {
        let due = state.withLock { state in
            for index in state.queries.indices { state.queries[index].changed.subtract(types) }
            return state.queries.map(\.query)
        }
        for query in due where query.isActive() && !query.types.isDisjoint(with: types) {
            query.notice(types)
            await withCheckedContinuation { done in query.afterwards { done.resume() } }
        }
    }
}
