/// A table of a store to be copied. The table of the last sequence number is not among them.
struct StoreTable: Equatable {
    let name: String
    /// The columns of its key. A table without one has few rows.
    let key: [String]
    let columns: [String]

    /// In an order in which rows come after those that they reference, and rows that a trigger removes come after those
    /// that set it off.
    static let names = [
        "type", "source", "revision", "device", "unit", "metadata", "run", "content", "foreignID", "member",
        "growingRun",
        "deleted", "effort", "attachment", "change", "madeRange", "successor", "keptRun", "keptMember", "keptEffort",
        "keptAttachment", "deliveryApp", "delivery", "setting",
    ]

    /// The columns in SQLite. PostgreSQL also has the person, which it sets itself.
    static func all() throws -> [StoreTable] {
        try SQLiteHealthDatabase(.memory).withReader { reader in
            try names.map { name in
                let rows = try SQLRow.fetchAll(
                    reader.db, sql: "SELECT name, pk FROM pragma_table_info('\(name)') ORDER BY cid")
                let keys = rows.filter { $0.integer(1) > 0 }.sorted { $0.integer(1) < $1.integer(1) }
                return StoreTable(
                    name: name, key: keys.map { Self.quoted($0[0]) }, columns: rows.map { Self.quoted($0[0]) })
            }
        }
    }

    /// Whether the store numbers its rows.
    var numbersItsRows: Bool { key == ["id"] }

    /// The only name that SQL reserves. In quotes, PostgreSQL distinguishes capitals.
    private static func quoted(_ column: String) -> String { column == "end" ? "\"end\"" : column }

    /// The rows after this key, in order. All rows if the table has no key.
    func rows(after key: [StoredValue]?) -> (sql: String, arguments: SQLArguments) {
        let all = "SELECT \(columns.joined(separator: ", ")) FROM \(name)"
        guard !self.key.isEmpty else { return (all, []) }
        let order = self.key.joined(separator: ", ")
        guard let key else { return ("\(all) ORDER BY \(order)", []) }
        let marks = key.map { _ in "?" }.joined(separator: ", ")
        return ("\(all) WHERE (\(order)) > (\(marks)) ORDER BY \(order)", key)
    }

    /// The key of a row.
    func key(of row: SQLRow) -> [StoredValue] { key.compactMap { columns.firstIndex(of: $0) }.map(row.stored) }

    func insertion(of rows: Int) -> String {
        let values = "(" + columns.map { _ in "?" }.joined(separator: ", ") + ")"
        return "INSERT INTO \(name) (\(columns.joined(separator: ", "))) VALUES "
            + [String](repeating: values, count: rows).joined(separator: ", ")
    }
}
