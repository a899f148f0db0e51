public import HealthKit

extension HealthKitWorld {
    /// Where the app is, as the system sees it.
    public enum AppState: Sendable, Equatable {
        /// It runs: queries hear of changes at once.
        case foreground
        /// It is suspended: queries that run on hear of nothing until ``HealthKitWorld/deliver(_:within:)``, and an observer query
        /// that is executed meanwhile gets its first call then. What the test calls itself works, as in the moments that the
        /// system gives to an app that it woke.
        case background
    }

    /// Where the app is, which may change in the middle of a test. Back in the foreground its queries hear of what has changed
    /// meanwhile, and observer queries that were executed in the background and never called get their first call.
    ///
    /// Setting it does not wait: call ``settle()`` before an app is sent to the background, so that its queries have heard of
    /// everything until then, and after it is brought back.
    public var app: AppState {
        get { background.isAsleep ? .background : .foreground }
        set { background.isAsleep = newValue == .background }
    }

    /// Wakes the app in the background for what has changed, as the system does for types that it enabled background delivery of:
    /// calls its observer queries, and waits until each has called its completion handler. Other queries hear of the same types.
    ///
    /// Waits until the world has settled first (``settle()``), so what the app was about to register or to save counts. An observer
    /// is called once for a delivery, whatever has changed, also if it was never called before.
    ///
    /// Frequencies do not count: the test says when. What the app has answered already is not delivered again; what it did not
    /// answer is, three times in all. Of a type that the app may not read, and while the device is locked, nothing is delivered.
    ///
    /// - Parameters:
    ///   - types: Of what; nil: of all that the app enabled.
    ///   - limit: How long the app may take to answer, in real time.
    /// - Returns: The types that were delivered: those of which something had changed.
    /// - Throws: ``WorldError`` for an app in the foreground, for a type that is not enabled or that no observer query is about, when
    ///   the app has not answered three times, and when a completion handler is not called: it names the observers.
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
                "\(Self.words(givenUp)) is delivered no more: the app has not called a completion handler three times. It is again "
                    + "once the app enables the delivery again.")
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
        // Whoever looks for something else than what has changed has nothing to answer.
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
                        + "in the world of \(name); the app \(how): \(observers). HealthKit takes that for no answer, and delivers no "
                        + "more after the third time.")
            }
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    private static func check(_ types: Set<HKSampleType>?, areIn enabled: Set<HKSampleType>) throws {
        if enabled.isEmpty {
            throw WorldError(
                "The app has enabled background delivery of nothing: it calls enableBackgroundDelivery first.")
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
