/// The way to everything HealthKit has: authorization, stored data, sessions.
// Sendable holds: all stored properties are immutable.
open class HKHealthStore: NSObject, @unchecked Sendable {
    package let environment: HealthEnvironment
    package let database: any HealthDatabase

    /// The store of this process, with the sensors that the environment names.
    public override convenience init() {
        self.init(environment: .current)
    }

    package init(environment: HealthEnvironment, database: (any HealthDatabase)? = nil) {
        self.environment = environment
        self.database = database ?? environment.database
    }

    /// True on Linux, unless `HEALTHKIT_SIMULATE` says `unavailable`.
    open class func isHealthDataAvailable() -> Bool {
        !((try? HealthEnvironment.current.conditions.get())?.contains(.unavailable) ?? false)
    }

    /// Saves an object. The handler is called on a background queue.
    @preconcurrency open func save(
        _ object: HKObject, withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        save([object], withCompletion: completion)
    }

    /// Saves objects, all or none. Fails with code 5 for a type that was never asked for, with 4 for one that was refused.
    @preconcurrency open func save(
        _ objects: [HKObject], withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        DispatchQueue.global().async { [self] in
            do {
                try saveNow(objects)
                completion(true, nil)
            } catch {
                completion(false, HKError.wrapping(error))
            }
        }
    }

    open func save(_ object: HKObject) async throws {
        try await save([object])
    }

    open func save(_ objects: [HKObject]) async throws {
        try saveNow(objects)
    }

    /// Begins a query. Stops the program for a query that was executed before.
    open func execute(_ query: HKQuery) {
        begin(query)
    }

    /// No handler of the query is called from now on. Does nothing to a query that is over already.
    open func stop(_ query: HKQuery) {
        end(query)
    }

    private func saveNow(_ objects: [HKObject]) throws {
        try environment.requireWritable()
        guard !objects.isEmpty else {
            throw HKError.make(.errorInvalidArgument, "There is nothing to save: the array of objects is empty.")
        }
        try environment.permissions.requireSharing(objects)
        try database.save(objects, from: .current)
    }

    /// Deletes an object that this app saved. The handler is called on a background queue.
    @preconcurrency open func delete(
        _ object: HKObject, withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        delete([object], withCompletion: completion)
    }

    /// Deletes objects that this app saved, all or none: none when one of them is not in the store
    /// (``HKError/Code/errorInvalidArgument``) or another app's (``HKError/Code/errorAuthorizationDenied``).
    @preconcurrency open func delete(
        _ objects: [HKObject], withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        DispatchQueue.global().async { [database] in
            do {
                try Self.delete(objects, in: database)
                completion(true, nil)
            } catch {
                completion(false, HKError.wrapping(error))
            }
        }
    }

    open func delete(_ object: HKObject) async throws {
        try await delete([object])
    }

    open func delete(_ objects: [HKObject]) async throws {
        try Self.delete(objects, in: database)
    }

    private static func delete(_ objects: [HKObject], in database: any HealthDatabase) throws {
        guard !objects.isEmpty else {
            throw HKError.make(.errorInvalidArgument, "There is nothing to delete: the array of objects is empty.")
        }
        _ = try database.delete(Set(objects.map(\.uuid)), owner: HKSource.default().bundleIdentifier)
    }
}
