import GRDB
import GRDBSQLite

/// A transaction of SQLite, for the statements of the store.
///
/// It calls SQLite directly, because statistics of years read tens of thousands of rows and imports write hundreds of
/// thousands.
final class SQLiteStatements: SQLDatabase {
    private let db: Database
    /// The content that was read last. Moving the handle to another row is several times faster than a statement.
    private var content: OpaquePointer?

    init(_ db: Database) { self.db = db }

    deinit { closeContent() }

    var numbersInList: String { "SELECT value FROM json_each(?)" }

    var knowsDistributions: Bool { false }

    func selection(_ columns: String, of table: String, byBases count: Int) -> String {
        let bases = [String](repeating: "?", count: count).joined(separator: ", ")
        return "SELECT \(columns) FROM \(table) AS run WHERE base IN (\(bases))"
    }

    func forEachRow(
        sql: String, arguments: SQLArguments, mayEndEarly: Bool, _ body: (any SQLColumns) throws -> Bool
    ) throws {
        let statement = try prepare(sql, arguments)
        defer { sqlite3_reset(statement.sqliteStatement) }
        let row = Row(statement: statement.sqliteStatement)
        while try step(statement) { guard try body(row) else { return } }
    }

    @discardableResult
    func execute(sql: String, arguments: SQLArguments) throws -> Int {
        let statement = try prepare(sql, arguments)
        defer { sqlite3_reset(statement.sqliteStatement) }
        while try step(statement) {}
        return db.changesCount
    }

    func insert(sql: String, arguments: SQLArguments) throws -> Int64 {
        try execute(sql: sql, arguments: arguments)
        return db.lastInsertedRowID
    }

    func insert(_ row: NewRow) throws -> Int64 {
        let id = try insert(sql: Self.rowInsertion, arguments: row.values)
        if row.columns != nil || row.archive != nil {
            try execute(
                sql: "INSERT INTO content (run, columns, archive) VALUES (?, ?, ?)",
                arguments: [id, row.columns, row.archive])
        }
        return id
    }

    private static let rowInsertion =
        "INSERT INTO run (\(NewRow.columnNames)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

    func insertMember(_ run: Int64, of parent: Int64) throws {
        try execute(
            sql: "INSERT INTO member (parent, run) VALUES (?, ?) ON CONFLICT DO NOTHING", arguments: [parent, run])
    }

    func withContent(of run: Int64, _ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Bool {
        guard try openContent(of: run) else { return false }
        let count = Int(sqlite3_blob_bytes(content))
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 8)
        defer { bytes.deallocate() }
        try check(sqlite3_blob_read(content, bytes.baseAddress, Int32(count), 0))
        try body(UnsafeRawBufferPointer(bytes))
        return true
    }

    func bytes(ofContent run: Int64, from offset: Int, atMost count: Int) throws -> [UInt8] {
        guard try openContent(of: run) else { throw SampleRunError.damaged("no content of row \(run)") }
        let length = min(count, Int(sqlite3_blob_bytes(content)) - offset)
        guard length > 0 else { return [] }
        return try [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
            try check(sqlite3_blob_read(content, buffer.baseAddress, Int32(length), Int32(offset)))
            filled = length
        }
    }

    /// Moves ``content`` to a row. Returns false if that has no content.
    private func openContent(of run: Int64) throws -> Bool {
        if content != nil, sqlite3_blob_reopen(content, run) == SQLITE_OK { return true }
        // A handle that has failed once, or whose row has changed, fails from then on.
        closeContent()
        let code = sqlite3_blob_open(db.sqliteConnection, "main", "content", "columns", run, 0, &content)
        // This code means that the row is missing, or NULL. Faults of the file and the disk have other codes.
        guard code != SQLITE_ERROR else { return false }
        try check(code)
        return true
    }

    private func closeContent() {
        sqlite3_blob_close(content)
        content = nil
    }

    private func check(_ code: Int32) throws { guard code == SQLITE_OK else { throw failure(code) } }

    func setContent(of run: Int64, _ bytes: SpooledBytes) throws {
        try execute(
            sql: """
                INSERT INTO content (run, columns) VALUES (?, zeroblob(?))
                ON CONFLICT (run) DO UPDATE SET columns = excluded.columns
                """, arguments: [run, bytes.count])
        var blob: OpaquePointer?
        defer { sqlite3_blob_close(blob) }
        try check(sqlite3_blob_open(db.sqliteConnection, "main", "content", "columns", run, 1, &blob))
        var offset: Int32 = 0
        try bytes.forEachPart { part in
            try check(sqlite3_blob_write(blob, part, Int32(part.count), offset))
            offset += Int32(part.count)
        }
    }

    /// The statement is kept for the next call. Otherwise preparing it would take most of the time of a search for
    /// thousands of UUIDs.
    private func prepare(_ sql: String, _ arguments: SQLArguments) throws -> Statement {
        var statement = try db.cachedStatement(sql: sql)
        // A call inside the rows of the same statement, as for a correlation's members, gets a statement of its own.
        if sqlite3_stmt_busy(statement.sqliteStatement) != 0 { statement = try db.makeStatement(sql: sql) }
        for (index, argument) in arguments.enumerated() {
            let code = Self.bind(argument?.stored ?? .null, to: statement.sqliteStatement, at: Int32(index + 1))
            guard code == SQLITE_OK else { throw failure(code) }
        }
        return statement
    }

    private func step(_ statement: Statement) throws -> Bool {
        switch sqlite3_step(statement.sqliteStatement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw failure(code)
        }
    }

    private func failure(_ code: Int32) -> DatabaseError {
        DatabaseError(resultCode: ResultCode(rawValue: code), message: db.lastErrorMessage)
    }

    /// SQLite copies texts and bytes.
    private static func bind(_ value: StoredValue, to statement: OpaquePointer, at index: Int32) -> Int32 {
        let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        return switch value {
        case .null: sqlite3_bind_null(statement, index)
        case .integer(let integer): sqlite3_bind_int64(statement, index, integer)
        case .real(let real): sqlite3_bind_double(statement, index, real)
        case .text(var text):
            text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { bytes in
                    // An empty text has no address, and SQLite takes a missing address for NULL.
                    bytes.isEmpty
                        ? sqlite3_bind_text(statement, index, "", 0, copies)
                        : sqlite3_bind_text(statement, index, bytes.baseAddress, Int32(bytes.count), copies)
                }
            }
        case .blob(let data):
            data.withUnsafeBytes { bytes in
                bytes.isEmpty
                    ? sqlite3_bind_zeroblob(statement, index, 0)
                    : sqlite3_bind_blob(statement, index, bytes.baseAddress, Int32(bytes.count), copies)
            }
        }
    }

    /// The current row of a statement.
    private struct Row: SQLColumns {
        let statement: OpaquePointer

        var columnCount: Int { Int(sqlite3_column_count(statement)) }

        func isNull(_ column: Int) -> Bool { sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL }
        func integer(_ column: Int) -> Int64 { sqlite3_column_int64(statement, Int32(column)) }
        func real(_ column: Int) -> Double { sqlite3_column_double(statement, Int32(column)) }

        func text(_ column: Int) -> String {
            guard let start = sqlite3_column_text(statement, Int32(column)) else { return "" }
            let count = Int(sqlite3_column_bytes(statement, Int32(column)))
            return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
        }

        func data(_ column: Int) -> Data? { withBytes(column) { Data($0) } }

        func withBytes<Result>(
            _ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
        ) rethrows -> Result? {
            guard !isNull(column) else { return nil }
            // Empty bytes have no address.
            let start = sqlite3_column_blob(statement, Int32(column))
            return try body(
                UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, Int32(column)))))
        }

        func stored(_ column: Int) -> StoredValue {
            switch sqlite3_column_type(statement, Int32(column)) {
            case SQLITE_INTEGER: .integer(integer(column))
            case SQLITE_FLOAT: .real(real(column))
            case SQLITE_TEXT: .text(text(column))
            case SQLITE_BLOB: .blob(data(column) ?? Data())
            default: .null
            }
        }
    }
}
