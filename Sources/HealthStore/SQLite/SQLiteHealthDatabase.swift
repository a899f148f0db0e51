import GRDB
import Glibc
import SessionLog
import Synchronization

/// The health store: SQLite, in a file or in memory.
///
/// Opened at the first use, so that making an `HKHealthStore` cannot fail. The file is in WAL mode: a reader never waits, a
/// second writer waits for the first (30 s), also in another process. When a process ends, it moves the log into the file
/// (``StoreCheckpoint``).
///
/// **Durability.** A commit is on the disk before a call returns: it survives the death of the process (`kill -9`) and a
/// loss of power. SQLite runs with `synchronous = FULL`, one `fdatasync` of the write-ahead log a transaction
/// (sqlite.org/pragma.html#pragma_synchronous). The samples of a live session do not pay for that group by group: the session's
/// journal is their durable copy until the workout is saved, so their commits wait for no disk (`synchronous = NORMAL`).
package final class SQLiteHealthDatabase: HealthDatabase {
    package let location: StoreLocation
    private let opened = Mutex<(any DatabaseWriter)?>(nil)
    let observers: StoreObservers

    /// How long a writer waits for another process.
    private let busyTimeoutInSeconds: TimeInterval

    /// A store of its own; nothing is opened yet.
    package init(_ location: StoreLocation, busyTimeoutInSeconds: TimeInterval = 30) {
        self.location = location
        observers = StoreObservers(of: location)
        self.busyTimeoutInSeconds = busyTimeoutInSeconds
    }

    private static let shared = Mutex<[StoreLocation: SQLiteHealthDatabase]>([:])

    /// The one store of this process at a location.
    package static func shared(_ location: StoreLocation) -> SQLiteHealthDatabase {
        shared.withLock { stores in
            if let store = stores[location] { return store }
            let store = SQLiteHealthDatabase(location)
            stores[location] = store
            return store
        }
    }

    // MARK: Access

    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try HKError.ofStore(at: location) { try database().read(body) }
    }

    /// - Parameter waitsForDisk: Whether the change survives a loss of power when this returns. If not, the next change that does
    ///   takes it along.
    /// - Parameter isCollecting: Whether the change only adds what running sessions measure.
    func write<Result>(
        waitingForDisk waitsForDisk: Bool = true, collecting isCollecting: Bool = false,
        _ body: (StoreWriter) throws -> Result
    ) throws -> Result {
        func change(_ db: Database) throws -> Result {
            let writer = try StoreWriter(db)
            if !isCollecting { try writer.completeGrowingRuns() }
            let result = try body(writer)
            try writer.finish()
            return result
        }
        let result = try HKError.ofStore(at: location) {
            let database = try self.database()
            guard !waitsForDisk, database is DatabasePool else { return try database.write(change) }
            // The setting cannot change within a transaction.
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

    func database() throws -> any DatabaseWriter {
        try opened.withLock { opened in
            if let database = opened { return database }
            let database = try openPatiently()
            opened = database
            return database
        }
    }

    /// SQLite does not wait for the lock under which a file becomes a WAL database, so two processes that make a store at
    /// the same moment may see each other.
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
            // 16 MB of pages a connection: the rows of some hundred million samples.
            try db.execute(sql: "PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY")
        }
        let database: any DatabaseWriter
        switch location {
        case .memory:
            database = try DatabaseQueue(configuration: configuration)
        case .file(let path):
            if StoreCheckpoint.lacksItsLog(path) {
                Notice.post(
                    "\(location.title) is empty, though it was in use before. If it is a copy, its data are in the file that "
                        + "ends with -wal beside the original: copy that too, or use 'workout backup'.")
            }
            try Self.prepareFile(path)
            StoreCheckpoint.makeAtExit(of: path)
            let pool = try DatabasePool(path: path, configuration: configuration)
            // Here, as the pool sets NORMAL after it has prepared the connection.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            database = pool
        case .unknown(let scheme): throw StoreLocation.fault(of: scheme)
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

    /// The folder and the file are the owner's alone. SQLite gives the files beside it the same permissions.
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
        // A file that is there already keeps its permissions; any other failure is SQLite's to report.
        let descriptor = Glibc.open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    // MARK: Settings

    package func setting(_ name: String) throws -> Data? {
        try read { try Data.fetchOne($0, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name]) }
    }

    package func updateSetting(_ name: String, _ change: (Data?) throws -> Data?) throws {
        try write { writer in
            let old = try Data.fetchOne(
                writer.db, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name])
            if let value = try change(old) {
                try writer.db.execute(sql: "INSERT OR REPLACE INTO setting VALUES (?, ?)", arguments: [name, value])
            } else {
                try writer.db.execute(sql: "DELETE FROM setting WHERE name = ?", arguments: [name])
            }
        }
    }
}

extension SQLiteHealthDatabase {
    package func changedTimes(_ type: HKSampleType, after mark: Int64) throws -> ChangedTimes {
        try read { db in
            let reader = StoreReader(db)
            let last = try Int64.fetchOne(db, sql: "SELECT last FROM latestSequence") ?? 0
            guard let id = try reader.id(of: type), mark < last else { return ChangedTimes(mark: last, ranges: []) }
            var ranges: [ClosedRange<Date>] = []
            for run in try reader.runs("WHERE type = ? AND lastSequence > ?", [id, mark]) {
                if let range = try reader.times(of: run, after: mark) { ranges.append(range) }
            }
            let deleted = try Row.fetchCursor(
                db, sql: "SELECT start, end FROM deleted WHERE type = ? AND sequence > ?", arguments: [id, mark])
            while let row = try deleted.next() {
                guard let start = row[0] as Double?, let end = row[1] as Double?, start <= end else {
                    return ChangedTimes(mark: last, ranges: nil)
                }
                ranges.append(.seconds(start, end))
            }
            return ChangedTimes(mark: last, ranges: ranges.sorted { $0.lowerBound < $1.lowerBound })
        }
    }
}

extension StoreReader {
    /// From the first start to the last end of the samples of a row that came after a mark.
    fileprivate func times(of run: StoredRun, after mark: Int64) throws -> ClosedRange<Date>? {
        guard run.firstSequence <= mark else { return .seconds(run.start, run.end) }
        let samples = try members(run)
        var first = Double.infinity
        var last = -Double.infinity
        for index in samples.starts.indices where samples.sequences[index] > mark {
            first = min(first, samples.starts[index])
            last = max(last, samples.ends[index])
        }
        return first <= last ? .seconds(first, last) : nil
    }
}

extension ClosedRange<Date> {
    /// Seconds since the reference date.
    fileprivate static func seconds(_ first: Double, _ last: Double) -> Self {
        Date(timeIntervalSinceReferenceDate: first)...Date(timeIntervalSinceReferenceDate: last)
    }
}

extension SQLiteHealthDatabase {
    /// What SQLite finds, and every row whose content cannot be read, has changed, or is not what the row says.
    package func checkIntegrity() throws -> [String] {
        try read { db in
            var problems = try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
            problems += try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").map {
                "A row of \($0[0] as String) refers to nothing."
            }
            let reader = StoreReader(db)
            try reader.eachRun("ORDER BY id", []) { run in
                if let problem = reader.problem(run) { problems.append("Row \(run.id): \(problem)") }
                return true
            }
            return problems
        }
    }
}

extension StoreReader {
    fileprivate func problem(_ run: StoredRun) -> String? {
        do {
            if run.kind.isColumns {
                guard try withColumns(of: run, { SampleRun.isIntact($0) }) else { return "its samples have changed." }
                let samples = try columns(run)
                guard samples.starts.first == run.start, samples.starts.last == run.lastStart,
                    samples.ends.max() == run.end, samples.sequences.min() == run.firstSequence,
                    samples.sequences.max() == run.lastSequence
                else { return "its samples are not those that it speaks of." }
            }
            _ = try sample(run, try members(run), 0)
            return nil
        } catch {
            return "\(error)"
        }
    }
}

extension SQLiteHealthDatabase {
    /// The sources of cumulative types are merged by priority: the one that came into the store last wins where samples
    /// overlap, the next fills the gaps, a sample that is partly covered counts in proportion to time. (The user's own
    /// order on Apple's systems; its default there puts new devices first, too.) Values of discrete types are not added
    /// up, so all of them count; where they weigh by time, a value holds until the next one of the same source.
    package func statistics(
        _ selection: SampleSelection, bounds: StatisticsBounds, separatingSources: Bool
    ) throws -> [StatisticsBucket] {
        guard let type = selection.type as? HKQuantityType else { return [] }
        return try read { db in
            let reader = StoreReader(db)
            let dates: [Double]
            switch bounds {
            case .dates(let bounds): dates = bounds.map(\.timeIntervalSinceReferenceDate)
            case .whole: dates = [-.infinity, .infinity]
            }
            guard let first = dates.first, let last = dates.last, dates.count > 1 else { return [] }
            // A sample that ends at the first bound or begins at the last one lies outside, unless it is a moment.
            let inside = RunCondition("start < ? AND end >= ?", [last, first])
            var pieces: [StatisticsPiece] = []
            try reader.eachCandidate(selection, and: inside, order: "ORDER BY start, firstSequence") { run, filter in
                pieces.append(StatisticsPiece(run: run, filter: filter))
                return true
            }
            let sources = try StatisticsSources(pieces, type, reader, dates)
            return try sources.buckets(bounds, separatingSources: separatingSources)
        }
    }
}

extension SQLiteHealthDatabase {
    package func apply(_ changes: [StoreChange], from source: HKSourceRevision, once mark: String?) throws {
        let waitsForDisk = changes.contains { change in
            if case .collect(_, _, let isDurable) = change { isDurable } else { true }
        }
        let isCollecting = changes.allSatisfy { change in
            if case .collect = change { true } else { false }
        }
        try write(waitingForDisk: waitsForDisk, collecting: isCollecting) { writer in
            if let mark, try !writer.note(mark) { return }
            for change in changes { try writer.apply(change, from: source) }
        }
    }

    package func remove(_ removal: StoreRemoval, owner: String?) throws -> Int {
        try write { writer in
            switch removal {
            case .objects(let ids): try writer.delete(ids, owner: owner)
            case .matches(let selection): try writer.delete(selection, owner: owner)
            case .effort(let sample, let workout, let activity):
                try writer.unrelateEffort(sample, workout: workout, activity: activity) ? 1 : 0
            case .collected(let session): try writer.deleteCollected(of: session)
            case .attachment(let attachment, let object): try writer.detach(attachment, from: object) ? 1 : 0
            }
        }
    }

    package func undo(changeOf workout: UUID?, owner: String?, at date: Date) throws -> UndoableChange? {
        try write { try $0.undo(changeOf: workout, owner: owner, at: date) }
    }

    package func successors(of workout: UUID) throws -> Set<UUID> {
        try read { try StoreReader($0).storedSuccessors(of: workout) }
    }

    package func replacedWorkouts(beginningWith digits: String) throws -> Set<UUID> {
        try read { db in
            let ids = try Data.fetchAll(
                db, sql: "SELECT old FROM successor WHERE substr(hex(old), 1, ?) = ?",
                arguments: [digits.utf8.count, digits])
            return Set(ids.compactMap(UUID.init(data:)))
        }
    }

    package func predecessors(of workout: UUID) throws -> Set<UUID> {
        try read { db in
            let ids = try Data.fetchAll(
                db, sql: "SELECT old FROM successor WHERE new = ?", arguments: [workout.data])
            return Set(ids.compactMap(UUID.init(data:)))
        }
    }

    package func undoableChanges(at date: Date) throws -> [UndoableChange] {
        try read { try StoreReader($0).undoableChanges(at: date) }
    }

    /// Saves what is not in the store yet, all or none; as much of it as is saved when `isEnded` says that it is enough.
    /// - Parameter own: What the import has added so far; gains what it adds now.
    /// - Returns: Counts by type identifier.
    package func merge(
        _ batch: ImportBatch, own: inout ImportedSequences, isEnded: @escaping @Sendable () -> Bool
    ) throws -> [String: HealthImportSummary.Count] {
        let before = own
        let (counts, added) = try write { writer in
            var merge = ImportMerge(writer: writer, own: before, isEnded: isEnded)
            let last = writer.lastSequence
            try merge.add(batch.columns)
            try merge.add(named: batch.named)
            for object in batch.objects where !merge.isEnded() { try merge.add(object) }
            return (merge.counts, last + 1..<writer.lastSequence + 1)
        }
        own.add(added)
        return counts
    }
}
