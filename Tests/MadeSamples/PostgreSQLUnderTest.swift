#if PostgreSQL
import Foundation
package import HealthStore
package import PostgreSQLStore

/// The server that `make test-postgres` started for the tests.
package enum PostgreSQLUnderTest {
    /// Nil if no server was started.
    package static let address = ProcessInfo.processInfo.environment["HEALTHKIT_TEST_POSTGRESQL"]
        .flatMap { $0.isEmpty ? nil : $0 }

    /// PgBouncer in transaction mode. Nil if it is not installed.
    package static let pooler = ProcessInfo.processInfo.environment["HEALTHKIT_TEST_PGBOUNCER"]

    package static func address(ofPerson person: String, login: String? = nil) -> PostgreSQLAddress {
        let text = (address ?? "").replacing("user=postgres", with: "user=\(login ?? "postgres")")
        return PostgreSQLAddress("\(text)&person=\(person)", variables: [:])
    }

    /// A separate person for each test, to whom the others' data is invisible.
    package static func newPerson(login: String? = nil) throws -> String {
        let name = UUID().uuidString
        try PostgreSQLPeople(address(ofPerson: name)).add(name, login: login)
        return name
    }

    package static func database(ofPerson person: String) -> PostgreSQLHealthDatabase {
        PostgreSQLHealthDatabase(address(ofPerson: person))
    }

    package static func database() throws -> PostgreSQLHealthDatabase {
        PostgreSQLHealthDatabase(address(ofPerson: try newPerson()))
    }
}
#endif
