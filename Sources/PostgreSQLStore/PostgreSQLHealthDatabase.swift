#if PostgreSQL
import Foundation
package import HealthStore
import Synchronization

/// The health store of a person on PostgreSQL.
///
/// **Order.** A writer first locks the person's row of `sequence`, which holds the number of the latest change. So a
/// person's changes become visible in the order of their numbers, and a reader that continues from an anchor misses
/// none. Writers of different people do not wait for each other. Under that lock, each statement sees everything
/// committed before it (READ COMMITTED). A reader has one consistent snapshot (REPEATABLE READ).
///
/// **Durability.** A commit is on the server's disk before a call returns, depending on its `synchronous_commit`.
/// Samples of a live session do not wait for the disk, because the session's journal has them.
///
/// **A lost connection.** An uncommitted transaction is repeated. Each transaction notes its connection and the number
/// of the attempt in `writer`. If the connection is lost during COMMIT, that note shows whether the transaction was
/// committed, once the lock on the person is free. The transaction's own number would not suffice, because a server
/// that takes over may reuse it.
package final class PostgreSQLHealthDatabase: SQLHealthDatabase {
    package let location: StoreLocation
    private let address: PostgreSQLAddress
    package let observers: StoreObservers
    private let patience: Duration
    private let pool: PostgreSQLPool
    private let access = Mutex<Access?>(nil)
    private let known = Mutex<Known?>(nil)

    /// The longest time until changes of other machines are found.
    private static let pollInSeconds = 0.05
    private static let pauseInSeconds = 0.1

    /// Facts found when the store was opened.
    private struct Access: Sendable {
        var person: Int64
        /// The role to switch to in each transaction, because a superuser would see all people. Nil to keep the login's
        /// role.
        var role: String?
    }

    /// The numbers known to the latest write, so that the next one need not query them. A server that takes over or
    /// restarts may lack commits that did not wait for the disk. Its start time shows that.
    private struct Known: Sendable {
        var serverStart: Int64
        /// The number of the latest change, without collected samples.
        var lastChange: Int64
        var numbers: KnownNumbers
    }

    /// The numbers known to the last write that are still valid.
    private func numbers(_ locked: (serverStart: Int64, lastChange: Int64)) -> KnownNumbers {
        guard let known = known.withLock({ $0 }), known.serverStart == locked.serverStart else { return KnownNumbers() }
        var numbers = known.numbers
        if known.lastChange != locked.lastChange { numbers.othersChanged() }
        return numbers
    }

    /// Creates the store without connecting.
    /// - Parameter patienceInSeconds: How long to wait for a server that went away.
    package init(_ address: PostgreSQLAddress, patienceInSeconds: Double = 30) {
        self.address = address
        location = .postgreSQL(address)
        patience = .seconds(patienceInSeconds)
        pool = .shared(address.connection)
        observers = StoreObservers(of: location, pollInSeconds: Self.pollInSeconds)
    }

    // MARK: Access

    package func withReader<Result>(_ body: (StoreReader) throws -> Result) throws -> Result {
        try patiently {
            try withConnection { connection, access in
                try connection.run(
                    PostgreSQLSchema.begin(
                        "ISOLATION LEVEL REPEATABLE READ READ ONLY", as: access.person, role: access.role))
                let result = try body(StoreReader(PostgreSQLTransaction(connection), readsAhead: true))
                try connection.run("COMMIT")
                return result
            }
        }
    }

    package func withWriter<Result>(
        waitingForDisk waitsForDisk: Bool, collecting isCollecting: Bool, _ body: (StoreWriter) throws -> Result
    ) throws -> Result {
        // A transaction with an unanswered COMMIT.
        var unanswered: (attempt: WriteAttempt, result: Result)?
        let result: Result = try patiently {
            try withConnection { connection, access in
                let begin = PostgreSQLSchema.begin("READ WRITE", as: access.person, role: access.role)
                try connection.run(waitsForDisk ? begin : begin + "; SET LOCAL synchronous_commit = off")
                let attempt = connection.nextAttempt()
                let locked = try lock(connection, attempt)
                if attempt.number == 1 { try WriteAttempt.forgetOld(connection) }
                if let former = unanswered {
                    if try former.attempt.isNoted(connection) {
                        try connection.run("COMMIT")
                        return former.result
                    }
                    unanswered = nil
                }
                let transaction = PostgreSQLTransaction(connection)
                let writer = try StoreWriter(transaction, known: numbers(locked))
                let result = try writer.change(collecting: isCollecting, body)
                try transaction.flush()
                unanswered = (attempt, result)
                do {
                    // After a failed statement, the server answers COMMIT with a rollback and reports success.
                    guard try connection.run("COMMIT") == "COMMIT" else {
                        throw PostgreSQLError(sqlState: "25P02", message: "the transaction was rolled back")
                    }
                } catch let error where !connection.isBroken {
                    unanswered = nil
                    throw error
                }
                let known = Known(
                    serverStart: locked.serverStart,
                    lastChange: writer.changes ? writer.lastSequence : locked.lastChange, numbers: writer.known)
                self.known.withLock { $0 = known.numbers.isSmall ? known : nil }
                return result
            }
        }
        observers.storeChanged()
        return result
    }

    /// Waits for other writers of the person and notes the attempt.
    /// - Returns: When the server started, in microseconds, and the number of the latest change.
    private func lock(
        _ connection: PostgreSQLConnection, _ attempt: WriteAttempt
    ) throws -> (serverStart: Int64, lastChange: Int64) {
        let people = try connection.query(
            """
            WITH locked AS (SELECT person, last FROM sequence FOR UPDATE),
            noted AS (
                INSERT INTO writer (person, client, attempt) SELECT person, CAST(? AS BYTEA), CAST(? AS BIGINT) FROM locked
                ON CONFLICT (person, client) DO UPDATE SET attempt = excluded.attempt, date = now()
            )
            SELECT CAST(extract(epoch FROM pg_postmaster_start_time()) * 1000000 AS BIGINT), last FROM locked
            """, [.blob(attempt.client), .integer(attempt.number)])
        guard people.count == 1 else { throw refused }
        return (people[0].integer(0), people[0].integer(1))
    }

    package func databaseProblems(_ db: any SQLDatabase) throws -> [String] { [] }

    package func schema() throws -> StoreSchemaState {
        do {
            return try PostgreSQLSchema.state(PostgreSQLConnection(address.connection, preparingStatements: false))
        } catch let error as PostgreSQLError {
            throw error.described(location)
        }
    }

    package func size(_ db: any SQLDatabase) throws -> Int64 {
        try Int64.fetchOne(
            db,
            sql: """
                SELECT CAST(coalesce(sum(pg_total_relation_size(oid)), 0) AS BIGINT) FROM pg_class
                WHERE relnamespace = 'healthkit'::regnamespace AND relkind = 'r'
                """) ?? 0
    }

    /// All people's rows have numbers of one sequence.
    package func reserveRowNumbers(through number: Int64, _ db: any SQLDatabase) throws {
        let next = try Int64.fetchOne(db, sql: "SELECT nextval('rowNumber')") ?? 0
        guard next < number else { return }
        // Apps may take numbers from it, but not set it.
        try db.execute(
            sql: "SELECT max(nextval('rowNumber')) FROM generate_series(1, CAST(? AS BIGINT))",
            arguments: [number - next])
    }

    /// Repeats `body` until it succeeds, as long as the server may come back.
    private func patiently<Result>(_ body: () throws -> Result) throws -> Result {
        try HKError.ofStore(at: location) {
            let end = ContinuousClock.now + patience
            var isWaiting = false
            while true {
                do {
                    return try body()
                } catch let error as PostgreSQLError {
                    if error.isAboutPreparedStatement { pool.stopPreparing() }
                    let wasOpen = access.withLock { $0 != nil }
                    guard error.isPassing || error.isAboutConnection && wasOpen, ContinuousClock.now < end else {
                        throw error.described(location)
                    }
                    if error.isAboutConnection {
                        pool.forgetConnections()
                        known.withLock { $0 = nil }
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

    /// Runs `body` with a connection and the facts about the store.
    private func withConnection<Result>(
        _ body: (PostgreSQLConnection, Access) throws -> Result
    ) throws -> Result {
        try pool.withConnection { connection in
            if let known = access.withLock({ $0 }) { return try body(connection, known) }
            let found = try open(connection)
            access.withLock { $0 = found }
            return try body(connection, found)
        }
    }

    // MARK: Opening

    private func open(_ connection: PostgreSQLConnection) throws -> Access {
        try PostgreSQLSchema.prepare(connection, location)
        let role = try connection.query("SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user")
        let seesAll = role.count == 1 && role[0].integer(0) != 0
        var person = try PostgreSQLPeople.number(of: address.person, connection)
        if person == nil, address.person == PostgreSQLAddress.defaultPerson {
            // Another client may have been first.
            person =
                try PostgreSQLPeople.add(address.person, login: nil, connection)
                ?? PostgreSQLPeople.number(of: address.person, connection)
        }
        guard let person else {
            throw HKError.make(
                .errorInvalidArgument,
                "\(location.title) does not know this person. Add the person with 'workout person add \(address.person)', or choose "
                    + "another with 'workout person use' or HEALTHKIT_PERSON.")
        }
        let isAllowed = try connection.query(
            "SELECT login IS NULL OR pg_has_role(session_user, CAST(login AS name), 'MEMBER') FROM healthkit.person WHERE id = ?",
            [.integer(person)])
        guard isAllowed.count == 1, isAllowed[0].integer(0) != 0 else { throw refused }
        return Access(person: person, role: seesAll ? "healthkit_app" : nil)
    }

    /// Types by their identifiers, in one round trip that also begins and commits the transaction.
    package func latestChanges(after sequence: Int64) throws -> [(type: String, sequence: Int64)] {
        try patiently {
            try withConnection { connection, access in
                let begin = PostgreSQLSchema.begin("READ ONLY", as: access.person, role: access.role)
                let question = "SELECT identifier, sequence FROM healthkit.latestChange WHERE sequence > "
                // Planning would take most of its time.
                let prepared = try connection.prepared(question + "?", 1).map { "EXECUTE \($0)(\(sequence))" }
                let rows = try connection.rows("\(begin); \(prepared ?? question + String(sequence)); COMMIT")
                return rows.map { ($0[0], Int64($0[1]) ?? 0) }
            }
        }
    }

    private var refused: HKError {
        HKError.make(
            .errorDatabaseInaccessible,
            "\(location.title) does not let this user be that person. Choose another person with HEALTHKIT_PERSON, or have the "
                + "owner of the store change the person's login.")
    }
}
#endif
