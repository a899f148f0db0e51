#if PostgreSQL
import PostgreSQLStore
#endif

/// The people of a store on a server.
extension HealthEnvironment {
    /// The person whose data are used. Nil if the store holds one person's data only.
    package var person: String? {
        if case .postgreSQL(let address) = location { address.person } else { nil }
    }

    /// Everybody whose data are in the store, by name.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a store that holds one person's data only.
    package func people() throws -> [StoredPerson] {
        #if PostgreSQL
        if case .postgreSQL(let address) = location { return try PostgreSQLPeople(address).all() }
        #endif
        throw onePerson
    }

    /// Adds a person to the store. Creates its tables if there are none.
    /// - Parameter login: The database role whose members may be this person. Nil for every role that may use the store.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a name that is taken or empty, and for a store that holds one person's
    ///   data only.
    package func addPerson(_ name: String, login: String?) throws {
        #if PostgreSQL
        if case .postgreSQL(let address) = location { return try PostgreSQLPeople(address).add(name, login: login) }
        #endif
        throw onePerson
    }

    private var onePerson: HKError {
        location.fault
            ?? HKError.make(
                .errorInvalidArgument,
                "\(location.title) holds the data of one person. Several people need a store on PostgreSQL: set HEALTHKIT_STORE to "
                    + "postgresql://….")
    }
}
