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
/// **A lost connection.** What was not committed is done again. Each transaction notes its connection and the number of the attempt in
/// `writer`. If the connection is lost during COMMIT, that note tells whether the transaction is in the store, once the lock on the person
/// shows that it is over. The transaction's own number would not do: another server that takes over may use it again.
package final class PostgreSQLHealthDatabase: SQLHealthDatabase {
    package let location: StoreLocation
    private let address: PostgreSQLAddress
    package let observers: StoreObservers
    private let patience: Duration
    private let pool: PostgreSQLPool
    private let access = Mutex<Access?>(nil)
    private let known = Mutex<Known?>(nil)

    /// How long changes of other machines may go unseen.
    private static let pollInSeconds = 0.05
    private static let pauseInSeconds = 0.1

    /// What was found out when the store was opened.
    private struct Access: Sendable {
        var person: Int64
        /// The role to take in each transaction; nil to stay who one is. A superuser would see all people.
        var role: String?
    }

    /// What the latest write knew, so that the next one need not ask. A server that takes over, or starts again, may lack what was
    /// committed without waiting for the disk: it has not started at that time.
    private struct Known: Sendable {
        var serverStart: Int64
        /// The number of the latest change, apart from what sessions collect.
        var lastChange: Int64
        var numbers: KnownNumbers
    }

    /// What the last write knew that still holds.
    private func numbers(_ locked: (serverStart: Int64, lastChange: Int64)) -> KnownNumbers {
        guard let known = known.withLock({ $0 }), known.serverStart == locked.serverStart else { return KnownNumbers() }
        var numbers = known.numbers
        if known.lastChange != locked.lastChange { numbers.othersChanged() }
        return numbers
    }

    /// A store of its own; nothing is opened yet.
    /// - Parameter patienceInSeconds: How long a server that went away is waited for.
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
        // Of a transaction whose COMMIT was not answered.
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
                    // Of a transaction in which a statement failed, the server rolls back, and reports success.
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

    /// Waits for other writers of the person, and notes the attempt.
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
        // Apps may take its numbers, and not set it.
        try db.execute(
            sql: "SELECT max(nextval('rowNumber')) FROM generate_series(1, CAST(? AS BIGINT))",
            arguments: [number - next])
    }

    /// Runs `body` until it succeeds, as long as the server can be expected back.
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

    /// Gives `body` a connection and what was found out about the store.
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
            // Another client may have come first.
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

    /// Types by their identifiers, in one round trip: begun and committed with the question.
    package func latestChanges(after sequence: Int64) throws -> [(type: String, sequence: Int64)] {
        try patiently {
            try withConnection { connection, access in
                let begin = PostgreSQLSchema.begin("READ ONLY", as: access.person, role: access.role)
                let question = "SELECT identifier, sequence FROM healthkit.latestChange WHERE sequence > "
                // To plan it takes most of its time.
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
