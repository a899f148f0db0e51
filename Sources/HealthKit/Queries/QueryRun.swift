import Synchronization

/// The execution of a query. It begins once, makes its passes on a serial queue, and ends after its last pass, after an
/// error, or when it is stopped.
package final class QueryRun: Sendable {
    private enum Phase {
        case waiting
        case active(Activity)
        case over
    }

    private struct Activity {
        /// Changes that no pass has processed yet.
        var pending: Set<HKSampleType> = []
        var observation: HealthObservation?
    }

    private let phase = Mutex(Phase.waiting)

    package var isActive: Bool { phase.withLock { if case .active = $0 { true } else { false } } }

    /// Whether it was not executed yet, so that handlers may still be set.
    package var isWaiting: Bool { phase.withLock { if case .waiting = $0 { true } else { false } } }

    /// Begins the query. Stops the program the second time, as HealthKit raises.
    /// - Parameter name: The query's class.
    func begin(_ name: String, in store: any PermissionedStore, _ makePlan: () -> QueryPlan) {
        let isFirst = phase.withLock { phase in
            guard case .waiting = phase else { return false }
            phase = .active(Activity())
            return true
        }
        guard isFirst else {
            preconditionFailure("\(name) was executed before: make a new query for each execution")
        }
        let plan = makePlan()
        let queue = DispatchQueue(label: "HealthKit.\(name)")
        guard !plan.watchedTypes.isEmpty else {
            return queue.asyncInEnvironment {
                self.make(plan, QueryPass(store: store, changedTypes: nil, run: self))
                self.end()
            }
        }
        let mark = Mutex<Result<Void, any Error>>(.success(()))
        let query = watching(plan, store, queue) { try mark.withLock { $0 }.get() }
        // The observation begins before the first pass, so that nothing falls in between.
        if let gate = store.changeGate {
            // A test counts calls: a change after the execution has returned always gets a separate call.
            let admission = gate.admit(query)
            keep(store.database.observe(admission.notice))
            mark.withLock { $0 = Result { try plan.mark(store) } }
            if !admission.isHeldBack { query.begin() }
        } else {
            // Opening the store may take a while, and executing a query returns at once.
            queue.asyncInEnvironment {
                self.keep(store.database.observe(query.notice))
                mark.withLock { $0 = Result { try plan.mark(store) } }
                query.begin()
            }
        }
    }

    /// Ends the query, so that no handler is called afterwards. Has no effect if the query has ended.
    /// - Returns: Whether it was active until now.
    @discardableResult func end() -> Bool {
        let ended = phase.withLock { phase -> Activity? in
            defer { phase = .over }
            guard case .active(let activity) = phase else { return nil }
            return activity
        }
        ended?.observation?.cancel()
        return ended != nil
    }

    private func make(_ plan: QueryPlan, _ pass: QueryPass, checking: () throws -> Void = {}) {
        guard isActive else { return }
        do {
            try checking()
            try plan.pass(pass)
        } catch {
            // Ended before the app's handler is called, which may begin another query at once.
            if end() { plan.fail(HKError.wrapping(error)) }
        }
    }

    /// - Parameter check: Throws the reason that prevents the first pass.
    private func watching(
        _ plan: QueryPlan, _ store: any PermissionedStore, _ queue: DispatchQueue,
        check: @escaping @Sendable () throws -> Void
    ) -> WatchingQuery {
        let passage = EnvironmentPropagation()
        return WatchingQuery(types: plan.watchedTypes, isObserver: plan.isObserver) { [weak self] in
            self?.isActive ?? false
        } begin: { [weak self] in
            guard let self else { return }
            queue.async {
                passage { self.make(plan, QueryPass(store: store, changedTypes: nil, run: self), checking: check) }
            }
        } notice: { [weak self] changed in
            let relevant = changed.intersection(plan.watchedTypes)
            guard let self, !relevant.isEmpty, note(relevant) else { return }
            queue.async { passage { self.makePending(plan, store) } }
        } end: { [weak self] in
            self?.end()
        } afterwards: { done in
            queue.async(execute: done)
        }
    }

    private func keep(_ observation: HealthObservation) {
        let isKept = phase.withLock { phase in
            guard case .active(var activity) = phase else { return false }
            activity.observation = observation
            phase = .active(activity)
            return true
        }
        if !isKept { observation.cancel() }
    }

    /// Adds changes. Returns whether a new pass is needed, because no waiting pass would process them.
    private func note(_ changed: Set<HKSampleType>) -> Bool {
        phase.withLock { phase in
            guard case .active(var activity) = phase else { return false }
            let isFirst = activity.pending.isEmpty
            activity.pending.formUnion(changed)
            phase = .active(activity)
            return isFirst
        }
    }

    private func makePending(_ plan: QueryPlan, _ store: any PermissionedStore) {
        let changed = phase.withLock { phase -> Set<HKSampleType> in
            guard case .active(var activity) = phase else { return [] }
            defer { phase = .active(activity) }
            return exchange(&activity.pending, with: [])
        }
        guard !changed.isEmpty else { return }
        make(plan, QueryPass(store: store, changedTypes: changed, run: self))
    }

    private func exchange<Value>(_ place: inout Value, with value: Value) -> Value {
        let old = place
        place = value
        return old
    }
}
