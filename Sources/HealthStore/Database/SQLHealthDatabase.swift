import SessionLog

/// A health store in an SQL database. All that it does is here; SQLite and PostgreSQL open transactions.
package protocol SQLHealthDatabase: HealthDatabase, AnyObject {
    var location: StoreLocation { get }
    var observers: StoreObservers { get }

    /// Shows `body` the store as it is at one moment.
    func withReader<Result>(_ body: (StoreReader) throws -> Result) throws -> Result

    /// Runs `body` in a write transaction, and once more if the database asks for it.
    ///
    /// - Parameter waitsForDisk: Whether the change survives a loss of power when this returns. If not, the next change that does
    ///   takes it along.
    /// - Parameter isCollecting: Whether the change only adds what running sessions measure.
    func withWriter<Result>(
        waitingForDisk waitsForDisk: Bool, collecting isCollecting: Bool, _ body: (StoreWriter) throws -> Result
    ) throws -> Result

    /// Damage that the database finds in its own files and references.
    func databaseProblems(_ db: any SQLDatabase) throws -> [String]

    /// The latest change of each type that changed after a sequence number, by the type's identifier.
    func latestChanges(after sequence: Int64) throws -> [(type: String, sequence: Int64)]

    /// Of the tables as they are; nothing is made or changed.
    func schema() throws -> StoreSchemaState

    /// In bytes, with indexes; on a server, of all people.
    func size(_ db: any SQLDatabase) throws -> Int64

    /// Sees that no number up to this one is given to a row that is inserted later.
    func reserveRowNumbers(through number: Int64, _ db: any SQLDatabase) throws
}

extension SQLHealthDatabase {
    func withWriter<Result>(_ body: (StoreWriter) throws -> Result) throws -> Result {
        try withWriter(waitingForDisk: true, collecting: false, body)
    }
}

extension StoreWriter {
    /// Makes changes and notes what changed.
    package func change<Result>(collecting isCollecting: Bool, _ body: (StoreWriter) throws -> Result) throws -> Result
    {
        if !isCollecting { try completeGrowingRuns() }
        let result = try body(self)
        try finish()
        return result
    }
}

extension SQLHealthDatabase {
    // MARK: Settings

    package func setting(_ name: String) throws -> Data? {
        try withReader { try Data.fetchOne($0.db, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name]) }
    }

    package func updateSetting(_ name: String, _ change: (Data?) throws -> Data?) throws {
        try withWriter { writer in
            let old = try Data.fetchOne(
                writer.db, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name])
            let new = try change(old)
            try writer.db.execute(sql: "DELETE FROM setting WHERE name = ?", arguments: [name])
            if let value = new {
                try writer.db.execute(sql: "INSERT INTO setting (name, value) VALUES (?, ?)", arguments: [name, value])
            }
        }
    }
}

extension SQLHealthDatabase {
    package func changedTimes(_ type: HKSampleType, after mark: Int64) throws -> ChangedTimes {
        try withReader { reader in
            let last = try Int64.fetchOne(reader.db, sql: "SELECT last FROM latestSequence") ?? 0
            guard let id = try reader.id(of: type), mark < last else { return ChangedTimes(mark: last, ranges: []) }
            var ranges: [ClosedRange<Date>] = []
            for run in try reader.runs("WHERE type = ? AND lastSequence > ?", [id, mark]) {
                if let range = try reader.times(of: run, after: mark) { ranges.append(range) }
            }
            let deleted = try SQLRow.fetchAll(
                reader.db, sql: "SELECT start, \"end\" FROM deleted WHERE type = ? AND sequence > ?",
                arguments: [id, mark])
            for row in deleted {
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

extension SQLHealthDatabase {
    /// What the database itself finds, and every row whose content cannot be read, has changed, or is not what the row says.
    package func checkIntegrity() throws -> [String] {
        try withReader { reader in
            var problems = try databaseProblems(reader.db)
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

extension SQLHealthDatabase {
    /// The sources of cumulative types are merged by priority: the one that came into the store last wins where samples
    /// overlap, the next fills the gaps, a sample that is partly covered counts in proportion to time. (The user's own
    /// order on Apple's systems; its default there puts new devices first, too.) Values of discrete types are not added
    /// up, so all of them count; where they weigh by time, a value holds until the next one of the same source.
    package func statistics(
        _ selection: SampleSelection, bounds: StatisticsBounds, separatingSources: Bool
    ) throws -> [StatisticsBucket] {
        guard let type = selection.type as? HKQuantityType else { return [] }
        return try withReader { reader in
            let dates: [Double]
            switch bounds {
            case .dates(let bounds): dates = bounds.map(\.timeIntervalSinceReferenceDate)
            case .whole: dates = [-.infinity, .infinity]
            }
            guard let first = dates.first, let last = dates.last, dates.count > 1 else { return [] }
            // A sample that ends at the first bound or begins at the last one lies outside, unless it is a moment.
            let inside = RunCondition("start < ? AND \"end\" >= ?", [last, first])
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

extension SQLHealthDatabase {
    package func apply(_ changes: [StoreChange], from source: HKSourceRevision, once mark: String?) throws {
        let waitsForDisk = changes.contains { change in
            if case .collect(_, _, let isDurable) = change { isDurable } else { true }
        }
        let isCollecting = changes.allSatisfy { change in
            if case .collect = change { true } else { false }
        }
        try withWriter(waitingForDisk: waitsForDisk, collecting: isCollecting) { writer in
            if let mark, try !writer.note(mark) { return }
            for change in changes { try writer.apply(change, from: source) }
        }
    }

    package func remove(_ removal: StoreRemoval, owner: String?) throws -> Int {
        try withWriter { writer in
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
        try withWriter { try $0.undo(changeOf: workout, owner: owner, at: date) }
    }

    package func successors(of workout: UUID) throws -> Set<UUID> {
        try withReader { try $0.storedSuccessors(of: workout) }
    }

    package func replacedWorkouts(beginningWith digits: String) throws -> Set<UUID> {
        try withReader { reader in
            let all = try Data.fetchAll(reader.db, sql: "SELECT DISTINCT old FROM successor")
            return Set(
                all.compactMap(UUID.init(data:)).filter {
                    $0.uuidString.filter { $0 != "-" }.hasPrefix(digits)
                })
        }
    }

    package func predecessors(of workout: UUID) throws -> Set<UUID> {
        try withReader { reader in
            let ids = try Data.fetchAll(
                reader.db, sql: "SELECT old FROM successor WHERE new = ?", arguments: [workout.data])
            return Set(ids.compactMap(UUID.init(data:)))
        }
    }

    package func undoableChanges(at date: Date) throws -> [UndoableChange] {
        try withReader { try $0.undoableChanges(at: date) }
    }

    /// Saves what is not in the store yet, all or none; as much of it as is saved when `isEnded` says that it is enough.
    /// - Parameter own: What the import has added so far; gains what it adds now.
    /// - Returns: Counts by type identifier.
    package func merge(
        _ batch: ImportBatch, own: inout ImportedSequences, isEnded: @escaping @Sendable () -> Bool
    ) throws -> [String: ImportCount] {
        let before = own
        let (counts, added) = try withWriter { writer in
            var merge = ImportMerge(writer: writer, own: before, isEnded: isEnded)
            let last = writer.lastSequence
            try merge.add(batch.columns)
            try merge.add(named: batch.named)
            try merge.add(batch.objects)
            return (merge.counts, last + 1..<writer.lastSequence + 1)
        }
        own.add(added)
        return counts
    }
}
