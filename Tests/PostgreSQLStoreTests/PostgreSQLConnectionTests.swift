#if PostgreSQL
import Foundation
import HealthStore
import MadeSamples
import Testing

@testable import PostgreSQLStore

/// The type that wraps libpq.
@Suite(.enabled(if: PostgreSQLUnderTest.address != nil, "needs a server: make test-postgres"))
struct PostgreSQLConnectionTests {
    private func connect(preparing: Bool = true) throws -> PostgreSQLConnection {
        try PostgreSQLConnection(try #require(PostgreSQLUnderTest.address), preparingStatements: preparing)
    }

    @Test(arguments: [true, false])
    func `values survive a round trip`(_ isPreparing: Bool) throws {
        let connection = try connect(preparing: isPreparing)
        let values: [StoredValue] = [
            .integer(.min), .integer(-1), .integer(.max), .real(-0.1), .real(.infinity), .real(.leastNonzeroMagnitude),
            .text("Jürgen 🏃 ?"), .text(""), .blob(Data([0, 255, 1])), .blob(Data()), .null,
        ]
        for _ in 0..<2 {
            let result = try connection.query(
                """
                SELECT CAST(? AS bigint), CAST(? AS bigint), CAST(? AS bigint), CAST(? AS float8), CAST(? AS float8), \
                CAST(? AS float8), CAST(? AS text), CAST(? AS text), CAST(? AS bytea), CAST(? AS bytea), CAST(? AS bigint)
                """, values)
            #expect((0..<11).map(result[0].stored) == values)
        }
        let others = try connection.query("SELECT 7::int2, -7::int4, true, 2.5::float4, NULL::text")[0]
        #expect((0..<5).map(others.stored) == [.integer(7), .integer(-7), .integer(1), .real(2.5), .null])
        #expect(others.isNull(4) && others.text(4) == "" && others.real(0) == 7)
        #expect(try connection.query("SELECT -0.0::float8 / 1")[0].real(0) == 0)
    }

    @Test func `an error has its code, and the connection stays usable`() throws {
        let connection = try connect()
        let error = #expect(throws: PostgreSQLError.self) { try connection.query("SELECT 1 / 0") }
        #expect(error?.sqlState == "22012")
        #expect(try connection.query("SELECT 1")[0].integer(0) == 1)
        #expect(!connection.isBroken)
    }

    @Test func `COMMIT of a failed transaction reports the rollback`() throws {
        let connection = try connect()
        try connection.run("BEGIN")
        #expect(throws: PostgreSQLError.self) { try connection.query("SELECT nothing") }
        #expect(try connection.run("COMMIT") == "ROLLBACK")
    }

    @Test func `a connection that the server ended is broken`() throws {
        let connection = try connect()
        let other = try connect()
        let process = try connection.query("SELECT pg_backend_pid()")[0].integer(0)
        try other.query("SELECT pg_terminate_backend(CAST(? AS int8)::int)", [.integer(process)])
        let error = #expect(throws: PostgreSQLError.self) { try connection.query("SELECT 1") }
        #expect(error?.isAboutConnection == true)
        #expect(connection.isBroken)
    }

    @Test(arguments: [
        ("postgresql:///postgres?host=/nowhere", "cannot be reached"),
        ("postgresql:///nobase?{}", "Create it with 'createdb'"),
        ("postgresql:///postgres?{}&user=nobody2", "createuser"),
    ])
    func `a store that cannot be opened has a remedy`(text: String, words: String) throws {
        let parameters = try #require(PostgreSQLUnderTest.address?.split(separator: "?").last)
        let address = PostgreSQLAddress(text.replacing("{}", with: parameters), variables: [:])
        let error = #expect(throws: HKError.self) { try PostgreSQLHealthDatabase(address).storedProfile() }
        #expect(error?.localizedDescription.contains(words) == true, "\(error?.localizedDescription ?? "")")
    }

    @Test(arguments: [
        ("25006", HKError.Code.errorDatabaseInaccessible, "standby"), ("42501", .errorDatabaseInaccessible, "GRANT"),
        ("53100", .errorDatabaseInaccessible, "disk is full"),
        ("57014", .errorDatabaseInaccessible, "statement_timeout"),
        ("42P01", .errorHealthDataUnavailable, "another schema"), ("28P01", .errorDatabaseInaccessible, ".pgpass"),
        ("53300", .errorDatabaseInaccessible, "max_connections"),
        ("XX000", .errorDatabaseInaccessible, "please report"),
    ])
    func `each cause has its message and its code, and quotes no SQL`(state: String, code: HKError.Code, words: String)
    {
        let location = StoreLocation.postgreSQL(PostgreSQLAddress("postgresql://me:secret@host/db", variables: [:]))
        let error = PostgreSQLError(sqlState: state, message: "at SELECT 1").described(location)
        #expect(error.code == code)
        #expect(error.localizedDescription.contains(words), "\(error.localizedDescription)")
        #expect(!error.localizedDescription.contains("SELECT") && !error.localizedDescription.contains("secret"))
    }

    @Test(arguments: [
        ("server certificate for \"a\" does not match host name \"b\"", "over TLS"),
        ("root certificate file \"/x/root.crt\" does not exist", "over TLS"),
        ("server does not support SSL, but SSL was required", "over TLS"),
        ("invalid URI query parameter: \"bogus\"", "Correct HEALTHKIT_STORE"),
        ("definition of service \"gym\" not found", "Correct HEALTHKIT_STORE"),
        ("invalid sslmode value: \"x\"", "Correct HEALTHKIT_STORE"),
    ])
    func `an impossible address is not retried, and quotes the reason`(reason: String, words: String) {
        let error = PostgreSQLError(sqlState: nil, message: reason, isConnecting: true)
        #expect(!error.isAboutConnection)
        let location = StoreLocation.postgreSQL(PostgreSQLAddress("postgresql://host/db", variables: [:]))
        let sentence = error.described(location).localizedDescription
        #expect(sentence.contains(words) && sentence.contains(reason) && !sentence.contains("report"), "\(sentence)")
    }
}
#endif
