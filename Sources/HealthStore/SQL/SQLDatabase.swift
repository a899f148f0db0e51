package typealias SQLArguments = [(any SQLValue)?]

/// An open transaction of a database with the tables of a health store. SQLite and PostgreSQL run the same statements.
///
/// `?` marks an argument and is used for nothing else. Statements avoid syntax that differs between the two databases:
/// `IS ?`, `INSERT OR …`, names that one of them reserves (`end` is always quoted), and NULL as an argument whose type
/// no column gives.
package protocol SQLDatabase: AnyObject {
    /// Calls `body` with each row until it returns false. A row is valid until `body` returns, and `body` may run other statements.
    /// - Parameter mayEndEarly: Whether few rows of a long result may be read. A server then sends them in pieces.
    func forEachRow(
        sql: String, arguments: SQLArguments, mayEndEarly: Bool, _ body: (any SQLColumns) throws -> Bool
    ) throws

    /// - Returns: The number of changed rows.
    @discardableResult
    func execute(sql: String, arguments: SQLArguments) throws -> Int

    /// Inserts one row into a table with a column `id`.
    /// - Returns: The row's `id`.
    func insert(sql: String, arguments: SQLArguments) throws -> Int64

    /// Inserts a row of `run` with its content. Several may be sent to a server at once, before the next other
    /// statement.
    /// - Returns: The row's `id`.
    func insert(_ row: NewRow) throws -> Int64

    /// Makes a row of `run` a member of a parent, in the same way. Does nothing if it is one already.
    func insertMember(_ run: Int64, of parent: Int64) throws

    /// Calls `body` with the bytes of `columns` in a row of `content`. Returns false if there are none.
    func withContent(of run: Int64, _ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Bool

    /// Returns some of the bytes of `columns` in a row of `content`, without loading the others.
    /// - Returns: Fewer than `count` at the end, and none after it.
    func bytes(ofContent run: Int64, from offset: Int, atMost count: Int) throws -> [UInt8]

    /// Writes the bytes of `columns` in a row of `content`, part by part if the database can.
    func setContent(of run: Int64, _ bytes: SpooledBytes) throws

    /// A query for the rows of a table whose `base` is one of the arguments. It finds each through the index, whatever
    /// number of rows the database estimates.
    func selection(_ columns: String, of table: String, byBases count: Int) -> String

    /// A query for the numbers in a JSON array, which is its argument. So one prepared statement serves any count.
    var numbersInList: String { get }

    /// Whether it chooses an index by the values of the arguments and how they are distributed.
    var knowsDistributions: Bool { get }
}

extension SQLDatabase {
    func forEachRow(sql: String, arguments: SQLArguments, _ body: (any SQLColumns) throws -> Bool) throws {
        try forEachRow(sql: sql, arguments: arguments, mayEndEarly: false, body)
    }

    @discardableResult
    func execute(sql: String) throws -> Int { try execute(sql: sql, arguments: []) }

    package func withContent(of run: Int64, _ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Bool {
        try withBytes(sql: "SELECT columns FROM content WHERE run = ?", run, body)
    }

    /// Calls `body` with the bytes of the first row. Returns false if there is no row, or if they are NULL.
    func withBytes(sql: String, _ run: Int64, _ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Bool {
        var hasBytes = false
        try forEachRow(sql: sql, arguments: [run]) { row in
            hasBytes = try row.withBytes(0, body) != nil
            return false
        }
        return hasBytes
    }
}

/// A new row of `run`, without a number, and its content.
package struct NewRow {
    package static let columnNames = """
        kind, type, source, revision, device, metadata, unit, firstSequence, lastSequence, count, start, lastStart, "end", minimum, \
        maximum, summary, base, firstOrdinal, lastOrdinal, syncIdentifier, syncVersion
        """

    /// In the order of ``columnNames``.
    package var values: SQLArguments
    package var columns: Data?
    package var archive: Data?
}

/// A value that an SQL database stores.
package enum StoredValue: Sendable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)
}

/// A row of a result.
package protocol SQLColumns {
    var columnCount: Int { get }
    func isNull(_ column: Int) -> Bool
    /// 0 if the column is NULL.
    func integer(_ column: Int) -> Int64
    /// 0 if the column is NULL.
    func real(_ column: Int) -> Double
    /// Empty if the column is NULL.
    func text(_ column: Int) -> String
    /// Nil if the column is NULL.
    func data(_ column: Int) -> Data?
    /// The bytes without a copy. Nil if the column is NULL.
    func withBytes<Result>(
        _ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result?
    func stored(_ column: Int) -> StoredValue
}

extension SQLColumns {
    /// 0 or an empty text if the column is NULL.
    package subscript<Value: SQLValue>(_ column: Int) -> Value { Value(self, column) }

    package subscript<Value: SQLValue>(_ column: Int) -> Value? {
        isNull(column) ? nil : Value(self, column)
    }
}

/// A type of arguments and columns.
package protocol SQLValue {
    var stored: StoredValue { get }
    init(_ row: some SQLColumns, _ column: Int)
}

extension StoredValue: SQLValue {
    package var stored: StoredValue { self }
    package init(_ row: some SQLColumns, _ column: Int) { self = row.stored(column) }
}

extension Int64: SQLValue {
    package var stored: StoredValue { .integer(self) }
    package init(_ row: some SQLColumns, _ column: Int) { self = row.integer(column) }
}

extension Int: SQLValue {
    package var stored: StoredValue { .integer(Int64(self)) }
    package init(_ row: some SQLColumns, _ column: Int) { self = Int(row.integer(column)) }
}

extension Bool: SQLValue {
    package var stored: StoredValue { .integer(self ? 1 : 0) }
    package init(_ row: some SQLColumns, _ column: Int) { self = row.integer(column) != 0 }
}

extension Double: SQLValue {
    package var stored: StoredValue { .real(self) }
    package init(_ row: some SQLColumns, _ column: Int) { self = row.real(column) }
}

extension String: SQLValue {
    package var stored: StoredValue { .text(self) }
    package init(_ row: some SQLColumns, _ column: Int) { self = row.text(column) }
}

extension Data: SQLValue {
    package var stored: StoredValue { .blob(self) }
    package init(_ row: some SQLColumns, _ column: Int) { self = row.data(column) ?? Data() }
}

extension SQLValue {
    /// The first column of the first row. Nil without a row, and for NULL.
    package static func fetchOne(_ db: any SQLDatabase, sql: String, arguments: SQLArguments = []) throws -> Self? {
        var value: Self?
        try db.forEachRow(sql: sql, arguments: arguments) { row in
            value = row[0]
            return false
        }
        return value
    }

    /// The first column of all rows.
    package static func fetchAll(_ db: any SQLDatabase, sql: String, arguments: SQLArguments = []) throws -> [Self] {
        var values: [Self] = []
        try db.forEachRow(sql: sql, arguments: arguments) { row in
            values.append(row[0])
            return true
        }
        return values
    }
}

/// A row that is kept after its statement.
package struct SQLRow: SQLColumns, Sendable {
    private let values: [StoredValue]

    init(_ row: some SQLColumns) { values = (0..<row.columnCount).map(row.stored) }

    package var columnCount: Int { values.count }
    package func stored(_ column: Int) -> StoredValue { values[column] }
    package func isNull(_ column: Int) -> Bool { values[column] == .null }

    package func integer(_ column: Int) -> Int64 {
        switch values[column] {
        case .integer(let integer): integer
        case .real(let real): Int64(exactly: real) ?? 0
        case .null, .text, .blob: 0
        }
    }

    package func real(_ column: Int) -> Double {
        switch values[column] {
        case .real(let real): real
        case .integer(let integer): Double(integer)
        case .null, .text, .blob: 0
        }
    }

    package func text(_ column: Int) -> String { if case .text(let text) = values[column] { text } else { "" } }

    package func data(_ column: Int) -> Data? { if case .blob(let data) = values[column] { data } else { nil } }

    package func withBytes<Result>(
        _ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result? { try data(column)?.withUnsafeBytes(body) }

    package static func fetchAll(_ db: any SQLDatabase, sql: String, arguments: SQLArguments = []) throws -> [SQLRow] {
        var rows: [SQLRow] = []
        try db.forEachRow(sql: sql, arguments: arguments) { row in
            rows.append(SQLRow(row))
            return true
        }
        return rows
    }

    package static func fetchOne(_ db: any SQLDatabase, sql: String, arguments: SQLArguments = []) throws -> SQLRow? {
        var found: SQLRow?
        try db.forEachRow(sql: sql, arguments: arguments) { row in
            found = SQLRow(row)
            return false
        }
        return found
    }
}
