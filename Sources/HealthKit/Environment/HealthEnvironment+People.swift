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

    /// Notes in `config.json` whose data are to be used from now on.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a person who is not in the store.
    package func usePerson(_ name: String) throws {
        guard try people().contains(where: { $0.name == name }) else {
            throw HKError.make(
                .errorInvalidArgument,
                "\(location.title) does not know '\(name)'. 'workout person list' lists everybody; 'workout person add \(name)' adds "
                    + "the person.")
        }
        guard let configurationFile else {
            throw HKError.make(
                .errorInvalidArgument, "Neither HOME nor XDG_CONFIG_HOME is set, so there is no place for config.json.")
        }
        var settings = try ConfigurationFile.settings(in: configurationFile)
        settings["person"] = name
        try ConfigurationFile.write(settings, to: configurationFile, "The person")
    }

    /// The same environment for another person of the store, for a session that runs beside others.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a store that holds one person's data only.
    package func beside(person: String) throws -> HealthEnvironment {
        guard case .postgreSQL(let address) = location else { throw onePerson }
        var copy = beside
        copy.keepData(at: .postgreSQL(address.with(person: person)))
        // The store is opened once for repeated calls about one person.
        copy.database = copy.location.sharedDatabase
        return copy
    }

    private var onePerson: HKError {
        location.fault
            ?? HKError.make(
                .errorInvalidArgument,
                "\(location.title) holds the data of one person. Several people need a store on PostgreSQL: set HEALTHKIT_STORE to "
                    + "postgresql://….")
    }
}
