#if PostgreSQL
import Foundation
import MadeSamples
import Testing

@testable import HealthStore
@testable import PostgreSQLStore

/// Versions of the tables.
@Suite(.enabled(if: PostgreSQLUnderTest.address != nil, "needs a server: make test-postgres"))
struct PostgreSQLSchemaTests {
    /// A separate, empty database.
    private func newDatabase() throws -> PostgreSQLAddress {
        let server = try #require(PostgreSQLUnderTest.address)
        let name = "base" + UUID().uuidString.filter { $0 != "-" }.lowercased()
        try PostgreSQLConnection(server).run("CREATE DATABASE \(name) TEMPLATE template0")
        return PostgreSQLAddress(server.replacing("/postgres?", with: "/\(name)?"), variables: [:])
    }

    @Test func `the first use creates the tables and the default person`() throws {
        let address = try newDatabase()
        try PostgreSQLHealthDatabase(address).save([Made.heartRate(60, at: 0)], from: Made.source("App"))
        #expect(try PostgreSQLHealthDatabase(address).all(Made.heartRate).count == 1)
        #expect(try PostgreSQLPeople(address).all().map(\.name) == ["default"])
    }

    @Test func `clients that connect first at the same moment all find the tables`() throws {
        let address = try newDatabase()
        DispatchQueue.concurrentPerform(iterations: 4) { client in
            #expect(throws: Never.self) {
                try PostgreSQLHealthDatabase(address).save(
                    [Made.heartRate(60, at: Double(client))], from: Made.source("App"))
            }
        }
        #expect(try PostgreSQLHealthDatabase(address).all(Made.heartRate).count == 4)
    }

    @Test func `a newer store is used if it declares itself compatible, and rejected otherwise`() throws {
        let address = try newDatabase()
        try PostgreSQLHealthDatabase(address).save([Made.heartRate(60, at: 0)], from: Made.source("App"))
        let server = try PostgreSQLConnection(address.connection)
        try server.run("UPDATE healthkit.schemaVersion SET version = version + 1")
        #expect(try PostgreSQLHealthDatabase(address).all(Made.heartRate).count == 1)
        try server.run("UPDATE healthkit.schemaVersion SET leastClient = version")
        let error = #expect(throws: HKError.self) { try PostgreSQLHealthDatabase(address).all(Made.heartRate) }
        #expect(error?.code == .errorHealthDataUnavailable)
        #expect(error?.localizedDescription.contains("Update this program") == true)
    }

    @Test func `the tables have SQLite's columns and the person`() throws {
        let address = try newDatabase()
        let database = PostgreSQLHealthDatabase(address)
        _ = try database.migrate()
        let server = try PostgreSQLConnection(address.connection)
        for table in try StoreTable.all() {
            let rows = try server.query(
                "SELECT attname FROM pg_attribute WHERE attrelid = CAST(? AS text)::regclass AND attnum > 0 AND NOT attisdropped",
                [.text("healthkit." + table.name)])
            let columns = (0..<rows.count).map { rows[$0].text(0) }
            #expect(
                Set(columns) == Set(table.columns.map { $0.lowercased().filter { $0 != "\"" } } + ["person"]),
                "\(table.name)")
        }
    }

    @Test func `migrating creates the tables, upgrades version 1, and then has nothing to do`() throws {
        let address = try newDatabase()
        let database = PostgreSQLHealthDatabase(address)
        #expect(
            try database.schema()
                == StoreSchemaState(
                    version: 0, newest: 3, pending: ["tables", "notes of writers", "zones of workouts"]))
        #expect(try database.migrate().pending.count == 3)
        #expect(try database.schema().pending == [])
        let server = try PostgreSQLConnection(address.connection)
        try server.run("DROP TABLE healthkit.writer; UPDATE healthkit.schemaVersion SET version = 1")
        #expect(
            try PostgreSQLHealthDatabase(address).migrate().pending
                == ["notes of writers", "zones of workouts"])
        try PostgreSQLHealthDatabase(address).save([Made.heartRate(60, at: 0)], from: Made.source("App"))
    }

    @Test(arguments: [true, false])
    func `a user who may not create the tables gets the command for their owner`(_ isNew: Bool) throws {
        let address = try newDatabase()
        let server = try PostgreSQLConnection(address.connection)
        if !isNew {
            _ = try PostgreSQLHealthDatabase(address).migrate()
            try server.run("DROP TABLE healthkit.writer; UPDATE healthkit.schemaVersion SET version = 1")
        }
        let login = "login" + UUID().uuidString.filter { $0 != "-" }.lowercased()
        try server.run("CREATE ROLE \(login) LOGIN\(isNew ? "" : " IN ROLE healthkit_app")")
        let stranger = PostgreSQLAddress(
            address.connection.replacing("user=postgres", with: "user=\(login)"), variables: [:])
        let error = #expect(throws: HKError.self) { try PostgreSQLHealthDatabase(stranger).all(Made.heartRate) }
        #expect(error?.localizedDescription.contains("workout store migrate") == true)
        #expect(error?.localizedDescription.contains(isNew ? "has no tables yet" : "has an older schema") == true)
    }

    @Test func `a user without rights learns which are missing`() throws {
        let address = try newDatabase()
        try PostgreSQLHealthDatabase(address).save([Made.heartRate(60, at: 0)], from: Made.source("App"))
        let login = "login" + UUID().uuidString.filter { $0 != "-" }.lowercased()
        try PostgreSQLConnection(address.connection).run("CREATE ROLE \(login) LOGIN")
        let stranger = PostgreSQLAddress(
            address.connection.replacing("user=postgres", with: "user=\(login)"), variables: [:])
        let error = #expect(throws: HKError.self) { try PostgreSQLHealthDatabase(stranger).all(Made.heartRate) }
        #expect(
            error?.localizedDescription.contains("GRANT healthkit_app") == true, "\(error?.localizedDescription ?? "")")
    }

    /// An owner who is no superuser and may not create roles, as on a hosted server.
    private func ownedDatabase() throws -> (owner: PostgreSQLAddress, name: String) {
        let address = try newDatabase()
        let server = try PostgreSQLConnection(address.connection)
        let owner = "owner" + UUID().uuidString.filter { $0 != "-" }.lowercased()
        try server.run(
            "CREATE ROLE \(owner) LOGIN; DO $$ BEGIN EXECUTE 'GRANT CREATE ON DATABASE ' || current_database() || ' TO \(owner)'; END $$"
        )
        return (
            PostgreSQLAddress(address.connection.replacing("user=postgres", with: "user=\(owner)"), variables: [:]),
            owner
        )
    }

    @Test func `an ordinary owner adds people that the owner cannot act for`() throws {
        let (owner, name) = try ownedDatabase()
        let login = name.replacing("owner", with: "anna")
        let server = try PostgreSQLConnection(owner.connection.replacing("user=\(name)", with: "user=postgres"))
        try server.run("CREATE ROLE \(login) LOGIN")
        try PostgreSQLPeople(owner).add("anna", login: login)
        #expect(try PostgreSQLPeople(owner).all().contains(StoredPerson(name: "anna", login: login)))
        try server.run("GRANT healthkit_app TO \(login)")
        func anna(_ user: String) -> PostgreSQLHealthDatabase {
            PostgreSQLHealthDatabase(
                PostgreSQLAddress(
                    owner.connection.replacing("user=\(name)", with: "user=\(user)"),
                    variables: ["HEALTHKIT_PERSON": "anna"]))
        }
        try anna(login).save([Made.heartRate(60, at: 0)], from: Made.source("App"))
        #expect(try anna(login).all(Made.heartRate).count == 1)
        #expect(throws: HKError.self) { try anna(name).all(Made.heartRate) }
        let error = #expect(throws: HKError.self) {
            try PostgreSQLPeople(
                PostgreSQLAddress(owner.connection.replacing("user=\(name)", with: "user=\(login)"), variables: [:])
            ).add("ben")
        }
        #expect(error?.localizedDescription.contains("Only the owner") == true)
    }

    @Test func `roles created after the tables get their rights when the owner connects`() throws {
        let (owner, name) = try ownedDatabase()
        try PostgreSQLHealthDatabase(owner).save([Made.heartRate(60, at: 0)], from: Made.source("App"))
        let server = try PostgreSQLConnection(owner.connection.replacing("user=\(name)", with: "user=postgres"))
        try server.run(
            """
            REVOKE ALL ON ALL TABLES IN SCHEMA healthkit FROM healthkit_app, healthkit_study;
            REVOKE ALL ON ALL SEQUENCES IN SCHEMA healthkit FROM healthkit_app, healthkit_study;
            REVOKE ALL ON SCHEMA healthkit FROM healthkit_app, healthkit_study;
            DROP POLICY study ON healthkit.run
            """)
        let rights = "rights of healthkit_app and healthkit_study"
        #expect(try PostgreSQLHealthDatabase(owner).migrate().pending == [rights])
        #expect(try PostgreSQLHealthDatabase(owner).schema().pending == [])
        let study = name.replacing("owner", with: "study")
        try server.run("CREATE ROLE \(study) LOGIN IN ROLE healthkit_study")
        let reader = try PostgreSQLConnection(owner.connection.replacing("user=\(name)", with: "user=\(study)"))
        #expect(try reader.query("SELECT count(*) FROM healthkit.run")[0].integer(0) == 1)
    }

    @Test func `the researcher of a study can back up all people with pg_dump`() throws {
        let programs = try #require(ProcessInfo.processInfo.environment["HEALTHKIT_TEST_POSTGRESQL_PROGRAMS"])
        let (owner, name) = try ownedDatabase()
        try PostgreSQLHealthDatabase(owner).save([Made.heartRate(60, at: 0)], from: Made.source("App"))
        let server = try PostgreSQLConnection(owner.connection.replacing("user=\(name)", with: "user=postgres"))
        let study = name.replacing("owner", with: "study")
        try server.run("CREATE ROLE \(study) LOGIN IN ROLE healthkit_study")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: programs + "/pg_dump")
        process.arguments = [
            "--schema=healthkit", "--enable-row-security", "--data-only", "--table=healthkit.run*",
            owner.connection.replacing("user=\(name)", with: "user=\(study)"),
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let dump = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(dump.components(separatedBy: "\n").contains { $0.hasPrefix("1\t1\t") || $0.contains("\t60\t60\t") })
    }
}
#endif
