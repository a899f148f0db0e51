/// A table of a store, as far as copying needs to know it. A store's last sequence number, alone in its table, is not among them.
struct StoreTable: Equatable {
    let name: String
    /// The columns that tell its rows apart. Empty if nothing does; such a table has few rows.
    let key: [String]
    let columns: [String]

    /// In an order in which every row comes after those that it refers to, and what a trigger removes comes after what sets it off.
    static let names = [
        "type", "source", "revision", "device", "unit", "metadata", "run", "content", "foreignID", "member",
        "growingRun",
        "deleted", "effort", "attachment", "change", "madeRange", "successor", "keptRun", "keptMember", "keptEffort",
        "keptAttachment", "deliveryApp", "delivery", "setting",
    ]

    /// As SQLite has them. PostgreSQL has the person besides, which is set for every row by itself.
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

    /// Whether its rows have a number that the store gives them.
    var numbersItsRows: Bool { key == ["id"] }

    /// The only name that SQL reserves. PostgreSQL would take capitals in quotes literally.
    private static func quoted(_ column: String) -> String { column == "end" ? "\"end\"" : column }

    /// Its rows after one with this key, in order; all of them if the table has none.
    func rows(after key: [StoredValue]?) -> (sql: String, arguments: SQLArguments) {
        let all = "SELECT \(columns.joined(separator: ", ")) FROM \(name)"
        guard !self.key.isEmpty else { return (all, []) }
        let order = self.key.joined(separator: ", ")
        guard let key else { return ("\(all) ORDER BY \(order)", []) }
        let marks = key.map { _ in "?" }.joined(separator: ", ")
        return ("\(all) WHERE (\(order)) > (\(marks)) ORDER BY \(order)", key)
    }

    /// The key of a row as it was read.
    func key(of row: SQLRow) -> [StoredValue] { key.compactMap { columns.firstIndex(of: $0) }.map(row.stored) }

    func insertion(of rows: Int) -> String {
        let values = "(" + columns.map { _ in "?" }.joined(separator: ", ") + ")"
        return "INSERT INTO \(name) (\(columns.joined(separator: ", "))) VALUES "
            + [String](repeating: values, count: rows).joined(separator: ", ")
    }
}
