/// Reads the contents of rows before they are needed.
///
/// Each query of a server costs a round trip, so many rows are read at once.
struct ReadAhead {
    /// An hour of heart rates at 1 Hz takes four kilobytes.
    private static let mostRows = 64
    private var expected: [StoredRun] = []
    private var places: [Int64: Int] = [:]
    private var contents: [Int64: Data] = [:]
    private var metadata: [Int64: Data] = [:]

    /// - Parameter runs: In the order of opening. Without routes, which are long and read piece by piece.
    mutating func expect(_ runs: some Sequence<StoredRun>) {
        expected = runs.filter { !$0.isGrowing && $0.kind != .route }
        places = Dictionary(expected.enumerated().map { ($1.id, $0) }) { first, _ in first }
        contents = [:]
        metadata = [:]
    }

    /// Reads a row and the following ones, if it is expected and not read yet.
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
            arguments: [StoreReader.list(numbers)]
        ) { row in
            found[row[0]] = row.data(1)
            return true
        }
        return found
    }

    /// Returns the content of a row, once.
    mutating func takeContent(of run: StoredRun) -> Data? { contents.removeValue(forKey: run.id) }

    func metadata(_ id: Int64) -> Data? { metadata[id] }
}
