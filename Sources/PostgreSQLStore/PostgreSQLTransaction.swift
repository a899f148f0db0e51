#if PostgreSQL
import Foundation
import HealthStore

/// A transaction of PostgreSQL, for the statements of the store.
final class PostgreSQLTransaction: SQLDatabase {
    private let connection: PostgreSQLConnection
    private var cursors = 0
    /// A few rows at first: many who ask want the latest only.
    private static let firstPiece = 16
    private static let laterPiece = 512

    init(_ connection: PostgreSQLConnection) { self.connection = connection }

    var numbersInList: String { "SELECT json_array_elements_text(CAST(? AS json))::bigint" }

    func forEachRow(
        sql: String, arguments: SQLArguments, mayEndEarly: Bool, _ body: (any SQLColumns) throws -> Bool
    ) throws {
        guard mayEndEarly else {
            let result = try connection.query(sql, Self.values(arguments))
            for row in 0..<result.count { guard try body(result[row]) else { return } }
            return
        }
        // `body` may run other statements, also of this kind, so each cursor has a name of its own: by its depth, to be prepared once.
        cursors += 1
        defer { cursors -= 1 }
        let cursor = "rows\(cursors)"
        try connection.query("DECLARE \(cursor) NO SCROLL CURSOR FOR \(sql)", Self.values(arguments))
        var piece = Self.firstPiece
        while true {
            let result = try connection.query("FETCH \(piece) FROM \(cursor)")
            for row in 0..<result.count where try !body(result[row]) {
                try connection.run("CLOSE \(cursor)")
                return
            }
            guard result.count == piece else { break }
            piece = Self.laterPiece
        }
        try connection.run("CLOSE \(cursor)")
    }

    @discardableResult
    func execute(sql: String, arguments: SQLArguments) throws -> Int {
        try connection.query(sql, Self.values(arguments)).changedCount
    }

    func insert(sql: String, arguments: SQLArguments) throws -> Int64 {
        let result = try connection.query(sql + " RETURNING id", Self.values(arguments))
        guard result.count > 0 else { throw PostgreSQLError(sqlState: "42501", message: "the row was not stored") }
        return result[0].integer(0)
    }

    func bytes(ofContent run: Int64, from offset: Int, atMost count: Int) throws -> [UInt8] {
        let result = try connection.query(
            "SELECT substr(columns, CAST(CAST(? AS int8) AS int4), CAST(CAST(? AS int8) AS int4)) FROM content WHERE run = ?",
            [.integer(Int64(offset) + 1), .integer(Int64(count)), .integer(run)])
        guard result.count > 0 else { throw SampleRunError.damaged("no content of row \(run)") }
        return [UInt8](result[0].data(0) ?? Data())
    }

    /// A statement takes its arguments whole.
    func setContent(of run: Int64, _ bytes: SpooledBytes) throws {
        var all = Data()
        try bytes.forEachPart { all += $0 }
        try execute(
            sql: """
                INSERT INTO content (run, columns) VALUES (?, ?)
                ON CONFLICT (person, run) DO UPDATE SET columns = excluded.columns
                """, arguments: [run, all])
    }

    private static func values(_ arguments: SQLArguments) -> [StoredValue] { arguments.map { $0?.stored ?? .null } }
}
#endif
