#if PostgreSQL
package import HealthStore

/// The people of a store on PostgreSQL.
package struct PostgreSQLPeople: Sendable {
    private let address: PostgreSQLAddress

    /// - Parameter address: The address of the store. Its person is ignored.
    package init(_ address: PostgreSQLAddress) { self.address = address }

    /// In order of their names.
    package func all() throws -> [StoredPerson] {
        try withConnection { connection in
            let rows = try connection.query("SELECT name, login FROM healthkit.person ORDER BY name")
            return (0..<rows.count).map { StoredPerson(name: rows[$0][0], login: rows[$0][1]) }
        }
    }

    /// Adds a person. Creates missing tables.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a name that exists or is empty.
    package func add(_ name: String, login: String? = nil) throws {
        guard !name.isEmpty else { throw HKError.make(.errorInvalidArgument, "A person needs a name.") }
        try withConnection { connection in
            do {
                guard try Self.add(name, login: login, connection) != nil else {
                    throw HKError.make(
                        .errorInvalidArgument, "The store already has a person '\(name)'. Nothing was changed.")
                }
            } catch let error as PostgreSQLError where error.sqlState == "42501" {
                throw HKError.make(
                    .errorDatabaseInaccessible,
                    "Only the owner of \(StoreLocation.postgreSQL(address).title) can add people. Run this command as that user.",
                    cause: error)
            }
        }
    }

    private func withConnection<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
        do {
            // Each statement runs only once, and behind a pooler the next one may use another server connection.
            let connection = try PostgreSQLConnection(address.connection, preparingStatements: false)
            try PostgreSQLSchema.prepare(connection, .postgreSQL(address))
            return try body(connection)
        } catch let error as PostgreSQLError {
            throw error.described(.postgreSQL(address))
        }
    }

    static func number(of name: String, _ connection: PostgreSQLConnection) throws -> Int64? {
        let rows = try connection.query("SELECT id FROM healthkit.person WHERE name = ?", [.text(name)])
        return rows.count > 0 ? rows[0].integer(0) : nil
    }

    /// - Returns: The number of the new person. Nil if the name exists.
    static func add(_ name: String, login: String?, _ connection: PostgreSQLConnection) throws -> Int64? {
        try connection.run("BEGIN")
        do {
            let added = try connection.query(
                "INSERT INTO healthkit.person (name) VALUES (?) ON CONFLICT (name) DO NOTHING RETURNING id",
                [.text(name)])
            let person: Int64? = added.count > 0 ? added[0].integer(0) : nil
            if let person {
                try connection.run(
                    """
                    SET LOCAL healthkit.person = '\(person)';
                    INSERT INTO healthkit.sequence (person) VALUES (\(person))
                    """)
                // This comes last, because the owner of the store need not be a member of the login.
                if let login {
                    try connection.query(
                        "UPDATE healthkit.person SET login = ? WHERE id = ?", [.text(login), .integer(person)])
                }
            }
            try connection.run("COMMIT")
            return person
        } catch {
            _ = try? connection.run("ROLLBACK")
            throw error
        }
    }
}
#endif
