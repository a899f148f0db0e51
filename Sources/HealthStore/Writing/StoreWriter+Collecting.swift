import GRDB

// Samples of a session that still runs. They come a second's worth at a time, so they go into short rows: to add to a long one
// writes all of it anew. When the workout is saved, its samples are cut into rows of the usual length, with the sequence numbers
// that they have: whoever has seen a sample does not see it again.

extension StoreWriter {
    /// Rows of samples that were collected are no longer than this: to add to one writes a single page of its content.
    private static let longestCollectedRow = 64

    func collect(_ samples: [HKSample], of session: UUID, from source: HKSourceRevision) throws {
        let missing = try find(Set(samples.map(\.uuid))).missing
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

    init(_ session: UUID) { self.session = session }

    /// Takes the rows of the block of a UUID out of the store; does nothing for UUIDs that apps gave.
    mutating func load(_ id: UUID, from writer: StoreWriter) throws {
        guard block(of: id) == nil, id.isSample(of: session) else { return }
        var block = Block(base: id.base)
        let rows = try writer.reader.runs(
            "WHERE base = ? AND syncIdentifier IS NULL AND NOT EXISTS (SELECT 1 FROM member WHERE member.run = run.id)",
            [block.base.data])
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
            let all = try Data.fetchCursor(
                writer.db, sql: "SELECT uuid FROM deleted WHERE uuid >= ? AND uuid <= ?",
                arguments: [block.base.data, block.base.with(ordinal: .max).data])
            while let id = try all.next() { if let id = UUID(data: id) { block.deleted.insert(id) } }
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
