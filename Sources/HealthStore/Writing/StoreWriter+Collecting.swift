// Samples of a running session. They arrive once a second, so they go into short rows, because adding to a row writes all of it
// again. When the workout is saved, its samples are cut into rows of the usual length. They keep their sequence numbers, so an
// anchored query that has returned a sample does not return it again.

extension StoreWriter {
    /// The most samples in a row of a running session, so that adding to it writes a single page.
    private static let longestCollectedRow = 64

    func collect(_ samples: [HKSample], of session: UUID, from source: HKSourceRevision) throws {
        let ids = Set(samples.map(\.uuid))
        var missing = try find(ids).missing
        // A recovered session sends its whole log again.
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

    /// - Returns: The number of samples.
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
    /// - Parameter later: The readings, with sequence numbers and counted UUIDs.
    /// - Parameter longest: The most samples of a run. A new run begins before it becomes longer.
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
            // The other columns are equal for all samples of the kind.
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

    /// Turns the growing runs of all sessions into ordinary rows.
    func completeGrowingRuns() throws {
        let rows = try SQLRow.fetchAll(db, sql: "SELECT id, type, lastSequence FROM growingRun ORDER BY id DESC")
        for row in rows { try complete(row[0], row[1], row[2]) }
    }

    /// Moves the content unread, so that a damaged one does not prevent other writes.
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

/// A sample that was removed from its row.
struct FreeSample {
    var run: StoredRun
    /// All samples of the row.
    var samples: SampleRun
    var index: Int
}

extension StoreWriter {
    /// Removes samples of a source that belong to nothing from their rows. So the rows of a workout are the same whether some of
    /// its samples were stored while the session ran or all of them come now.
    func takeFree(_ found: ObjectLocations, of source: HKSourceRevision) throws -> [UUID: FreeSample] {
        let own = try ids(of: source)
        var taken: [UUID: FreeSample] = [:]
        for (run, indices) in found.rows.values where run.kind.isColumns && run.origin.revision == own.revision {
            guard try parents(of: run.id).isEmpty, try !isSynchronized(run.id) else { continue }
            let samples = try reader.columns(run)
            for index in indices {
                taken[samples.id(index)] = FreeSample(run: run, samples: samples, index: index)
            }
            try replace(run, with: [samples.without(indices)])
        }
        return taken
    }
}

/// The samples that the store collected from a session, removed from their rows as the session's log is read.
///
/// The readings of a log have UUIDs that count upwards. So one block of 65,536 is needed at a time, or two at a boundary.
struct CollectedRows {
    private struct Block {
        var base: UUID
        /// The sequence numbers by ordinal. 0 for a sample that was not collected.
        var sequences: [Int64] = []
        /// The samples that were deleted while the session ran.
        var deleted: Set<UUID> = []
    }

    private let session: UUID
    /// The blocks, latest last.
    private var blocks: [Block] = []
    /// Whether the workout was stored before and deleted. Then its log restores what was deleted with it.
    private var isSavedAgain: Bool?

    init(_ session: UUID) { self.session = session }

    /// Returns the samples that the app added and that were deleted while the session ran. They are not stored again.
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

    /// Removes the rows of the block of a UUID from the store. Does nothing for UUIDs of apps.
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
        // Missing ordinals were deleted, or also belong to something else.
        if count > 0, count < block.sequences.count {
            let all = try Data.fetchAll(
                writer.db, sql: "SELECT uuid FROM deleted WHERE uuid >= ? AND uuid <= ?",
                arguments: [block.base.data, block.base.with(ordinal: .max).data])
            block.deleted.formUnion(all.compactMap(UUID.init(data:)))
        }
        blocks = blocks.suffix(1) + [block]
    }

    private func block(of id: UUID) -> Block? { blocks.last { id.sharesBase(with: $0.base) } }

    /// The sequence number of a sample. Nil if it was not collected.
    func sequence(of id: UUID) -> Int64? {
        guard let block = block(of: id), Int(id.ordinal) < block.sequences.count else { return nil }
        let sequence = block.sequences[Int(id.ordinal)]
        return sequence == 0 ? nil : sequence
    }

    /// Whether the sample was deleted while the session ran. Then it is not stored again.
    func wasDeleted(_ id: UUID) -> Bool { block(of: id)?.deleted.contains(id) == true }
}
