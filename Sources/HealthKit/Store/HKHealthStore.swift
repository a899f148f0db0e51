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

    /// Always true on Linux.
    open class func isHealthDataAvailable() -> Bool { true }

    /// Saves an object. The handler is called on a background queue.
    open func save(_ object: HKObject, withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void) {
        save([object], withCompletion: completion)
    }

    /// Saves objects, all or none.
    open func save(
        _ objects: [HKObject], withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        DispatchQueue.global().async { [database] in
            do {
                try Self.save(objects, in: database)
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
        try Self.save(objects, in: database)
    }

    /// Begins a query. Stops the program for a query that was executed before.
    open func execute(_ query: HKQuery) {
        begin(query)
    }

    /// No handler of the query is called from now on. Does nothing to a query that is over already.
    open func stop(_ query: HKQuery) {
        end(query)
    }

    private static func save(_ objects: [HKObject], in database: any HealthDatabase) throws {
        guard !objects.isEmpty else {
            throw HKError.make(.errorInvalidArgument, "There is nothing to save: the array of objects is empty.")
        }
        try database.save(objects, from: .current)
    }
}
