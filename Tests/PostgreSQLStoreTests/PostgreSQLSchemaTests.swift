#if PostgreSQL
import Foundation
import MadeSamples
import Testing

@testable import HealthStore
@testable import PostgreSQLStore

/// Versions of the tables.
@Suite(.enabled(if: PostgreSQLUnderTest.address != nil, "needs a server: make test-postgres"))
struct PostgreSQLSchemaTests {
    /// An empty database of its own.
    private func newDatabase() throws -> PostgreSQLAddress {
        let server = try #require(PostgreSQLUnderTest.address)
        let name = "base" + UUID().uuidString.filter { $0 != "-" }.lowercased()
        try PostgreSQLConnection(server).run("CREATE DATABASE \(name) TEMPLATE template0")
        return PostgreSQLAddress(server.replacing("/postgres?", with: "/\(name)?"), variables: [:])
    }

    @Test func `the first use makes the tables and the default person`() throws {
        let address = try newDatabase()
        try PostgreSQLHealthDatabase(address).save([Made.heartRate(60, at: 0)], from: Made.source("App"))
        #expect(try PostgreSQLHealthDatabase(address).all(Made.heartRate).count == 1)
        #expect(try PostgreSQLPeople(address).all().map(\.name) == ["default"])
    }

    @Test func `clients that come first at the same moment all find the tables`() throws {
        let address = try newDatabase()
        DispatchQueue.concurrentPerform(iterations: 4) { client in
            #expect(throws: Never.self) {
                try PostgreSQLHealthDatabase(address).save(
                    [Made.heartRate(60, at: Double(client))], from: Made.source("App"))
            }
        }
        #expect(try PostgreSQLHealthDatabase(address).all(Made.heartRate).count == 4)
    }

    @Test func `a newer store is used if it says that it can be, else refused`() throws {
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

    @Test func `migrating makes the tables, goes on from version 1, and then has nothing to do`() throws {
        let address = try newDatabase()
        let database = PostgreSQLHealthDatabase(address)
        #expect(
            try database.schema() == StoreSchemaState(version: 0, newest: 2, pending: ["tables", "notes of writers"]))
        #expect(try database.migrate().pending.count == 2)
        #expect(try database.schema().pending == [])
        let server = try PostgreSQLConnection(address.connection)
        try server.run("DROP TABLE healthkit.writer; UPDATE healthkit.schemaVersion SET version = 1")
        #expect(try PostgreSQLHealthDatabase(address).migrate().pending == ["notes of writers"])
        try PostgreSQLHealthDatabase(address).save([Made.heartRate(60, at: 0)], from: Made.source("App"))
    }

    @Test(arguments: [true, false])
    func `who may not make the tables names the command for their owner`(_ isNew: Bool) throws {
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

    @Test func `a user without rights is told which`() throws {
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
}
#endif
