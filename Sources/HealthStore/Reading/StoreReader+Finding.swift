/// The places of objects: rows, and indices in them.
struct ObjectLocations {
    private(set) var rows: [Int64: (run: StoredRun, indices: [Int])] = [:]
    /// The UUIDs that are not stored.
    private(set) var missing: Set<UUID>

    init(missing ids: Set<UUID>) {
        missing = ids
    }

    mutating func add(_ id: UUID, in run: StoredRun, at index: Int) {
        if missing.remove(id) != nil { rows[run.id, default: (run, [])].indices.append(index) }
    }
}

extension StoreReader {
    /// Finds many objects at once. Each row that may hold some of them is opened once.
    func find(_ ids: Set<UUID>, searchesForeignIDs: Bool = true) throws -> ObjectLocations {
        var found = ObjectLocations(missing: ids)
        let groups = Dictionary(grouping: ids, by: \.base)
        if groups.count > Self.fewBases {
            try findAlone(groups, &found)
        } else {
            for (base, group) in groups {
                let ordinals = group.map(\.ordinal)
                guard let first = ordinals.min(), let last = ordinals.max() else { continue }
                let rows = try runs(
                    "WHERE base = ? AND firstOrdinal <= ? AND lastOrdinal >= ?", [base.data, Int64(last), Int64(first)])
                for row in rows { try add(row, to: &found) }
            }
        }
        guard searchesForeignIDs, !found.missing.isEmpty else { return found }
        let rows = try Int64.fetchAll(
            db, sql: "SELECT DISTINCT run FROM foreignID WHERE fingerprint IN (\(db.numbersInList))",
            arguments: [Self.list(found.missing.map(\.fingerprint))])
        for row in rows { try runs("WHERE id = ?", [row]).forEach { try add($0, to: &found) } }
        return found
    }

    private static let fewBases = 4
    private static let basesAtOnce = 256
    private static let fewAtOnce = 16

    /// Finds many objects whose UUIDs have different beginnings, since a query for each would take most of the time.
    private func findAlone(_ groups: [UUID: [UUID]], _ found: inout ObjectLocations) throws {
        let bases = Array(groups.keys)
        for start in stride(from: 0, to: bases.count, by: Self.basesAtOnce) {
            let some = bases[start..<min(start + Self.basesAtOnce, bases.count)]
            // Two statements for any number.
            let size = some.count > Self.fewAtOnce ? Self.basesAtOnce : Self.fewAtOnce
            let padding = [UUID](repeating: bases[start], count: size - some.count)
            try db.forEachRow(
                sql: db.selection(StoredRun.columns, of: Rows.all.rawValue, byBases: size),
                arguments: (some + padding).map(\.data)
            ) { row in
                let run = try StoredRun(row)
                guard let base = run.base, let asked = groups[base] else { return true }
                if run.count > 1 || asked.contains(where: { $0.ordinal == run.firstOrdinal }) {
                    try add(run, to: &found)
                }
                return true
            }
        }
    }

    /// Returns the argument of ``SQLDatabase/numbersInList``.
    static func list(_ numbers: some Sequence<Int64>) -> String {
        "[\(numbers.map(String.init).joined(separator: ","))]"
    }

    private func add(_ run: StoredRun, to found: inout ObjectLocations) throws {
        let ids = try members(run).ids
        for index in 0..<ids.count { found.add(ids[index], in: run, at: index) }
    }
}

/// Rows that are passed on together, so that their contents can be read at once.
private struct RowBatch {
    typealias Body = (StoredRun, SampleFilter) throws -> Bool
    private static let most = 64
    private var rows: [(run: StoredRun, filter: SampleFilter)] = []
    private var goesOn = true
    /// Nil to pass on each row separately.
    private var size: Int?

    init(size: Int?) { self.size = size }

    mutating func add(
        _ run: StoredRun, _ filter: SampleFilter, _ reader: StoreReader, _ body: Body
    ) throws -> Bool {
        guard let size else { return try body(run, filter) }
        rows.append((run, filter))
        if rows.count == size {
            try finish(reader, body)
            self.size = min(2 * size, Self.most)
        }
        return goesOn
    }

    mutating func finish(_ reader: StoreReader, _ body: Body) throws {
        reader.expect(rows.lazy.map(\.run))
        for (run, filter) in rows where goesOn { goesOn = try body(run, filter) }
        rows = []
    }
}

extension StoreReader {
    /// The condition on rows of a selection. Nil if its type was never stored.
    /// - Parameter findsByDates: Whether the dates of the selection may choose the index.
    func condition(_ selection: SampleSelection, findsByDates: Bool = true) throws -> RunCondition? {
        guard let type = try id(of: selection.type) else { return nil }
        var filter = try selection.filter.condition(self, of: selection.type)
        // The indexes begin with the type. The unary plus prevents their use.
        var conditions = [RunCondition(filter?.namesRows == true ? "+type = ?" : "type = ?", [type])]
        if let source = selection.onlySource {
            conditions.append(
                RunCondition("source IN (SELECT id FROM source WHERE bundleIdentifier = ?)", [source]))
        }
        let dates = selection.filter.dates
        if findsByDates, filter?.namesRows != true, dates.earliestEnd.isFinite,
            try db.knowsDistributions || isLate(type, from: dates.earliestEnd, to: dates.latestStart)
        {
            conditions.append(RunCondition("\"end\" >= ?", [dates.earliestEnd]))
            // `IS TRUE` prevents the use of the other index, by starts.
            if !db.knowsDistributions { filter = filter.map { RunCondition("(\($0.sql)) IS TRUE", $0.arguments) } }
        }
        if let filter { conditions.append(filter) }
        return .all(conditions)
    }

    /// Whether a range of dates is nearer to the latest rows of a type than to the earliest. The index by ends then
    /// leads to fewer rows than the index by starts: no index knows both bounds of a row.
    private func isLate(_ type: Int64, from end: Double, to start: Double) throws -> Bool {
        let row = try SQLRow.fetchOne(
            db,
            sql: """
                SELECT (SELECT min(start) FROM run WHERE type = ?), (SELECT max("end") FROM run WHERE type = ?)
                """, arguments: [type, type])
        guard let earliest: Double = row?[0], let latest: Double = row?[1] else { return false }
        return latest - end < min(start, latest) - earliest
    }

    /// Calls `body` with each row that may hold matches, and the filter for its samples, until it returns false.
    /// - Parameter opening: Whether `body` opens most of the rows.
    func eachCandidate(
        _ selection: SampleSelection, and more: RunCondition? = nil, order: String = "", opening: Bool = false,
        _ body: (StoredRun, SampleFilter) throws -> Bool
    ) throws {
        guard let own = try condition(selection, findsByDates: more == nil) else { return }
        let condition = RunCondition.all([own, more].compactMap { $0 })
        // Few rows at first, because many callers need only the latest.
        var batch = RowBatch(size: opening && readsAhead ? 1 : nil)
        try eachRun("WHERE \(condition.sql) \(order)", condition.arguments) { run in
            let filter = try selection.filter.reduced(for: run, self)
            if filter == .none { return true }
            return try batch.add(run, filter, self, body)
        }
        try batch.finish(self, body)
    }

    /// Calls `body` with the samples of each row and the indices of the matching ones, until it returns false.
    func eachMatch(
        _ selection: SampleSelection, and more: RunCondition? = nil, order: String = "",
        _ body: (StoredRun, SampleRun, [Int]) throws -> Bool
    ) throws {
        try eachCandidate(selection, and: more, order: order, opening: true) { run, filter in
            let samples = try members(run)
            let indices = try matches(run, samples, filter)
            return indices.isEmpty ? true : try body(run, samples, indices)
        }
    }

    func matches(_ run: StoredRun, _ samples: SampleRun, _ filter: SampleFilter) throws -> [Int] {
        try places(Array(samples.starts.indices), of: run, samples, matching: filter)
    }

    /// Checks times column by column, and anything else sample by sample.
    private func places(
        _ places: [Int], of run: StoredRun, _ samples: SampleRun, matching filter: SampleFilter
    ) throws -> [Int] {
        func comparing(_ column: [Double], _ comparison: SampleFilter.Comparison, _ date: Date) -> [Int] {
            let bound = date.timeIntervalSinceReferenceDate
            return places.filter { comparison.holds(column[$0], bound) }
        }
        switch filter {
        case .all: return places
        case .none: return []
        case .and(let parts):
            return try parts.reduce(places) { try self.places($0, of: run, samples, matching: $1) }
        case .startDate(let comparison, let date): return comparing(samples.starts, comparison, date)
        case .endDate(let comparison, let date): return comparing(samples.ends, comparison, date)
        default:
            // One closure for all indices, because each closure would retain parts of the row.
            var place = 0
            let made = { try self.sample(run, samples, place) }
            return try places.filter { index in
                place = index
                return try filter.matches(samples, index, made)
            }
        }
    }
}
