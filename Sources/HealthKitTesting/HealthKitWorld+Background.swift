public import HealthKit

extension HealthKitWorld {
    /// Whether the app runs in the foreground or is suspended.
    public enum AppState: Sendable, Equatable {
        /// The app runs: its queries are notified of changes at once.
        case foreground
        /// The app is suspended: long-running queries are not notified until ``HealthKitWorld/deliver(_:within:)``, and an observer
        /// query that is executed meanwhile is first called then. Calls by the test work, as in an app that the system has woken.
        case background
    }

    /// Whether the app runs in the foreground, which can change during a test. When the app returns to the foreground,
    /// its queries are notified of the changes since, and observer queries that were executed in the background and
    /// never called are called.
    ///
    /// Setting it does not wait. Call ``settle()`` before sending an app to the background, so that its queries know all changes
    /// until then, and after bringing it back.
    public var app: AppState {
        get { background.isAsleep ? .background : .foreground }
        set { background.isAsleep = newValue == .background }
    }

    /// Wakes the app in the background for changes of the types that it enabled background delivery for: calls its observer queries,
    /// and waits until each has called its completion handler. Other queries are notified of the same types.
    ///
    /// First waits until HealthKit is at rest (``settle()``), so pending registrations and saves count. An observer is called once
    /// per delivery, whatever has changed, even if it was never called before.
    ///
    /// Frequencies are ignored: the test decides when. Acknowledged changes are not delivered again; unacknowledged ones are, three
    /// times in all. Nothing is delivered for types that the app may not read, and while the device is locked.
    ///
    /// - Parameters:
    ///   - types: The types to deliver. Nil for all enabled ones.
    ///   - limit: The time limit for the app's answers, in real time.
    /// - Returns: The delivered types: those with changes.
    /// - Throws: ``WorldError`` if the app is in the foreground, if a type is not enabled or has no observer query, if the app has
    ///   not answered three times, or if a completion handler is not called. The error names the observers.
    @discardableResult
    public func deliver(
        _ types: Set<HKSampleType>? = nil, within limit: Duration = .seconds(10)
    ) async throws -> Set<HKSampleType> {
        await settle()
        let database = try database
        guard let environment = lifetime.environment else { return [] }
        guard app == .background else {
            throw WorldError(
                "The app is in the foreground in the world of \(name), and gets changes at once; give the world app: .background."
            )
        }
        let id = environment.permissions.app.bundleIdentifier
        let enabled = try database.deliveries(to: id).first?.deliveries ?? []
        try Self.check(types, areIn: Set(enabled.map(\.type)))
        if device.contains(.locked) { return [] }
        let due = enabled.filter { delivery in
            (types?.contains(delivery.type) ?? true) && delivery.latest > delivery.state.answered
                && (try? environment.permissions.readAccess(to: delivery.type)) ?? .own != .own
        }
        let givenUp = due.filter { $0.next(now: .distantFuture) == .givenUp }.map(\.type)
        guard givenUp.isEmpty else {
            throw WorldError(
                "\(Self.words(givenUp)) is no longer delivered: three times the app has not called a completion handler. Deliveries resume "
                    + "once the app enables them again.")
        }
        let delivered = Set(due.map(\.type))
        let unobserved = delivered.subtracting(background.observedTypes)
        guard unobserved.isEmpty else {
            throw WorldError(
                "No HKObserverQuery of \(Self.words(unobserved)) runs, so nothing receives the delivery; the app must execute one "
                    + "whenever it starts.")
        }
        guard !delivered.isEmpty else { return [] }
        try await call(delivered, of: id, within: limit)
        return delivered
    }

    private func call(_ types: Set<HKSampleType>, of app: String, within limit: Duration) async throws {
        let database = try database
        await withCheckedContinuation { done in database.whenObserved { done.resume() } }
        try database.updateDeliveries(of: types, to: app) { _, state in state.started(at: now) }
        let first = background.callCount
        await background.wake(for: types)
        // Observers of other types have nothing to answer.
        let called = background.calls(from: first).reduce(into: Set()) { $0.formUnion($1.types) }
        let latest = try database.deliveries(to: app).first?.deliveries ?? []
        try database.updateDeliveries(of: types.subtracting(called), to: app) { type, state in
            state.answered(upTo: latest.first { $0.type == type }?.latest ?? 0)
        }
        let start = ContinuousClock.now
        while true {
            let missing = background.calls(from: first).filter { !$0.isAnswered }
            if missing.isEmpty { return }
            let isForgotten = missing.allSatisfy(\.isForgotten)
            guard !isForgotten, start.duration(to: .now) < limit else {
                let observers = missing.map(\.observer).sorted().joined(separator: "; ")
                let how =
                    isForgotten ? "let go of it" : "has not called it within \((limit / .seconds(1)).formatted()) s"
                throw WorldError(
                    "\(missing.count) of \(background.calls(from: first).count) completion handlers of observer queries were not called "
                        + "in the world of \(name); the app \(how): \(observers). HealthKit counts that as no answer, and delivers no "
                        + "more after the third time.")
            }
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    private static func check(_ types: Set<HKSampleType>?, areIn enabled: Set<HKSampleType>) throws {
        if enabled.isEmpty {
            throw WorldError(
                "The app has not enabled background delivery. It has to call enableBackgroundDelivery first.")
        }
        let missing = (types ?? []).subtracting(enabled)
        guard !missing.isEmpty else { return }
        throw WorldError(
            "The app has not enabled background delivery of \(words(missing)), but of \(words(enabled)).")
    }

    private static func words(_ types: some Sequence<HKSampleType>) -> String {
        types.map(\.identifier).sorted().joined(separator: ", ")
    }
}
