/// Additions and deletions after an anchor, cut at a limit.
struct AnchoredChanges {
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

    init(limit: Int?) {
        self.limit = limit
    }

    mutating func addDeleted(_ selection: SampleSelection, after anchor: Int64, _ reader: StoreReader) throws {
        guard let type = try reader.id(of: selection.type) else { return }
        let own = selection.onlySource.map {
            RunCondition("source IN (SELECT id FROM source WHERE bundleIdentifier = ?)", [$0])
        }
        let condition = RunCondition.all(
            [RunCondition("type = ? AND sequence > ?", [type, anchor]), own].compactMap { $0 })
        let rows = try SQLRow.fetchAll(
            reader.db,
            sql: """
                SELECT sequence, uuid, syncIdentifier, syncVersion FROM deleted
                WHERE \(condition.sql) ORDER BY sequence LIMIT ?
                """, arguments: condition.arguments + [limit.map(Int64.init) ?? .max])
        for row in rows {
            let sequence: Int64 = row[0]
            guard let id = UUID(data: row[1]) else { continue }
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
        try reader.eachCandidate(selection, and: later, order: "ORDER BY firstSequence", opening: true) { run, filter in
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
        reader.expect(
            kept.lazy.compactMap { sequence in
                guard case .added(let place) = changes[sequence], !place.run.kind.isColumns else { return nil }
                return place.run
            })
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
