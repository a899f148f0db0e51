#if PostgreSQL
import Synchronization

/// The connections of this process to one address. All people's stores share them, because a transaction's person ends
/// with it.
///
/// A connection has one user at a time. As many are open as are in use, and a few are kept.
final class PostgreSQLPool: Sendable {
    private let address: String
    private let state = Mutex(State())
    private static let mostIdle = 8

    private struct State {
        var idle: [PostgreSQLConnection] = []
        var preparesStatements = true
    }

    private struct Known {
        weak var pool: PostgreSQLPool?
    }

    private static let pools = Mutex<[String: Known]>([:])

    /// The shared pool of an address, as long as a store uses it.
    static func shared(_ address: String) -> PostgreSQLPool {
        pools.withLock { pools in
            if let pool = pools[address]?.pool { return pool }
            let pool = PostgreSQLPool(address)
            pools = pools.filter { $0.value.pool != nil }
            pools[address] = Known(pool: pool)
            return pool
        }
    }

    private init(_ address: String) { self.address = address }

    /// Runs `body` with a connection, which returns to the pool unless it is broken. A transaction that `body` leaves
    /// open is rolled back.
    func withConnection<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
        let (idle, preparesStatements) = state.withLock { ($0.idle.popLast(), $0.preparesStatements) }
        let connection = try idle ?? PostgreSQLConnection(address, preparingStatements: preparesStatements)
        do {
            let result = try body(connection)
            giveBack(connection)
            return result
        } catch {
            if !connection.isBroken, (try? connection.run("ROLLBACK")) != nil { giveBack(connection) }
            throw error
        }
    }

    private func giveBack(_ connection: PostgreSQLConnection) {
        guard !connection.isBroken else { return }
        state.withLock { state in
            if state.idle.count < Self.mostIdle, connection.preparesStatements == state.preparesStatements {
                state.idle.append(connection)
            }
        }
    }

    /// Closes the idle connections, because the server went away.
    func forgetConnections() {
        // Closed outside of the lock.
        _ = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
    }

    /// Notes that a pooler without prepared statements is behind the address.
    func stopPreparing() {
        state.withLock { $0.preparesStatements = false }
        forgetConnections()
    }
}
#endif
