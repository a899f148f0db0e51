import Synchronization

#if PostgreSQL
import PostgreSQLStore
#endif

extension StoreLocation {
    private static let shared = Mutex<[StoreLocation: any HealthDatabase]>([:])

    /// The one store of this process at the location. Nothing is opened yet.
    var sharedDatabase: any HealthDatabase {
        Self.shared.withLock { stores in
            if let store = stores[self] { return store }
            let store = makeDatabase()
            stores[self] = store
            return store
        }
    }

    /// A store of its own. Nothing is opened yet.
    func makeDatabase() -> any SQLHealthDatabase {
        #if PostgreSQL
        if case .postgreSQL(let address) = self { return PostgreSQLHealthDatabase(address) }
        #endif
        return SQLiteHealthDatabase(self)
    }
}
