/// What a query does, as a value: one pass over the database, made once, or again each time that the samples it is about
/// have changed.
package struct QueryPlan: Sendable {
    /// The types whose changes call for another pass. Empty for a query that ends with its first result.
    package var watchedTypes: Set<HKSampleType>

    /// Whether the app answers what it hears, so that background deliveries are for it.
    package var isObserver: Bool

    /// Notes where the store stands before the first pass, for a query that tells later changes apart by that.
    package var mark: @Sendable (any PermissionedStore) throws -> Void

    /// Reads, and hands what it read to the app's handler. Passes of one query never overlap.
    package var pass: @Sendable (QueryPass) throws -> Void

    /// Hands an error to the app's handler, after which the query is over.
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

/// What one pass of a query has to work with.
package struct QueryPass: Sendable {
    package let store: any PermissionedStore
    /// What has changed since the pass before; nil for the first one.
    package let changedTypes: Set<HKSampleType>?
    private let run: QueryRun

    init(store: any PermissionedStore, changedTypes: Set<HKSampleType>?, run: QueryRun) {
        self.store = store
        self.changedTypes = changedTypes
        self.run = run
    }

    package var database: any HealthDatabase { store.database }

    package var isFirst: Bool { changedTypes == nil }

    /// False once the query was stopped: long passes look now and then.
    package var isActive: Bool { run.isActive }

    /// Calls the app's handler, unless the query was stopped meanwhile.
    package func deliver(_ call: () -> Void) {
        if isActive { call() }
    }
}
