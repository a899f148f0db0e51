/// Decides when an app's queries hear of changes, and watches what HealthKit does for the app: for tests of apps in the background.
package protocol DeliveryGate: Sendable {
    /// Takes in a query that runs until it is stopped. Called before the query's execution returns.
    func admit(_ query: WatchingQuery) -> Admission

    /// An observer is about to be called.
    /// - Parameter name: The observer, for people.
    /// - Returns: What is called, once or more often, when the app calls the completion handler; let go when the app lets go of that.
    func called(_ name: String, of types: Set<HKSampleType>) -> @Sendable () -> Void

    /// HealthKit begins something that ends with a call of a handler of the app.
    /// - Returns: What is called, once, when that handler has returned.
    func working() -> @Sendable () -> Void
}

/// How a ``DeliveryGate`` takes in a query.
package struct Admission: Sendable {
    /// Is called with each change instead of the query's own ``WatchingQuery/notice``.
    package var notice: @Sendable (Set<HKSampleType>) -> Void
    /// The gate calls ``WatchingQuery/begin`` itself, later or never.
    package var isHeldBack: Bool

    package init(isHeldBack: Bool, notice: @escaping @Sendable (Set<HKSampleType>) -> Void) {
        self.isHeldBack = isHeldBack
        self.notice = notice
    }
}

/// A query that runs until it is stopped.
package struct WatchingQuery: Sendable {
    package let types: Set<HKSampleType>
    /// Whether background deliveries are for it; other queries hear of changes besides.
    package let isObserver: Bool
    package let isActive: @Sendable () -> Bool
    /// Makes the first pass. Returns at once.
    package let begin: @Sendable () -> Void
    /// Makes a pass over changes of these types. Returns at once.
    package let notice: @Sendable (Set<HKSampleType>) -> Void
    /// Stops the query: no handler is called any more.
    package let end: @Sendable () -> Void
    /// Calls back once the query has dealt with everything before.
    package let afterwards: @Sendable (@escaping @Sendable () -> Void) -> Void
}
