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
