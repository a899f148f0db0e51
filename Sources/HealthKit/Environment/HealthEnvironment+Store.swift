import SessionLog

/// The store itself, for `workout store`.
extension HealthEnvironment {
    /// The store of this environment.
    package func anyStore() throws -> any SQLHealthDatabase {
        if let storeFault { throw storeFault }
        guard let database = database as? any SQLHealthDatabase else {
            throw HKError.make(.errorHealthDataUnavailable, "This store has no tables of its own.")
        }
        return database
    }

    /// The store of this environment, without making a file that does not exist.
    package func storeToInspect() throws -> any SQLHealthDatabase {
        let store = try anyStore()
        guard location.exists else {
            throw HKError.make(
                .errorHealthDataUnavailable,
                "\(location.title) does not exist yet. The first workout that is saved creates it.")
        }
        return store
    }

    /// A store by its address, as `HEALTHKIT_STORE` would have it.
    package static func store(at address: String) throws -> any SQLHealthDatabase {
        var variables = ProcessInfo.processInfo.environment
        variables["HEALTHKIT_STORE"] = address
        let location = StoreLocation(variables: variables)
        if let fault = location.fault { throw fault }
        return location.makeDatabase()
    }

    /// Whether sessions of a store wait to be recovered.
    package static func hasJournals(in folder: URL) -> Bool { !SessionJournal.left(in: folder).isEmpty }
}
