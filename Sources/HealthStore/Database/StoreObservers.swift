import Dispatch
import Synchronization

/// The observers of a store, and the search for changes.
///
/// Every type in the store has the sequence number of its latest change. After each write of this process, and every
/// ``pollInSeconds`` while there are observers, types whose number has grown are reported. This finds changes of other
/// processes with a query of a few microseconds, without watching files, which network file systems and checkpoints
/// make unreliable. Each search asks sessions for their latest samples. Another search follows when those of this
/// process have saved them, and one ``answerInSeconds`` later for other processes. So observers receive every change
/// within a second.
package final class StoreObservers: Sendable {
    package static let pollInSeconds = 0.75
    private let pollInSeconds: Double
    private static let answerInSeconds = 0.15

    private let queue = DispatchQueue(label: "HealthKit.store.observers")
    private let state = Mutex(State())
    private let path: String?
    private let standingRequest: SaveRequest.Standing?

    private struct State {
        var handlers: [Int: @Sendable (Set<HKSampleType>) -> Void] = [:]
        /// The observers that also want the latest samples of sessions.
        var asking: Set<Int> = []
        var nextHandler = 0
        var lastSeen: Int64?
        var timer: (any DispatchSourceTimer)?
        var look: (@Sendable () -> (last: Int64, types: Set<HKSampleType>)?)?
    }

    /// - Parameters:
    ///   - location: The store's.
    ///   - pollInSeconds: The longest time until changes of other processes are found.
    package init(of location: StoreLocation, pollInSeconds: Double = pollInSeconds) {
        self.pollInSeconds = pollInSeconds
        if case .file(let path) = location { self.path = path } else { path = nil }
        standingRequest = path.map(SaveRequest.Standing.init)
    }

    /// - Parameters:
    ///   - isAsking: Whether sessions are asked for their latest samples.
    ///   - look: Returns the latest change, and the types that changed after a given one.
    func add(
        from start: Int64?, isAsking: Bool, _ handler: @escaping @Sendable (Set<HKSampleType>) -> Void,
        look: @escaping @Sendable (Int64?) -> (last: Int64, types: Set<HKSampleType>)?
    ) -> Int {
        state.withLock { state in
            if state.handlers.isEmpty { state.lastSeen = start }
            let number = state.nextHandler
            state.nextHandler += 1
            state.handlers[number] = handler
            if isAsking { state.asking.insert(number) }
            guard state.timer == nil else { return number }
            state.look = { [weak self] in look(self?.lastSeen) }
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(
                deadline: .now() + pollInSeconds, repeating: pollInSeconds,
                leeway: .milliseconds(min(25, Int(pollInSeconds * 100))))
            timer.setEventHandler { [weak self] in self?.tick() }
            timer.activate()
            state.timer = timer
            return number
        }
    }

    func remove(_ number: Int) {
        state.withLock { state in
            state.handlers[number] = nil
            state.asking.remove(number)
            guard state.handlers.isEmpty else { return }
            state.timer?.cancel()
            state.timer = nil
            state.look = nil
        }
    }

    /// Call it after each write of this process.
    package func storeChanged() {
        guard state.withLock({ !$0.handlers.isEmpty }) else { return }
        queue.async { self.check() }
    }

    /// Calls back when all observers were notified of earlier writes.
    func whenNotified(_ done: @escaping @Sendable () -> Void) {
        queue.async {
            self.check()
            done()
        }
    }

    private func tick() {
        if let path, state.withLock({ !$0.asking.isEmpty }) {
            let isSaving = SaveRequests.ask(besideStore: path) { [weak self] in
                guard let self else { return }
                queue.async {
                    self.askOthers()
                    self.check()
                }
            }
            if !isSaving { askOthers() }
        }
        check()
    }

    /// Asks sessions of other processes if samples wait.
    private func askOthers() {
        guard standingRequest?.ask() == true else { return }
        queue.asyncAfter(deadline: .now() + Self.answerInSeconds) { [weak self] in self?.check() }
    }

    private var lastSeen: Int64? { state.withLock { $0.lastSeen } }

    /// On the queue, so that changes are reported in order.
    private func check() {
        guard let look = state.withLock({ $0.look }), let (last, types) = look() else { return }
        let handlers = state.withLock { state in
            state.lastSeen = last
            return Array(state.handlers.values)
        }
        guard !types.isEmpty else { return }
        for handler in handlers { handler(types) }
    }
}

extension SQLHealthDatabase {
    package func latestChanges(after sequence: Int64) throws -> [(type: String, sequence: Int64)] {
        try withReader { reader in
            try SQLRow.fetchAll(
                reader.db, sql: "SELECT identifier, sequence FROM latestChange WHERE sequence > ?",
                arguments: [sequence]
            ).map { ($0[0], $0[1]) }
        }
    }

    /// Changes of other processes are reported within a second.
    package func observe(
        askingSessions asksSessions: Bool, _ changed: @escaping @Sendable (Set<HKSampleType>) -> Void
    ) -> HealthObservation {
        let start = try? latestChanges(after: 0).map(\.sequence).max() ?? 0
        let number = observers.add(from: start, isAsking: asksSessions, changed) { [weak self] seen in
            guard let changes = try? self?.latestChanges(after: seen ?? 0) else { return nil }
            let types = changes.compactMap { TypeCatalogue.objectType(identifier: $0.type) as? HKSampleType }
            return (changes.map(\.sequence).max() ?? seen ?? 0, Set(types))
        }
        return HealthObservation { [observers] in observers.remove(number) }
    }

    package func whenObserved(_ done: @escaping @Sendable () -> Void) { observers.whenNotified(done) }
}
