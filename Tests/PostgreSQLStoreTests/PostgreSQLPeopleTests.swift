#if PostgreSQL
import Foundation
import MadeSamples
import Testing

@testable import HealthStore
@testable import PostgreSQLStore

/// Nobody can read another person's data, even through an app with a bug.
@Suite(.enabled(if: PostgreSQLUnderTest.address != nil, "needs a server: make test-postgres"))
struct PostgreSQLPeopleTests {
    private let server: PostgreSQLConnection

    init() throws { server = try PostgreSQLConnection(try #require(PostgreSQLUnderTest.address)) }

    /// A role that may log in, as a member of another.
    private func newLogin(in role: String) throws -> String {
        let name = "login" + UUID().uuidString.filter { $0 != "-" }.lowercased()
        try server.run("CREATE ROLE \(name) LOGIN; GRANT \(role) TO \(name)")
        return name
    }

    private func number(of person: String) throws -> Int64 {
        try #require(try PostgreSQLPeople.number(of: person, server))
    }

    /// A store with a workout, a sample and an attachment.
    private func filled(_ address: PostgreSQLAddress) throws -> PostgreSQLHealthDatabase {
        let database = PostgreSQLHealthDatabase(address)
        let workout = try Made.workout(.running, at: 0, lasting: 60)
        try database.apply(
            [.save(.objects([workout])), .join([(Made.heartRate(60, at: 1), nil)], workout: workout.uuid)],
            from: Made.source("App"), once: "mark")
        return database
    }

    @Test func `an app cannot read, change or add another person's data`() throws {
        // The first store of a server creates the roles.
        _ = try PostgreSQLUnderTest.newPerson()
        let logins = [try newLogin(in: "healthkit_app"), try newLogin(in: "healthkit_app")]
        let people = try logins.map { try PostgreSQLUnderTest.newPerson(login: $0) }
        let addresses = zip(people, logins).map { PostgreSQLUnderTest.address(ofPerson: $0, login: $1) }
        for address in addresses { #expect(try filled(address).all(Made.heartRate).count == 1) }

        // A bug: Anna's app opens the store as Ben.
        let anna = try PostgreSQLConnection(addresses[0].connection)
        let ben = try number(of: people[1])
        let tables = try server.query(
            """
            SELECT CAST(relname AS text) FROM pg_class WHERE relnamespace = 'healthkit'::regnamespace \
            AND relkind IN ('r', 'p') AND NOT relispartition AND relname NOT IN ('schemaversion', 'person')
            """)
        #expect(tables.count > 15)
        for chosen in [ben, 0] {
            for row in 0..<tables.count {
                let table = tables[row].text(0)
                try anna.run(PostgreSQLSchema.begin("READ WRITE", as: chosen, role: nil))
                #expect(try anna.query("SELECT count(*) FROM \(table)")[0].integer(0) == 0, "\(table)")
                #expect(try anna.query("UPDATE \(table) SET person = person").changedCount == 0, "\(table)")
                #expect(try anna.query("DELETE FROM \(table)").changedCount == 0, "\(table)")
                try anna.run("ROLLBACK")
            }
            try anna.run(PostgreSQLSchema.begin("READ WRITE", as: chosen, role: nil))
            let error = #expect(throws: PostgreSQLError.self) {
                try anna.query("INSERT INTO setting (person, name, value) VALUES (\(ben), 'x', '')")
            }
            #expect(error?.sqlState == "42501")
            try anna.run("ROLLBACK")
        }
        // As herself she sees her rows, but cannot give them to somebody else.
        try anna.run(PostgreSQLSchema.begin("READ WRITE", as: try number(of: people[0]), role: nil))
        #expect(try anna.query("SELECT count(DISTINCT person) FROM run")[0].integer(0) == 1)
        #expect(throws: PostgreSQLError.self) { try anna.query("UPDATE setting SET person = \(ben)") }
        try anna.run("ROLLBACK")
        // Partitions have no policies, so nobody may access them directly.
        let partition = #expect(throws: PostgreSQLError.self) { try anna.query("SELECT * FROM healthkit.run0") }
        #expect(partition?.sqlState == "42501")

        let wrong = PostgreSQLHealthDatabase(PostgreSQLUnderTest.address(ofPerson: people[1], login: logins[0]))
        #expect(throws: HKError.self) { try wrong.all(Made.heartRate) }
        let refused = #expect(throws: HKError.self) {
            try wrong.save([Made.heartRate(60, at: 9)], from: Made.source("App"))
        }
        #expect(refused?.code == .errorDatabaseInaccessible)
        #expect(try PostgreSQLHealthDatabase(addresses[1]).all(Made.heartRate).count == 1)
    }

    @Test func `the researcher of a study reads all people and changes nothing`() throws {
        for _ in 0..<2 { _ = try filled(PostgreSQLUnderTest.address(ofPerson: try PostgreSQLUnderTest.newPerson())) }
        let login = try newLogin(in: "healthkit_study")
        let study = try PostgreSQLConnection(PostgreSQLUnderTest.address(ofPerson: "any", login: login).connection)
        #expect(try study.query("SELECT count(DISTINCT person) FROM healthkit.run")[0].integer(0) >= 2)
        for statement in ["DELETE FROM healthkit.run", "UPDATE healthkit.run SET count = 0", "TRUNCATE healthkit.run"] {
            #expect(throws: PostgreSQLError.self) { try study.query(statement) }
        }
        // With this program, one person at a time.
        let person = try PostgreSQLUnderTest.newPerson()
        let database = PostgreSQLHealthDatabase(PostgreSQLUnderTest.address(ofPerson: person, login: login))
        #expect(try database.all(Made.heartRate).isEmpty)
        #expect(throws: HKError.self) { try database.save([Made.heartRate(60, at: 9)], from: Made.source("App")) }
    }

    @Test func `a superuser sees one person too`() throws {
        let anna = PostgreSQLUnderTest.address(ofPerson: try PostgreSQLUnderTest.newPerson())
        let ben = try PostgreSQLUnderTest.database()
        #expect(try filled(anna).all(Made.heartRate).count == 1)
        #expect(try ben.all(Made.heartRate).isEmpty)
        #expect(try ben.extent(SampleSelection(Made.heartRate)) == nil)
    }

    @Test func `an unknown person is named with the command that adds one`() throws {
        let database = PostgreSQLHealthDatabase(PostgreSQLUnderTest.address(ofPerson: "nobody-\(UUID())"))
        let error = #expect(throws: HKError.self) { try database.storedProfile() }
        #expect(error?.localizedDescription.contains("workout person add nobody-") == true)
    }

    @Test func `a person is added once and listed`() throws {
        let name = try PostgreSQLUnderTest.newPerson(login: "postgres")
        let people = PostgreSQLPeople(PostgreSQLUnderTest.address(ofPerson: "any"))
        #expect(try people.all().contains(StoredPerson(name: name, login: "postgres")))
        #expect(throws: HKError.self) { try people.add(name) }
        #expect(throws: HKError.self) { try people.add("") }
    }

    /// So that rows can be distributed by person, with these partitions or with Citus.
    @Test func `every table and every key begins with the person`() throws {
        _ = try PostgreSQLUnderTest.newPerson()
        let tables = try server.query(
            """
            SELECT CAST(relname AS text), CAST(attname AS text), relrowsecurity AND relforcerowsecurity
            FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum = 1
            WHERE relnamespace = 'healthkit'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
            """)
        var checked = 0
        for row in 0..<tables.count where !["schemaversion", "person"].contains(tables[row].text(0)) {
            #expect(tables[row].text(1) == "person", "\(tables[row].text(0))")
            #expect(tables[row].integer(2) == 1, "\(tables[row].text(0)) has no row-level security")
            checked += 1
        }
        #expect(checked > 15)
        let keys = try server.query(
            """
            SELECT CAST(indrelid::regclass AS text), CAST(attname AS text)
            FROM pg_index JOIN pg_class ON pg_class.oid = indrelid JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
            WHERE relnamespace = 'healthkit'::regnamespace AND indisunique AND relname NOT IN ('schemaversion', 'person')
            """)
        #expect(keys.count > 15)
        for row in 0..<keys.count { #expect(keys[row].text(1) == "person", "\(keys[row].text(0))") }
    }
}
#endif
