import Foundation
import GRDBSQLite
import Testing

/// SQLite databases like those of apps' exports.
enum TestDatabase {
    /// Returns the bytes of a database that these statements create.
    static func bytes(_ statements: [String], isWAL: Bool = false) throws -> [UInt8] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("test-\(UUID()).db")
        defer { try? FileManager.default.removeItem(at: file) }
        var connection: OpaquePointer?
        try #require(sqlite3_open(file.path, &connection) == SQLITE_OK)
        let mode = isWAL ? ["PRAGMA journal_mode = WAL"] : []
        for statement in mode + ["BEGIN"] + statements + ["COMMIT"] {
            let code = sqlite3_exec(connection, statement, nil, nil, nil)
            try #require(code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(connection))): \(statement)")
        }
        try #require(sqlite3_close(connection) == SQLITE_OK)
        return try Array(Data(contentsOf: file))
    }
}
