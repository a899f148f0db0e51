#if PostgreSQL
import Foundation
import HealthStore
import MadeSamples
import Testing

@testable import PostgreSQLStore

/// Behind PgBouncer in transaction mode, each transaction gets any of a few connections to the server.
@Suite(
    .enabled(
        if: PostgreSQLUnderTest.pooler != nil, "needs pgbouncer, and make test-postgres"))
struct PostgreSQLPoolerTests {
    private let source = Made.source("App")

    private func database(_ person: String) -> PostgreSQLHealthDatabase {
        let address = "\(PostgreSQLUnderTest.pooler ?? "")&person=\(person)"
        return PostgreSQLHealthDatabase(PostgreSQLAddress(address, variables: [:]))
    }

    @Test func `people can be added and listed`() throws {
        let name = UUID().uuidString
        let people = PostgreSQLPeople(PostgreSQLAddress(PostgreSQLUnderTest.pooler ?? "", variables: [:]))
        for round in 0..<6 { try people.add("\(name)-\(round)") }
        #expect(try people.all().filter { $0.name.hasPrefix(name) }.count == 6)
    }

    @Test func `more clients than connections write and read, and each sees its own person`() throws {
        let names = try (0..<8).map { _ in try PostgreSQLUnderTest.newPerson() }
        DispatchQueue.concurrentPerform(iterations: names.count) { client in
            #expect(throws: Never.self) {
                let database = database(names[client])
                for index in 0..<20 {
                    try database.save([Made.heartRate(60 + Double(client), at: Double(index))], from: source)
                    #expect(try database.all(Made.heartRate).count == index + 1)
                }
            }
        }
        for (client, name) in names.enumerated() {
            let samples = try database(name).all(Made.heartRate).compactMap { $0 as? HKQuantitySample }
            #expect(samples.count == 20)
            #expect(samples.allSatisfy { $0.quantity.doubleValue(for: Made.perMinute) == 60 + Double(client) })
        }
    }

    /// This pooler keeps no prepared statements, and gives the last used connection to the next client.
    @Test func `a client never runs another one's statement`() throws {
        let pooler = try #require(PostgreSQLUnderTest.pooler)
        for round in 0..<4 {
            let adding = try PostgreSQLConnection(pooler)
            let doubling = try PostgreSQLConnection(pooler)
            func ask(_ connection: PostgreSQLConnection, _ sql: String, expecting expected: Int64) throws {
                do {
                    #expect(try connection.query(sql, [.integer(20)])[0].integer(0) == expected)
                } catch {
                    #expect(error.isAboutPreparedStatement)
                    _ = try? connection.run("ROLLBACK")
                }
            }
            let sum = "SELECT CAST(? AS bigint) + \(round + 1)"
            let product = "SELECT CAST(? AS bigint) * \(round + 2)"
            for connection in [adding, doubling] { try connection.run("BEGIN") }
            try ask(adding, sum, expecting: 21 + Int64(round))
            try ask(doubling, product, expecting: 20 * Int64(round + 2))
            for connection in round.isMultiple(of: 2) ? [adding, doubling] : [doubling, adding] {
                _ = try? connection.run("COMMIT")
            }
            try ask(adding, sum, expecting: 21 + Int64(round))
            try ask(doubling, product, expecting: 20 * Int64(round + 2))
        }
    }

    @Test func `an observer is notified of another client's write`() throws {
        let name = try PostgreSQLUnderTest.newPerson()
        let heard = DispatchSemaphore(value: 0)
        let database = database(name)
        let observation = database.observe(askingSessions: false) { _ in heard.signal() }
        try PostgreSQLUnderTest.database(ofPerson: name).save([Made.heartRate(60, at: 0)], from: source)
        #expect(heard.wait(timeout: .now() + 20) == .success)
        observation.cancel()
    }
}
#endif
