/// Rows that are about to be opened, and what was read of them before it is asked for.
///
/// A server answers each question after a round trip, so it is asked for many rows at once.
struct ReadAhead {
    /// An hour of heart rates at 1 Hz has four kilobytes.
    private static let mostRows = 64
    private var expected: [StoredRun] = []
    private var places: [Int64: Int] = [:]
    private var contents: [Int64: Data] = [:]
    private var metadata: [Int64: Data] = [:]

    /// - Parameter runs: In the order in which they will be opened. A route is read piece by piece, and may be long.
    mutating func expect(_ runs: some Sequence<StoredRun>) {
        expected = runs.filter { !$0.isGrowing && $0.kind != .route }
        places = Dictionary(expected.enumerated().map { ($1.id, $0) }) { first, _ in first }
        contents = [:]
        metadata = [:]
    }

    /// Reads a row and those after it, if it was expected and has not been read.
    mutating func read(_ run: StoredRun, _ db: any SQLDatabase) throws {
        guard let place = places[run.id] else { return }
        let rows = expected[place...].prefix(Self.mostRows)
        for row in rows { places[row.id] = nil }
        contents = try read(
            "SELECT run, columns FROM content WHERE columns IS NOT NULL AND run", rows.map(\.id), db)
        metadata = try read(
            "SELECT id, content FROM metadata WHERE id", Array(Set(rows.compactMap(\.origin.metadata))), db)
    }

    private func read(_ sql: String, _ numbers: [Int64], _ db: any SQLDatabase) throws -> [Int64: Data] {
        guard !numbers.isEmpty else { return [:] }
        var found: [Int64: Data] = [:]
        try db.forEachRow(
            sql: "\(sql) IN (\(db.numbersInList))",
            arguments: ["[\(numbers.map(String.init).joined(separator: ","))]"]
        ) { row in
            found[row[0]] = row.data(1)
            return true
        }
        return found
    }

    /// What was read of a row's content, once.
    mutating func takeContent(of run: StoredRun) -> Data? { contents.removeValue(forKey: run.id) }

    func metadata(_ id: Int64) -> Data? { metadata[id] }
}
