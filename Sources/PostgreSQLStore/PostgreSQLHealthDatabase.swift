#if PostgreSQL
import Foundation
package import HealthStore
import Synchronization

/// The health store of a person on PostgreSQL.
///
/// **Order.** A writer first locks the person's row of `sequence`, which holds the number of the latest change. So the numbers of a
/// person's changes become visible in their order, and whoever continues from an anchor misses none. Writers of different people do
/// not wait for each other. Under that lock each statement may see what was committed before it (READ COMMITTED); a reader sees one
/// moment (REPEATABLE READ).
///
/// **Durability.** A commit is on the server's disk before a call returns, as far as its `synchronous_commit` says so. The samples of
/// a live session do not wait for the disk: the session's journal is their durable copy.
///
/// **A lost connection.** What was not committed is done again. If the connection is lost during COMMIT, the server is asked what
/// became of the transaction (`pg_xact_status`), once the lock on the person shows that it is over.
package final class PostgreSQLHealthDatabase: SQLHealthDatabase {
    package let location: StoreLocation
    private let address: PostgreSQLAddress
    package let observers: StoreObservers
    private let patience: Duration
    private let state = Mutex(State())

    /// How long changes of other machines may go unseen.
    private static let pollInSeconds = 0.05
    private static let mostIdleConnections = 4
    private static let pauseInSeconds = 0.1

    private struct State {
        var idle: [PostgreSQLConnection] = []
        var access: Access?
        var preparesStatements = true
    }

    /// What was found out when the store was opened.
    private struct Access: Sendable {
        var person: Int64
        /// The role to take in each transaction; nil to stay who one is. A superuser would see all people.
        var role: String?
    }

    /// A store of its own; nothing is opened yet.
    /// - Parameter patienceInSeconds: How long a server that went away is waited for.
    package init(_ address: PostgreSQLAddress, patienceInSeconds: Double = 30) {
        self.address = address
        location = .postgreSQL(address)
        patience = .seconds(patienceInSeconds)
        observers = StoreObservers(of: location, pollInSeconds: Self.pollInSeconds)
    }

    // MARK: Access

    package func withReader<Result>(_ body: (StoreReader) throws -> Result) throws -> Result {
        try patiently {
            try withConnection { connection, access in
                try connection.run(
                    PostgreSQLSchema.begin(
                        "ISOLATION LEVEL REPEATABLE READ READ ONLY", as: access.person, role: access.role))
                let result = try body(StoreReader(PostgreSQLTransaction(connection)))
                try connection.run("COMMIT")
                return result
            }
        }
    }

    package func withWriter<Result>(
        waitingForDisk waitsForDisk: Bool, collecting isCollecting: Bool, _ body: (StoreWriter) throws -> Result
    ) throws -> Result {
        // Of a transaction whose COMMIT was not answered.
        var unanswered: (transaction: Int64, result: Result)?
        let result: Result = try patiently {
            try withConnection { connection, access in
                try connection.run(PostgreSQLSchema.begin("READ WRITE", as: access.person, role: access.role))
                if !waitsForDisk { try connection.run("SET LOCAL synchronous_commit = off") }
                let transaction = try lock(connection)
                if let former = unanswered {
                    let status = try connection.query(
                        "SELECT coalesce(pg_xact_status(CAST(? AS xid8)), '')", [.integer(former.transaction)])
                    if status[0].text(0) == "committed" {
                        try connection.run("COMMIT")
                        return former.result
                    }
                    unanswered = nil
                }
                let result = try StoreWriter(PostgreSQLTransaction(connection)).change(collecting: isCollecting, body)
                unanswered = (transaction, result)
                do {
                    try connection.run("COMMIT")
                } catch let error where !connection.isBroken {
                    unanswered = nil
                    throw error
                }
                return result
            }
        }
        observers.storeChanged()
        return result
    }

    /// Waits for other writers of the person.
    /// - Returns: The number of this transaction.
    private func lock(_ connection: PostgreSQLConnection) throws -> Int64 {
        try connection.query("SELECT last FROM sequence FOR UPDATE")
        let row = try connection.query("SELECT CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT) FROM sequence")
        guard row.count == 1 else { throw refused }
        return row[0].integer(0)
    }

    package func databaseProblems(_ db: any SQLDatabase) throws -> [String] { [] }

    /// Runs `body` until it succeeds, as long as the server can be expected back.
    private func patiently<Result>(_ body: () throws -> Result) throws -> Result {
        try HKError.ofStore(at: location) {
            let end = ContinuousClock.now + patience
            var isWaiting = false
            while true {
                do {
                    return try body()
                } catch let error as PostgreSQLError {
                    if error.isAboutPreparedStatement {
                        state.withLock { state in
                            state.preparesStatements = false
                            state.idle = []
                        }
                    }
                    let wasOpen = state.withLock { $0.access != nil }
                    guard error.isPassing || error.isAboutConnection && wasOpen, ContinuousClock.now < end else {
                        throw error.described(location)
                    }
                    if error.isAboutConnection {
                        state.withLock { $0.idle = [] }
                        if !isWaiting {
                            Notice.post(
                                "\(location.title) cannot be reached. Waiting up to \(patience) for the server.")
                        }
                        isWaiting = true
                        Thread.sleep(forTimeInterval: Self.pauseInSeconds)
                    }
                }
            }
        }
    }

    /// Gives `body` a connection, which goes back to the others unless it is broken. What `body` leaves open is rolled back.
    private func withConnection<Result>(
        _ body: (PostgreSQLConnection, Access) throws -> Result
    ) throws -> Result {
        let (idle, preparesStatements, known) = state.withLock { state in
            (state.idle.popLast(), state.preparesStatements, state.access)
        }
        let connection =
            try idle ?? PostgreSQLConnection(address.connection, preparingStatements: preparesStatements)
        let access: Access
        if let known {
            access = known
        } else {
            access = try open(connection)
            state.withLock { $0.access = access }
        }
        do {
            let result = try body(connection, access)
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
            if state.idle.count < Self.mostIdleConnections, connection.preparesStatements == state.preparesStatements {
                state.idle.append(connection)
            }
        }
    }

    // MARK: Opening

    private func open(_ connection: PostgreSQLConnection) throws -> Access {
        try PostgreSQLSchema.prepare(connection, location)
        let role = try connection.query("SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user")
        let seesAll = role.count == 1 && role[0].integer(0) != 0
        var person = try PostgreSQLPeople.number(of: address.person, connection)
        if person == nil, address.person == PostgreSQLAddress.defaultPerson {
            // Another client may have come first.
            person =
                try PostgreSQLPeople.add(address.person, login: nil, connection)
                ?? PostgreSQLPeople.number(of: address.person, connection)
        }
        guard let person else {
            throw HKError.make(
                .errorInvalidArgument,
                "\(location.title) does not know this person. Add the person with 'workout person add \(address.person)', or choose "
                    + "another with HEALTHKIT_PERSON.")
        }
        return Access(person: person, role: seesAll ? "healthkit_app" : nil)
    }

    private var refused: HKError {
        HKError.make(
            .errorAuthorizationDenied,
            "\(location.title) does not let this user be that person. Choose another person with HEALTHKIT_PERSON, or have the "
                + "owner of the store change the person's login.")
    }
}
#endif
