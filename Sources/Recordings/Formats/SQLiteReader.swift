import Foundation
import GRDBSQLite
import SessionLog

/// Reads a database of SQLite from a recording's bytes. Nothing is written, not even a lock.
final class SQLiteReader {
    /// The first bytes of each database (SQLite, “Database File Format”, section 1.3.1).
    static let magic = Array("SQLite format 3\0".utf8)

    private let path: String
    private var database: OpaquePointer?

    init(_ source: RecordingSource) throws(RecordingError) {
        path = source.path
        if let file = source.file, try !source.open().isPacked, opens(file.path) { return }
        // In an archive, packed, in memory or from standard input. The copy needs no name once it is open.
        let copy = try Self.temporaryFile()
        try source.open().forEach { (piece) throws(RecordingError) in
            do throws(FileFault) { try copy.write(Array(piece)) } catch { throw .unreadable(error) }
        }
        guard opens(copy.path) else { throw fault }
    }

    private static func temporaryFile() throws(RecordingError) -> UnfinishedFile {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("recording-\(UUID()).sqlite")
        do throws(FileFault) { return try UnfinishedFile(file) } catch { throw .unreadable(error) }
    }

    private func opens(_ file: String) -> Bool {
        sqlite3_close_v2(database)
        let escaped = file.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? file
        // Without `immutable`, a database in the mode WAL would need two more files.
        return sqlite3_open_v2(
            "file:\(escaped)?immutable=1", &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nil)
            == SQLITE_OK
    }

    deinit { sqlite3_close_v2(database) }

    private var fault: RecordingError {
        .invalid(
            path: path, byte: 0,
            reason: "the database cannot be read (\(String(cString: sqlite3_errmsg(database)))); export it again")
    }

    /// Returns the names of a table's columns. Empty if there is no such table.
    func columns(of table: String) throws(RecordingError) -> Set<String> {
        var names: Set<String> = []
        try forEach("SELECT name FROM pragma_table_info('\(table)')") { names.insert($0.text(0) ?? "") }
        return names
    }

    /// Returns whether there is such a table with these columns.
    func has(_ columns: Set<String>, in table: String) throws(RecordingError) -> Bool {
        try self.columns(of: table).isSuperset(of: columns)
    }

    /// Calls `body` with each row of a query.
    func forEach(_ query: String, _ body: (Row) -> Void) throws(RecordingError) {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(database, query, -1, &statement, nil) == SQLITE_OK else { throw fault }
        defer { sqlite3_finalize(statement) }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: body(Row(statement: statement))
            case SQLITE_DONE: return
            default: throw fault
            }
        }
    }

    /// The current row of a query. Columns are counted from 0.
    struct Row {
        fileprivate let statement: OpaquePointer?

        private func has(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) != SQLITE_NULL }

        /// NaN if the column is null.
        func number(_ column: Int32) -> Double { has(column) ? sqlite3_column_double(statement, column) : .nan }

        /// 0 if the column is null.
        func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

        /// Nil if the column is null or empty.
        func text(_ column: Int32) -> String? {
            guard let text = sqlite3_column_text(statement, column) else { return nil }
            let string = String(cString: text)
            return string.isEmpty ? nil : string
        }

        func bytes(_ column: Int32) -> [UInt8] {
            guard let blob = sqlite3_column_blob(statement, column) else { return [] }
            return Array(UnsafeRawBufferPointer(start: blob, count: Int(sqlite3_column_bytes(statement, column))))
        }
    }
}
