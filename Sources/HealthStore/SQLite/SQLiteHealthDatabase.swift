import GRDB
import Glibc
import SessionLog
import Synchronization

/// The health store: SQLite, in a file or in memory.
///
/// It is opened at the first use, so that creating an `HKHealthStore` cannot fail. The file is in WAL mode: readers
/// never wait, and a second writer waits up to 30 s for the first, even in another process. When a process ends, it
/// moves the log into the file (``StoreCheckpoint``).
///
/// **Durability.** A commit is on the disk before a call returns, so it survives `kill -9` and power cuts. SQLite runs
/// with `synchronous = FULL`: one `fdatasync` of the write-ahead log for each transaction
/// (sqlite.org/pragma.html#pragma_synchronous). Samples of a live session are the exception. The session's journal
/// keeps them until the workout is saved, so their commits do not wait for the disk (`synchronous = NORMAL`).
package final class SQLiteHealthDatabase: SQLHealthDatabase {
    package let location: StoreLocation
    private let opened = Mutex<(any DatabaseWriter)?>(nil)
    package let observers: StoreObservers

    /// How long a writer waits for another process.
    private let busyTimeoutInSeconds: TimeInterval

    /// Creates the store without opening it.
    package init(_ location: StoreLocation, busyTimeoutInSeconds: TimeInterval = 30) {
        self.location = location
        observers = StoreObservers(of: location)
        self.busyTimeoutInSeconds = busyTimeoutInSeconds
    }

    // MARK: Access

    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try HKError.ofStore(at: location) { try database().read(body) }
    }

    package func withReader<Result>(_ body: (StoreReader) throws -> Result) throws -> Result {
        try read { try body(StoreReader(SQLiteStatements($0))) }
    }

    package func withWriter<Result>(
        waitingForDisk waitsForDisk: Bool, collecting isCollecting: Bool, _ body: (StoreWriter) throws -> Result
    ) throws -> Result {
        func change(_ db: Database) throws -> Result {
            try StoreWriter(SQLiteStatements(db)).change(collecting: isCollecting, body)
        }
        let result = try HKError.ofStore(at: location) {
            let database = try self.database()
            guard !waitsForDisk, database is DatabasePool else { return try database.write(change) }
            // SQLite cannot change this setting within a transaction.
            return try database.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = NORMAL")
                defer { try? db.execute(sql: "PRAGMA synchronous = FULL") }
                var result: Result?
                try db.inTransaction(.immediate) {
                    result = try change(db)
                    return .commit
                }
                // The transaction has set it, or has thrown.
                return result!
            }
        }
        observers.storeChanged()
        return result
    }

    package func databaseProblems(_ db: any SQLDatabase) throws -> [String] {
        let references = try String.fetchAll(db, sql: "PRAGMA foreign_key_check")
        return try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
            + references.map { "A row of \($0) refers to nothing." }
    }

    package func schema() throws -> StoreSchemaState {
        var applied: Set<String> = []
        let all = Schema.migrator.migrations
        switch location {
        case .file(let path) where FileManager.default.fileExists(atPath: path):
            applied = try HKError.ofStore(at: location) {
                var configuration = Configuration()
                configuration.readonly = true
                return try DatabaseQueue(path: path, configuration: configuration).read(
                    Schema.migrator.appliedIdentifiers)
            }
        case .memory: applied = Set(all)
        case .file, .postgreSQL, .unknown: break
        }
        return StoreSchemaState(
            version: applied.count, newest: all.count, pending: all.filter { !applied.contains($0) })
    }

    package func size(_ db: any SQLDatabase) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size") ?? 0
    }

    /// SQLite numbers each row above all others of its table.
    package func reserveRowNumbers(through number: Int64, _ db: any SQLDatabase) {}

    func database() throws -> any DatabaseWriter {
        try opened.withLock { opened in
            if let database = opened { return database }
            let database = try openPatiently()
            opened = database
            return database
        }
    }

    /// SQLite does not wait for the lock under which a file becomes a WAL database. So two processes that create a
    /// store at the same time may collide.
    private func openPatiently() throws -> any DatabaseWriter {
        let end = ContinuousClock.now + .seconds(busyTimeoutInSeconds)
        while true {
            do {
                return try open()
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < end {
                Thread.sleep(forTimeInterval: 0.05)
            }
        }
    }

    private func open() throws -> any DatabaseWriter {
        var configuration = Configuration()
        configuration.busyMode = .timeout(busyTimeoutInSeconds)
        configuration.label = "HealthKit.store"
        configuration.maximumReaderCount = 4
        configuration.prepareDatabase { db in
            // 16 MB of pages for each connection hold the rows of some hundred million samples.
            try db.execute(sql: "PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY")
        }
        let database: any DatabaseWriter
        switch location {
        case .memory:
            database = try DatabaseQueue(configuration: configuration)
        case .file(let path):
            if StoreCheckpoint.lacksItsLog(path) {
                Notice.post(
                    "\(location.title) is empty, though it was in use before. If it is a copy, its data is in the file that "
                        + "ends with -wal beside the original: copy that too, or use 'workout backup'.")
            }
            try Self.prepareFile(path)
            StoreCheckpoint.makeAtExit(of: path)
            let pool = try DatabasePool(path: path, configuration: configuration)
            // Not earlier, because the pool sets NORMAL after it has prepared the connection.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            database = pool
        case .postgreSQL, .unknown:
            throw location.fault
                ?? HKError.make(.errorInvalidArgument, "\(location.title) is not an SQLite database.")
        }
        let (isNewer, isCurrent) = try database.read { db in
            (try Schema.migrator.hasBeenSuperseded(db), try Schema.migrator.hasCompletedMigrations(db))
        }
        guard !isNewer else {
            throw HKError.make(
                .errorHealthDataUnavailable,
                "\(location.title) was written by a newer version of OpenHealthKit. Update this program, or choose another "
                    + "store with HEALTHKIT_STORE.")
        }
        guard !isCurrent else { return database }
        guard try database.read(Schema.isEmptyOrOurs) else {
            throw HKError.make(
                .errorHealthDataUnavailable,
                "\(location.title) is not a health store but another program's database. Choose another file, or move this "
                    + "one away.")
        }
        try Schema.migrate(database)
        return database
    }

    /// Only the owner may read the folder and the file. SQLite gives the files beside it the same permissions.
    private static func prepareFile(_ path: String) throws {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw HKError.make(
                .errorHealthDataUnavailable,
                "The health store \(path) cannot be opened: it is a folder. Choose a file in it with HEALTHKIT_STORE.")
        }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        do {
            try DurableFile.makeFolder(folder)
        } catch {
            throw HKError.make(
                .errorHealthDataUnavailable,
                "The folder \(folder.path) of the health store cannot be created. Choose a file elsewhere with HEALTHKIT_STORE.",
                cause: error)
        }
        // An existing file keeps its permissions. SQLite reports any other failure.
        let descriptor = Glibc.open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }
}
