import GRDB

extension SQLiteHealthDatabase {
    package func samples(
        _ selections: [SampleSelection], sortedBy sorts: [SampleSort], limit: Int?
    ) throws -> [HKSample] {
        guard limit != 0 else { return [] }
        return try read { db in
            var gathering = SampleGathering(StoreReader(db), sortedBy: sorts, limit: limit)
            for (index, selection) in selections.enumerated() {
                try gathering.add(selection, hasMore: index < selections.count - 1)
            }
            return try gathering.samples()
        }
    }

    package func contains(_ id: UUID) throws -> Bool {
        try read { try StoreReader($0).find(id) != nil }
    }

    package func sources(_ selection: SampleSelection) throws -> Set<HKSource> {
        try read { db in
            let reader = StoreReader(db)
            var sources: [Int64: HKSource] = [:]
            try reader.eachCandidate(selection) { run, filter in
                guard sources[run.origin.source] == nil else { return true }
                if try filter == .all || !reader.matches(run, reader.members(run), filter).isEmpty {
                    sources[run.origin.source] = try reader.revision(run.origin.revision).source
                }
                return true
            }
            return Set(sources.values)
        }
    }

    package func dateRange(_ selection: SampleSelection) throws -> ClosedRange<Date>? {
        try read { db in
            let reader = StoreReader(db)
            var first = Double.infinity
            var last = -Double.infinity
            try reader.eachCandidate(selection) { run, filter in
                guard run.start < first || run.end > last else { return true }
                if filter == .all {
                    first = min(first, run.start)
                    last = max(last, run.end)
                } else {
                    let samples = try reader.members(run)
                    for index in try reader.matches(run, samples, filter) {
                        first = min(first, samples.starts[index])
                        last = max(last, samples.ends[index])
                    }
                }
                return true
            }
            guard first <= last else { return nil }
            return Date(timeIntervalSinceReferenceDate: first)...Date(timeIntervalSinceReferenceDate: last)
        }
    }

    /// Changes in the order in which they were made. Objects that were saved together count as saved in order of type, as
    /// they first come, and of time.
    package func changes(
        _ selections: [SampleSelection], after anchor: Int64, limit: Int?
    ) throws -> SampleChanges {
        try read { db in
            let reader = StoreReader(db)
            let last = try Int64.fetchOne(db, sql: "SELECT last FROM sequence") ?? 0
            guard limit != 0 else { return SampleChanges(added: [], deleted: [], anchor: anchor) }
            var changes = GatheredChanges(limit: limit)
            for selection in selections {
                try changes.addDeleted(selection, after: anchor, reader)
                try changes.addAdded(selection, after: anchor, reader)
            }
            return try changes.result(last: max(last, anchor), reader)
        }
    }
}

/// Additions and deletions after an anchor, cut at a limit.
private struct GatheredChanges {
    private enum Change {
        case added(Place)
        case deleted(HKDeletedObject)
    }

    private struct Place {
        var run: StoredRun
        var samples: SampleRun
        var index: Int
    }

    private let limit: Int?
    private var changes: [Int64: Change] = [:]
    private var deletedCount = 0

    init(limit: Int?) {
        self.limit = limit
    }

    mutating func addDeleted(_ selection: SampleSelection, after anchor: Int64, _ reader: StoreReader) throws {
        guard let type = try reader.id(of: selection.type) else { return }
        let rows = try Row.fetchCursor(
            reader.db,
            sql: """
                SELECT sequence, uuid, syncIdentifier, syncVersion FROM deleted
                WHERE type = ? AND sequence > ? \
                AND (? IS NULL OR source IN (SELECT id FROM source WHERE bundleIdentifier = ?))
                ORDER BY sequence LIMIT ?
                """, arguments: [type, anchor, selection.onlySource, selection.onlySource, limit ?? -1])
        while let row = try rows.next() {
            let sequence: Int64 = row[0]
            let bytes: Data = row[1]
            guard let id = UUID(bytes) else { continue }
            let identifier: String? = row[2]
            let metadata = identifier.map { SyncIdentity(identifier: $0, version: row[3] ?? 0).metadata }
            changes[sequence] = .deleted(HKDeletedObject(uuid: id, metadata: metadata))
        }
    }

    /// Rows come in the order of the last addition to them; those whose first comes after what the limit has room for
    /// cannot change the result any more.
    mutating func addAdded(_ selection: SampleSelection, after anchor: Int64, _ reader: StoreReader) throws {
        var found: [(Int64, Place)] = []
        let later = RunCondition("lastSequence > ?", [anchor])
        try reader.eachCandidate(selection, and: later, order: "ORDER BY firstSequence") { run, filter in
            if let limit, found.count >= limit, run.firstSequence > found.map(\.0).sorted()[limit - 1] { return false }
            let samples = try reader.members(run)
            for index in try reader.matches(run, samples, filter) where samples.sequences[index] > anchor {
                found.append((samples.sequences[index], Place(run: run, samples: samples, index: index)))
            }
            return true
        }
        for (sequence, place) in found { changes[sequence] = .added(place) }
    }

    func result(last: Int64, _ reader: StoreReader) throws -> SampleChanges {
        let sequences = changes.keys.sorted()
        let kept = limit.map { sequences.prefix($0) } ?? sequences[...]
        var result = SampleChanges(added: [], deleted: [], anchor: last)
        for sequence in kept {
            switch changes[sequence] {
            case .added(let place):
                result.added.append(try reader.sample(place.run, place.samples, place.index))
            case .deleted(let object): result.deleted.append(object)
            case nil: break
            }
        }
        if kept.count < sequences.count || kept.count == limit, let end = kept.last { result.anchor = end }
        return result
    }
}
