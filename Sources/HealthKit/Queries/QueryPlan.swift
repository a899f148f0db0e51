/// The plan of a query as a value: one pass over the database, which is repeated if the query watches for changes.
package struct QueryPlan: Sendable {
    /// The types whose changes require another pass. Empty for a query that ends with its first result.
    package var watchedTypes: Set<HKSampleType>

    /// Whether the app acknowledges notifications, so that it receives background deliveries.
    package var isObserver: Bool

    /// Records the store's position before the first pass, for a query that finds later changes by it.
    package var mark: @Sendable (any PermissionedStore) throws -> Void

    /// Reads data and passes it to the app's handler. Passes of one query never overlap.
    package var pass: @Sendable (QueryPass) throws -> Void

    /// Passes an error to the app's handler. The query has then ended.
    package var fail: @Sendable (HKError) -> Void

    package init(
        watching watchedTypes: Set<HKSampleType> = [], isObserver: Bool = false,
        mark: @escaping @Sendable (any PermissionedStore) throws -> Void = { _ in },
        fail: @escaping @Sendable (HKError) -> Void,
        pass: @escaping @Sendable (QueryPass) throws -> Void
    ) {
        self.watchedTypes = watchedTypes
        self.isObserver = isObserver
        self.mark = mark
        self.pass = pass
        self.fail = fail
    }
}

/// The context of one pass of a query.
package struct QueryPass: Sendable {
    package let store: any PermissionedStore
    /// The types that have changed since the last pass. Nil for the first one.
    package let changedTypes: Set<HKSampleType>?
    private let run: QueryRun

    init(store: any PermissionedStore, changedTypes: Set<HKSampleType>?, run: QueryRun) {
        self.store = store
        self.changedTypes = changedTypes
        self.run = run
    }

    package var database: any HealthDatabase { store.database }

    package var isFirst: Bool { changedTypes == nil }

    /// Whether the query was not stopped. Long passes check it now and then.
    package var isActive: Bool { run.isActive }

    /// Calls the app's handler, unless the query was stopped.
    package func deliver(_ call: () -> Void) {
        if isActive { call() }
    }
}
