import SessionLog

/// A health store in an SQL database. SQLite and PostgreSQL only open the transactions.
package protocol SQLHealthDatabase: HealthDatabase, AnyObject {
    var location: StoreLocation { get }
    var observers: StoreObservers { get }

    /// Runs `body` with a consistent snapshot of the store.
    func withReader<Result>(_ body: (StoreReader) throws -> Result) throws -> Result

    /// Runs `body` in a write transaction, and repeats it if the database asks for it.
    ///
    /// - Parameter waitsForDisk: Whether the change survives a power cut once this returns. If not, it becomes durable
    ///   with the next change that does.
    /// - Parameter isCollecting: Whether the change only adds samples of running sessions.
    func withWriter<Result>(
        waitingForDisk waitsForDisk: Bool, collecting isCollecting: Bool, _ body: (StoreWriter) throws -> Result
    ) throws -> Result

    /// Returns the damage that the database finds in its files and references.
    func databaseProblems(_ db: any SQLDatabase) throws -> [String]

    /// Returns the latest change of each type that changed after a sequence number, by type identifier.
    func latestChanges(after sequence: Int64) throws -> [(type: String, sequence: Int64)]

    /// The state of the tables. Creates and changes nothing.
    func schema() throws -> StoreSchemaState

    /// In bytes, with indexes. On a server, of all people.
    func size(_ db: any SQLDatabase) throws -> Int64

    /// Ensures that rows inserted later get higher numbers than this one.
    func reserveRowNumbers(through number: Int64, _ db: any SQLDatabase) throws
}

extension SQLHealthDatabase {
    func withWriter<Result>(_ body: (StoreWriter) throws -> Result) throws -> Result {
        try withWriter(waitingForDisk: true, collecting: false, body)
    }
}

extension StoreWriter {
    /// Makes changes and notifies observers.
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
    /// Returns the span of a row's samples that were added after a mark.
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
    /// Returns the problems that the database finds itself, and every row whose content cannot be read, has changed, or
    /// contradicts the row.
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
                else { return "its samples are not those that it describes." }
            }
            _ = try sample(run, try members(run), 0)
            return nil
        } catch {
            return "\(error)"
        }
    }
}

extension SQLHealthDatabase {
    /// The sources of cumulative types are merged by priority: if samples overlap, the newest source in the store wins,
    /// the next one fills the gaps, and a partly covered sample counts in proportion to time. (On Apple's systems, the
    /// user orders the sources, and new devices come first by default.) Values of discrete types are not added up, so
    /// all of them count. If they are weighted by time, a value is held until the next one of the same source.
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
            // A sample that ends at the first bound or begins at the last one is outside, unless it is a moment.
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

    package func workouts(beginningWith digits: String) throws -> Set<UUID> {
        try withReader { reader in
            guard let type = try reader.id(of: .workoutType()) else { return [] }
            // The rows have the UUIDs without their last four digits.
            let base = digits.prefix(28)
            func bound(_ digit: Character) -> Data? {
                var text = base + String(repeating: digit, count: 32 - base.count)
                return text.withUTF8(Hexadecimal.bytes).map { Data($0) }
            }
            guard let least = bound("0"), let greatest = bound("F") else { return [] }
            var found: Set<UUID> = []
            // The unary plus leaves the index of the UUIDs to be used.
            try reader.eachRun("WHERE +type = ? AND base >= ? AND base <= ?", [type, least, greatest]) { run in
                if let id = run.base?.with(ordinal: run.firstOrdinal), id.begins(with: digits) { found.insert(id) }
                return true
            }
            return found
        }
    }

    package func replacedWorkouts(beginningWith digits: String) throws -> Set<UUID> {
        try withReader { reader in
            let all = try Data.fetchAll(reader.db, sql: "SELECT DISTINCT old FROM successor")
            return Set(all.compactMap(UUID.init(data:)).filter { $0.begins(with: digits) })
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

    /// Saves the new objects of a batch, all or none. If `isEnded` returns true, keeps what is saved so far.
    /// - Parameter own: The samples that the import has added so far, including those of this call.
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

    /// Each type has a transaction of its own, so that no running session waits for long.
    package func assignSamples(toWorkouts ids: Set<UUID>, isEnded: () -> Bool) throws -> Int {
        guard !ids.isEmpty else { return 0 }
        let assignment = try withReader { try WorkoutAssignment(ids, $0) }
        var assigned: Set<Int64> = []
        for type in assignment.types.sorted(by: { $0.identifier < $1.identifier }) where !isEnded() {
            assigned.formUnion(try withWriter { try assignment.assign(type, $0) })
        }
        return assigned.count
    }
}
