extension StoreWriter {
    func delete(_ ids: Set<UUID>, owner: String?) throws -> Int {
        let found = try find(ids)
        if let id = found.missing.first {
            throw HKError.make(.errorInvalidArgument, "The object \(id) is not in the store. Nothing was deleted.")
        }
        let places = found.rows.values.sorted { $0.run.firstSequence < $1.run.firstSequence }
        for (run, indices) in places where try !owns(run, owner) {
            let id = try reader.members(run).id(indices[0])
            throw HKError.make(
                .errorAuthorizationDenied,
                "The object \(id) was saved by another app, which alone may delete it. Nothing was deleted.")
        }
        for (run, indices) in places { try delete(run, indices) }
        return ids.count
    }

    func delete(_ selection: SampleSelection, owner: String?) throws -> Int {
        var places: [(StoredRun, [Int])] = []
        try reader.eachMatch(selection) { run, samples, indices in
            if try owns(run, owner) { places.append((run, indices)) }
            return true
        }
        for (run, indices) in places { try delete(run, indices) }
        return places.reduce(0) { $0 + $1.1.count }
    }

    func owns(_ run: StoredRun, _ owner: String?) throws -> Bool {
        try owner == nil || reader.revision(run.origin.revision).source.bundleIdentifier == owner
    }

    func parents(of row: Int64) throws -> [Int64] {
        try Int64.fetchAll(db, sql: "SELECT parent FROM member WHERE run = ?", arguments: [row])
    }

    /// Deletes some samples of a row. The others keep their UUIDs, sequence numbers and workouts.
    func delete(_ run: StoredRun, _ indices: [Int]) throws {
        let samples = try reader.members(run)
        let gone = Set(indices)
        let sync = try SQLRow.fetchOne(
            db, sql: "SELECT syncIdentifier, syncVersion FROM run WHERE id = ?", arguments: [run.id])
        for index in gone.sorted() {
            try db.execute(
                sql: """
                    INSERT INTO deleted (sequence, type, source, uuid, syncIdentifier, syncVersion, start, "end")
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    takeSequences(1, for: run.type), run.type, run.origin.source, samples.id(index).data,
                    sync?[0] as String?, sync?[1] as Double?, samples.starts[index], samples.ends[index],
                ])
        }
        try replace(run, with: [samples.without(gone)])
    }

    /// Moves the samples of a row into other rows.
    @discardableResult
    func replace(_ run: StoredRun, with parts: [SampleRun]) throws -> [Int64] {
        try replace(run, with: parts.map { ($0, run.origin) })
    }

    @discardableResult
    private func replace(
        _ run: StoredRun, with parts: [(samples: SampleRun, origin: StoredRun.Origin)]
    ) throws -> [Int64] {
        let parents = try parents(of: run.id)
        let type = try reader.type(run.type)
        let unit = try reader.unit(run.origin.unit)
        try removeRow(run.id)
        return try parts.filter { $0.samples.count > 0 }.map { part in
            try insert(
                part.samples, run.kind, type: type, typeID: run.type, origin: part.origin, unit: unit, members: parents)
        }
    }

    /// Changes the device of samples. They keep their UUIDs, sequence numbers and workouts. UUIDs that are not stored are ignored.
    func setDevice(_ device: HKDevice, of ids: Set<UUID>) throws {
        let device = try id(of: device)
        for (run, indices) in try find(ids).rows.values where run.kind.isColumns && run.origin.device != device {
            let samples = try reader.members(run)
            var origin = run.origin
            origin.device = device
            try replace(
                run, with: [(samples.subset(indices.sorted()), origin), (samples.without(indices), run.origin)])
        }
    }

    /// Returns those UUIDs of a type whose objects were deleted.
    func deleted(among ids: Set<UUID>, of type: HKSampleType) throws -> Set<UUID> {
        var found: Set<UUID> = []
        try db.forEachRow(sql: "SELECT uuid FROM deleted WHERE type = ?", arguments: [try id(of: type)]) { row in
            if let id = UUID(data: row[0]), ids.contains(id) { found.insert(id) }
            return true
        }
        return found
    }

    /// Makes stored samples members of a workout or correlation, and splits runs if necessary. UUIDs that are not stored are
    /// ignored.
    /// - Returns: Whether any of them is stored.
    @discardableResult
    func associate(_ ids: Set<UUID>, with parent: Int64) throws -> Bool {
        let rows = try find(ids).rows.values
        for (run, places) in rows {
            let indices = Set(places)
            var row = run.id
            if indices.count < run.count {
                let samples = try reader.members(run)
                row = try replace(run, with: [samples.subset(indices.sorted()), samples.without(indices)])[0]
            }
            try add(row, to: parent)
        }
        return !rows.isEmpty
    }

    /// Gives each of these samples a row of its own, so that their rows are not split anew for each parent that they get.
    /// UUIDs that are not stored are ignored.
    func separate(_ ids: Set<UUID>) throws {
        for (run, indices) in try find(ids).rows.values where run.count > 1 {
            let samples = try reader.members(run)
            try replace(run, with: indices.map { samples.subset([$0]) } + [samples.without(indices)])
        }
    }

    /// Makes all samples of a row members of a workout or correlation.
    func add(_ row: Int64, to parent: Int64) throws {
        try db.insertMember(row, of: parent)
    }
}
