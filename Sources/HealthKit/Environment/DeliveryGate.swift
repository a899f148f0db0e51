/// Decides when an app's queries are notified of changes, and observes calls of the app's handlers. For tests of apps in the background.
package protocol DeliveryGate: Sendable {
    /// Admits a query that runs until it is stopped. Called before executing the query returns.
    func admit(_ query: WatchingQuery) -> Admission

    /// Called before an observer is called.
    /// - Parameter name: A description of the observer, for messages.
    /// - Returns: A function that is called each time the app calls the completion handler, and released with that
    ///   handler.
    func called(_ name: String, of types: Set<HKSampleType>) -> @Sendable () -> Void

    /// Called when HealthKit begins work that ends with a call of one of the app's handlers.
    /// - Returns: A function that is called once that handler has returned.
    func working() -> @Sendable () -> Void
}

/// The way in which a ``DeliveryGate`` admits a query.
package struct Admission: Sendable {
    /// Called for each change instead of the query's own ``WatchingQuery/notice``.
    package var notice: @Sendable (Set<HKSampleType>) -> Void
    /// Whether the gate calls ``WatchingQuery/begin`` itself, later or never.
    package var isHeldBack: Bool

    package init(isHeldBack: Bool, notice: @escaping @Sendable (Set<HKSampleType>) -> Void) {
        self.isHeldBack = isHeldBack
        self.notice = notice
    }
}

/// A query that runs until it is stopped.
package struct WatchingQuery: Sendable {
    package let types: Set<HKSampleType>
    /// Whether it receives background deliveries. Other queries are notified in addition.
    package let isObserver: Bool
    package let isActive: @Sendable () -> Bool
    /// Makes the first pass. Returns at once.
    package let begin: @Sendable () -> Void
    /// Makes a pass over changes of these types. Returns at once.
    package let notice: @Sendable (Set<HKSampleType>) -> Void
    /// Stops the query: no handler is called afterwards.
    package let end: @Sendable () -> Void
    /// Calls back once the query has handled everything before it.
    package let afterwards: @Sendable (@escaping @Sendable () -> Void) -> Void
}
