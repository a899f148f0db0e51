#if PostgreSQL
import PostgreSQLStore
#endif

extension StoreLocation {
    /// The one store of this process at the location. Nothing is opened yet.
    var sharedDatabase: any HealthDatabase {
        #if PostgreSQL
        if case .postgreSQL(let address) = self { return PostgreSQLHealthDatabase.shared(address) }
        #endif
        return SQLiteHealthDatabase.shared(self)
    }

    /// A store of its own. Nothing is opened yet.
    func makeDatabase() -> any HealthDatabase {
        #if PostgreSQL
        if case .postgreSQL(let address) = self { return PostgreSQLHealthDatabase(address) }
        #endif
        return SQLiteHealthDatabase(self)
    }
}
