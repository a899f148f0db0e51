import GRDB

/// Where objects are: rows, and places in them.
struct FoundObjects {
    private(set) var rows: [Int64: (run: StoredRun, indices: [Int])] = [:]
    /// UUIDs that are not in the store.
    private(set) var missing: Set<UUID>

    init(missing ids: Set<UUID>) {
        missing = ids
    }

    mutating func add(_ id: UUID, in run: StoredRun, at index: Int) {
        if missing.remove(id) != nil { rows[run.id, default: (run, [])].indices.append(index) }
    }
}

extension StoreReader {
    /// Looks for many objects at once: each row that may hold some of them is opened once.
    func find(_ ids: Set<UUID>, searchesForeignIDs: Bool = true) throws -> FoundObjects {
        var found = FoundObjects(missing: ids)
        for (base, group) in Dictionary(grouping: ids, by: \.base) {
            let ordinals = group.map(\.ordinal)
            guard let first = ordinals.min(), let last = ordinals.max() else { continue }
            let rows = try runs(
                "WHERE base = ? AND firstOrdinal <= ? AND lastOrdinal >= ?", [base.data, Int64(last), Int64(first)])
            for row in rows { try add(row, to: &found) }
        }
        guard searchesForeignIDs, !found.missing.isEmpty else { return found }
        let statement = try db.cachedStatement(sql: "SELECT run FROM foreignID WHERE fingerprint = ?")
        var rows: Set<Int64> = []
        for id in found.missing { try rows.formUnion(Int64.fetchAll(statement, arguments: [id.fingerprint])) }
        for row in rows { try runs("WHERE id = ?", [row]).forEach { try add($0, to: &found) } }
        return found
    }

    private func add(_ run: StoredRun, to found: inout FoundObjects) throws {
        let ids = try members(run).ids
        for index in 0..<ids.count { found.add(ids[index], in: run, at: index) }
    }
}
