// Samples of a session that still runs. They come a second's worth at a time, so they go into short rows: to add to a long one
// writes all of it anew. When the workout is saved, its samples are cut into rows of the usual length, with the sequence numbers
// that they have: whoever has seen a sample does not see it again.

extension StoreWriter {
    /// Rows of samples that were collected are no longer than this: to add to one writes a single page of its content.
    private static let longestCollectedRow = 64

    func collect(_ samples: [HKSample], of session: UUID, from source: HKSourceRevision) throws {
        let ids = Set(samples.map(\.uuid))
        var missing = try find(ids).missing
        // A recovered session brings all that its log holds once more.
        if missing.count < ids.count {
            for type in Set(samples.lazy.filter { missing.contains($0.uuid) }.map(\.sampleType)) {
                missing.subtract(try deleted(among: missing, of: type))
            }
        }
        guard !missing.isEmpty else { return }
        var batch = SavedBatch(
            writer: self, source: source, session: session, longestRow: Self.longestCollectedRow)
        for sample in samples where missing.contains(sample.uuid) { try batch.add(sample) }
        try batch.store()
    }

    /// - Returns: How many samples there were.
    func deleteCollected(of session: UUID) throws -> Int {
        let first = UUID.ofSample(0, in: session)
        let last = UUID.ofSample(.max, in: session)
        let rows = try reader.runs("WHERE base BETWEEN ? AND ?", [first.data, last.data]).filter(\.kind.isColumns)
        for row in rows { try delete(row, Array(0..<row.count)) }
        return rows.reduce(0) { $0 + $1.count }
    }
}

extension StoreWriter {
    /// Adds readings of a running session to the growing run of their kind; see ``Schema``.
    ///
    /// - Parameter later: Their sequences are set, their UUIDs counted ones.
    /// - Parameter longest: A run that would become longer is complete.
    func grow(
        _ later: SampleRun, _ group: SampleGroup, _ typeID: Int64, longest: Int
    ) throws {
        let known = try reader.runs("WHERE type = ? AND base = ?", [typeID, later.ids.base?.data], among: .growing)
            .first { $0.origin == group.origin }
        var samples = later
        var row: Int64?
        if let known {
            if known.count + later.count <= longest, let first = later.starts.first, known.lastStart <= first {
                samples = try reader.columns(known).appending(later)
                row = known.id
            } else {
                try complete(known.id, known.type, known.lastSequence)
            }
        }
        var run = StoredRun(
            kind: group.unit == nil ? .categories : .quantities, type: typeID, origin: group.origin, samples: samples)
        run.describe(samples, of: group.type, in: group.unit)
        let ordinals = samples.ids.ordinals
        let columns = Data(samples.encoded(firstSequence: run.firstSequence))
        if let row {
            // What else it says of its samples is what brought them here.
            try db.execute(
                sql: """
                    UPDATE growingRun SET lastSequence = ?, count = ?, lastStart = ?, "end" = ?, minimum = ?, maximum = ?,
                        summary = ?, firstOrdinal = ?, lastOrdinal = ?, columns = ? WHERE id = ?
                    """,
                arguments: [
                    run.lastSequence, run.count, run.lastStart, run.end, run.minimum.storable, run.maximum.storable,
                    run.summary?.data, ordinals?.first, ordinals?.last, columns, row,
                ])
        } else {
            let least = try Int64.fetchOne(db, sql: "SELECT min(id) FROM growingRun") ?? 0
            try db.execute(
                sql: """
                    INSERT INTO growingRun (id, kind, type, source, revision, device, metadata, unit, firstSequence,
                        lastSequence, count, start, lastStart, "end", minimum, maximum, summary, base, firstOrdinal,
                        lastOrdinal, columns)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    least - 1, run.kind.rawValue, run.type, run.origin.source, run.origin.revision, run.origin.device,
                    run.origin.metadata, run.origin.unit, run.firstSequence, run.lastSequence, run.count, run.start,
                    run.lastStart, run.end, run.minimum.storable, run.maximum.storable, run.summary?.data,
                    run.base?.data, ordinals?.first, ordinals?.last, columns,
                ])
        }
    }

    /// Makes rows like all others of the growing runs of all sessions.
    func completeGrowingRuns() throws {
        let rows = try SQLRow.fetchAll(db, sql: "SELECT id, type, lastSequence FROM growingRun ORDER BY id DESC")
        for row in rows { try complete(row[0], row[1], row[2]) }
    }

    /// The content moves as it is: one that is damaged keeps nothing else from being written.
    private func complete(_ id: Int64, _ type: Int64, _ lastSequence: Int64) throws {
        let row = try db.insert(
            sql: """
                INSERT INTO run (kind, type, source, revision, device, metadata, unit, firstSequence, lastSequence, count,
                    start, lastStart, "end", minimum, maximum, summary, base, firstOrdinal, lastOrdinal)
                SELECT kind, type, source, revision, device, metadata, unit, firstSequence, lastSequence, count,
                    start, lastStart, "end", minimum, maximum, summary, base, firstOrdinal, lastOrdinal
                FROM growingRun WHERE id = ?
                """, arguments: [id])
        try db.execute(
            sql: "INSERT INTO content (run, columns) SELECT ?, columns FROM growingRun WHERE id = ?",
            arguments: [row, id])
        try db.execute(sql: "DELETE FROM growingRun WHERE id = ?", arguments: [id])
        noteChange(lastSequence, of: type)
    }
}

/// A sample that was taken out of its row.
struct FreeSample {
    var run: StoredRun
    /// All of the row.
    var samples: SampleRun
    var index: Int
}

extension StoreWriter {
    /// Takes samples of a source that belong to nothing out of their rows. So the samples of a workout stand in the same rows,
    /// whether some of them were stored while its session ran or all of them come now.
    func takeFree(_ found: ObjectLocations, of source: HKSourceRevision) throws -> [UUID: FreeSample] {
        let own = try ids(of: source)
        var taken: [UUID: FreeSample] = [:]
        for (run, indices) in found.rows.values where run.kind.isColumns && run.origin.revision == own.revision {
            guard try parents(of: run.id).isEmpty, try !isSynchronized(run.id) else { continue }
            let samples = try reader.columns(run)
            for index in indices {
                taken[samples.id(index)] = FreeSample(run: run, samples: samples, index: index)
            }
            let others = Set(samples.starts.indices).subtracting(indices).sorted()
            try replace(run, with: [samples.subset(others)])
        }
        return taken
    }
}

/// What the store has collected of a session, taken out of its rows as the session's log comes by.
///
/// The readings of a log have UUIDs that count upwards. So one block of 65,536 of them is needed at a time, or two where one ends.
struct CollectedRows {
    private struct Block {
        var base: UUID
        /// By ordinal; 0 for what the store has not collected.
        var sequences: [Int64] = []
        /// What somebody deleted while the session ran.
        var deleted: Set<UUID> = []
    }

    private let session: UUID
    /// The latest one last.
    private var blocks: [Block] = []
    /// Whether the workout was stored before and deleted: then its log brings back what was deleted with it.
    private var isSavedAgain: Bool?

    init(_ session: UUID) { self.session = session }

    /// Those of some samples, which the app added and the store does not hold, that somebody deleted while the session ran: they do not
    /// come back.
    mutating func deleted(_ samples: [HKSample], _ writer: StoreWriter) throws -> Set<UUID> {
        guard !samples.isEmpty else { return [] }
        let isSavedAgain =
            try self.isSavedAgain
            ?? !writer.deleted(among: [session], of: HKObjectType.workoutType()).isEmpty
        self.isSavedAgain = isSavedAgain
        guard !isSavedAgain else { return [] }
        let ids = Set(samples.map(\.uuid))
        return try Set(samples.map(\.sampleType)).reduce(into: []) { deleted, type in
            deleted.formUnion(try writer.deleted(among: ids, of: type))
        }
    }

    /// Takes the rows of the block of a UUID out of the store; does nothing for UUIDs that apps gave.
    mutating func load(_ id: UUID, from writer: StoreWriter) throws {
        guard block(of: id) == nil, id.isSample(of: session) else { return }
        var block = Block(base: id.base)
        let rows = try writer.reader.runs(
            "WHERE base = ? AND syncIdentifier IS NULL AND NOT EXISTS (SELECT 1 FROM member WHERE member.run = run.id)",
            [block.base.data], among: .complete)
        var count = 0
        for row in rows where row.kind.isColumns {
            let samples = try writer.reader.columns(row)
            for index in samples.starts.indices {
                let place = Int(samples.id(index).ordinal)
                if place >= block.sequences.count {
                    block.sequences += [Int64](repeating: 0, count: place + 1 - block.sequences.count)
                }
                block.sequences[place] = samples.sequences[index]
            }
            count += samples.count
            try writer.removeRow(row.id)
        }
        // What is missing in between was deleted, or belongs to something else as well.
        if count > 0, count < block.sequences.count {
            let all = try Data.fetchAll(
                writer.db, sql: "SELECT uuid FROM deleted WHERE uuid >= ? AND uuid <= ?",
                arguments: [block.base.data, block.base.with(ordinal: .max).data])
            block.deleted.formUnion(all.compactMap(UUID.init(data:)))
        }
        blocks = blocks.suffix(1) + [block]
    }

    private func block(of id: UUID) -> Block? { blocks.last { id.sharesBase(with: $0.base) } }

    /// The sequence number that a sample has; nil for one that was not collected.
    func sequence(of id: UUID) -> Int64? {
        guard let block = block(of: id), Int(id.ordinal) < block.sequences.count else { return nil }
        let sequence = block.sequences[Int(id.ordinal)]
        return sequence == 0 ? nil : sequence
    }

    /// Whether somebody deleted the sample while the session ran: it does not come back.
    func wasDeleted(_ id: UUID) -> Bool { block(of: id)?.deleted.contains(id) == true }
}
