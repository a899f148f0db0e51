/// Says when an app's queries hear of changes, and hears of what its observers answer: for tests of apps in the background.
package protocol ChangeGate: Sendable {
    /// - Returns: What is called with each change in the place of the query's own ``WatchingQuery/notice``.
    func watch(_ query: WatchingQuery) -> @Sendable (Set<HKSampleType>) -> Void

    /// An observer is about to be called.
    /// - Parameter name: The observer, for people.
    /// - Returns: What is called, once or more often, when the app calls the completion handler; let go when the app lets go of that.
    func called(_ name: String, of types: Set<HKSampleType>) -> @Sendable () -> Void
}

/// A query that runs until it is stopped.
package struct WatchingQuery: Sendable {
    package let types: Set<HKSampleType>
    /// Whether background deliveries are for it; other queries hear of changes besides.
    package let isObserver: Bool
    package let isActive: @Sendable () -> Bool
    /// Has it look at changes of these types. Returns at once.
    package let notice: @Sendable (Set<HKSampleType>) -> Void
    /// Calls back once it has dealt with what it got notice of before.
    package let afterwards: @Sendable (@escaping @Sendable () -> Void) -> Void
}
