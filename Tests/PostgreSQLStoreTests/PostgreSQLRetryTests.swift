#if PostgreSQL
import Foundation
import MadeSamples
import Synchronization
import Testing

@testable import HealthStore
@testable import PostgreSQLStore

/// Repeated transactions lose nothing and store nothing twice.
@Suite(.enabled(if: PostgreSQLUnderTest.address != nil, "needs a server: make test-postgres"))
struct PostgreSQLRetryTests {
    private let source = Made.source("App")

    @Test(arguments: ["40001", "40P01"])
    func `a conflicting transaction is repeated`(_ state: String) throws {
        let database = try PostgreSQLUnderTest.database()
        var tries = 0
        try database.withWriter(waitingForDisk: true, collecting: false) { writer in
            tries += 1
            try writer.apply(.save(.objects([Made.heartRate(60, at: 0)])), from: source)
            if tries < 3 { throw PostgreSQLError(sqlState: state, message: "") }
        }
        #expect(tries == 3)
        #expect(try database.all(Made.heartRate).count == 1)
    }

    /// Ends the server process of a connection, and waits until it has ended.
    private func terminate(_ db: any SQLDatabase) throws {
        let process = try Int64.fetchOne(db, sql: "SELECT pg_backend_pid()") ?? 0
        let other = try PostgreSQLConnection(try #require(PostgreSQLUnderTest.address))
        let ended = try other.query(
            "SELECT pg_terminate_backend(CAST(CAST(? AS int8) AS int4), 60000)", [.integer(process)])
        #expect(ended[0].integer(0) == 1)
    }

    @Test func `a transaction whose connection is lost is repeated`() throws {
        let database = try PostgreSQLUnderTest.database()
        var tries = 0
        try database.withWriter(waitingForDisk: true, collecting: false) { writer in
            tries += 1
            try writer.apply(.save(.objects([Made.heartRate(60, at: 0)])), from: source)
            if tries == 1 { try terminate(writer.db) }
        }
        #expect(tries == 2)
        #expect(try database.all(Made.heartRate).count == 1)
        tries = 0
        let count = try database.withReader { reader in
            tries += 1
            if tries == 1 { try terminate(reader.db) }
            return try Int.fetchOne(reader.db, sql: "SELECT count(*) FROM run")
        }
        #expect(tries == 2 && count == 1)
    }

    /// As behind PgBouncer in transaction mode: the next transaction may be on another connection to the server.
    @Test func `statements that the server forgot are sent in full from then on`() throws {
        let database = try PostgreSQLUnderTest.database()
        for second in 0..<3 {
            try database.withWriter(waitingForDisk: true, collecting: false) { writer in
                try writer.db.execute(sql: "DEALLOCATE ALL")
                try writer.apply(.save(.objects([Made.heartRate(60, at: Double(second))])), from: source)
            }
        }
        #expect(try database.all(Made.heartRate).count == 3)
    }

    @Test(arguments: [(CuttingProxy.Cut.before, 2), (.after, 1)])
    func `a COMMIT without an answer saves once`(_ cut: CuttingProxy.Cut, _ expectedTries: Int) throws {
        let whole = PostgreSQLUnderTest.address(ofPerson: try PostgreSQLUnderTest.newPerson())
        let folder = try #require(whole.connection.firstMatch(of: /host=([^&]+)/)?.1)
        let proxy = try CuttingProxy(to: folder + "/.s.PGSQL.5432")
        defer { proxy.close() }
        let address = PostgreSQLAddress(
            whole.connection.replacing("host=\(folder)", with: "host=\(proxy.folder)") + "&person=\(whole.person)",
            variables: [:])
        let database = PostgreSQLHealthDatabase(address)
        try database.save([Made.heartRate(60, at: 0)], from: source)
        var tries = 0
        proxy.cutNextCommit(cut)
        let saved = try database.withWriter(waitingForDisk: true, collecting: false) { writer in
            tries += 1
            try writer.apply(.save(.objects([Made.heartRate(61, at: 1)])), from: source)
            return tries
        }
        #expect(proxy.cuts == 1)
        #expect(tries == expectedTries && saved == expectedTries)
        #expect(try PostgreSQLHealthDatabase(whole).all(Made.heartRate).count == 2)
        try database.save([Made.heartRate(62, at: 2)], from: source)
        #expect(try PostgreSQLHealthDatabase(whole).all(Made.heartRate).count == 3)
    }

    /// As if another server took over that lacks the latest transactions.
    @Test func `a writer's knowledge of the store is discarded with the connection`() throws {
        let person = try PostgreSQLUnderTest.newPerson()
        let database = PostgreSQLHealthDatabase(PostgreSQLUnderTest.address(ofPerson: person))
        try database.save([Made.heartRate(60, at: 0)], from: source)
        try database.save([Made.heartRate(61, at: 1)], from: source)
        let other = try PostgreSQLConnection(try #require(PostgreSQLUnderTest.address))
        for table in ["content", "run", "revision", "source", "unit", "type"] {
            try other.run(
                "DELETE FROM healthkit.\(table) WHERE person = (SELECT id FROM healthkit.person WHERE name = '\(person)')"
            )
        }
        var tries = 0
        _ = try database.withReader { reader in
            tries += 1
            if tries == 1 { try terminate(reader.db) }
            return try Int.fetchOne(reader.db, sql: "SELECT count(*) FROM run")
        }
        try database.save([Made.heartRate(62, at: 2)], from: source)
        #expect(
            try PostgreSQLHealthDatabase(PostgreSQLUnderTest.address(ofPerson: person)).all(Made.heartRate).count == 1)
    }

    @Test func `names and foreign UUIDs that another writer stored are visible`() throws {
        let address = PostgreSQLUnderTest.address(ofPerson: try PostgreSQLUnderTest.newPerson())
        let (one, other) = (PostgreSQLHealthDatabase(address), PostgreSQLHealthDatabase(address))
        try one.save([Made.heartRate(60, at: 0)], from: Made.source("App"))
        let sample = Made.heartRate(61, at: 1)
        try other.save([sample], from: Made.source("Renamed", bundle: "App"))
        #expect(throws: HKError.self) { try one.save([sample], from: Made.source("App")) }
        try one.save([Made.heartRate(62, at: 2)], from: Made.source("App"))
        let names = try Set(other.all(Made.heartRate).map(\.sourceRevision.source.name))
        #expect(names == ["App"])
    }

    @Test func `an error of the caller changes nothing and is not retried`() throws {
        let database = try PostgreSQLUnderTest.database()
        let sample = Made.heartRate(60, at: 0)
        try database.save([sample], from: source)
        let error = #expect(throws: HKError.self) {
            try database.save([Made.heartRate(61, at: 1), sample], from: source)
        }
        #expect(error?.code == .errorInvalidArgument)
        #expect(try database.all(Made.heartRate).count == 1)
    }
}
#endif
