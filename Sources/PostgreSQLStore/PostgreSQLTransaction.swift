#if PostgreSQL
import Foundation
import HealthStore

/// A transaction of PostgreSQL, for the statements of the store.
final class PostgreSQLTransaction: SQLDatabase {
    private let connection: PostgreSQLConnection
    private var cursors = 0
    private var waiting = WaitingRows()
    /// A few rows at first, because many queries only need the latest.
    private static let firstPiece = 16
    private static let laterPiece = 512

    init(_ connection: PostgreSQLConnection) { self.connection = connection }

    var numbersInList: String { "SELECT json_array_elements_text(CAST(? AS json))::bigint" }

    var knowsDistributions: Bool { true }

    /// Without statistics, as during the first import, the server would read all rows of the person for `IN`.
    func selection(_ columns: String, of table: String, byBases count: Int) -> String {
        let bases = [String](repeating: "(CAST(? AS bytea))", count: count).joined(separator: ", ")
        return """
            SELECT run.* FROM (VALUES \(bases)) AS asked(base) CROSS JOIN LATERAL \
            (SELECT \(columns) FROM \(table) AS run WHERE run.base = asked.base OFFSET 0) AS run
            """
    }

    func forEachRow(
        sql: String, arguments: SQLArguments, mayEndEarly: Bool, _ body: (any SQLColumns) throws -> Bool
    ) throws {
        try flush()
        guard mayEndEarly else {
            let result = try connection.query(sql, Self.values(arguments))
            for row in 0..<result.count { guard try body(result[row]) else { return } }
            return
        }
        // `body` may run other statements with cursors, so each cursor is named by its depth, which also lets it be
        // prepared once.
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
        try flush()
        return try connection.query(sql, Self.values(arguments)).changedCount
    }

    func insert(sql: String, arguments: SQLArguments) throws -> Int64 {
        try flush()
        let result = try connection.query(sql + " RETURNING id", Self.values(arguments))
        guard result.count > 0 else { throw PostgreSQLError(sqlState: "42501", message: "the row was not stored") }
        return result[0].integer(0)
    }

    func insert(_ row: NewRow) throws -> Int64 {
        if waiting.isFull { try flush() }
        if waiting.numbers.isEmpty {
            waiting.askFor *= 2
            let result = try connection.query(
                "SELECT nextval('rowNumber') FROM generate_series(1, CAST(? AS BIGINT))",
                [.integer(Int64(waiting.askFor / 2))])
            waiting.numbers = (0..<result.count).map { result[$0].integer(0) }.reversed()
            waiting.askFor = min(waiting.askFor, 2 * WaitingRows.most)
        }
        guard let number = waiting.numbers.popLast() else {
            throw PostgreSQLError(sqlState: "42501", message: "the row was not stored")
        }
        waiting.add(number, row)
        return number
    }

    func insertMember(_ run: Int64, of parent: Int64) throws {
        if waiting.isFull { try flush() }
        waiting.members.append([.integer(parent), .integer(run)])
    }

    /// Sends the waiting rows. Needed before the end of the transaction.
    func flush() throws {
        let rows = waiting.take()
        try insert(rows.runs, "INSERT INTO run (id, \(NewRow.columnNames)) VALUES ")
        try insert(rows.members, "INSERT INTO member (parent, run) VALUES ", " ON CONFLICT DO NOTHING")
        // These take the server longest, so the next rows are made meanwhile.
        try insert(rows.contents, "INSERT INTO content (run, columns, archive) VALUES ")
    }

    /// Uses statements of 64, 32, 16 … rows, each of which is prepared once.
    private func insert(_ rows: [[StoredValue]], _ sql: String, _ end: String = "") throws {
        guard let first = rows.first else { return }
        let row = "(\(first.map { _ in "?" }.joined(separator: ", ")))"
        var left = rows[...]
        var size = WaitingRows.most
        while !left.isEmpty {
            while size > left.count { size /= 2 }
            let values = [String](repeating: row, count: size).joined(separator: ", ")
            try connection.post(sql + values + end, left.prefix(size).flatMap { $0 })
            left = left.dropFirst(size)
        }
    }

    func bytes(ofContent run: Int64, from offset: Int, atMost count: Int) throws -> [UInt8] {
        try flush()
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

    fileprivate static func values(_ arguments: SQLArguments) -> [StoredValue] {
        arguments.map { $0?.stored ?? .null }
    }
}

/// Rows to be sent together, because a round trip for each would take most of an import's time.
private struct WaitingRows {
    static let most = 64
    private static let mostBytes = 1 << 20

    private(set) var runs: [[StoredValue]] = []
    private(set) var contents: [[StoredValue]] = []
    var members: [[StoredValue]] = []
    private var bytes = 0
    /// Numbers for the next rows, in reverse order.
    var numbers: [Int64] = []
    /// How many numbers to request next: one at first, because most transactions store few rows, then twice as many
    /// each time.
    var askFor = 1

    var isFull: Bool { runs.count == Self.most || members.count >= Self.most || bytes > Self.mostBytes }

    mutating func add(_ number: Int64, _ row: NewRow) {
        runs.append([.integer(number)] + PostgreSQLTransaction.values(row.values))
        guard row.columns != nil || row.archive != nil else { return }
        contents.append([.integer(number), row.columns?.stored ?? .null, row.archive?.stored ?? .null])
        bytes += (row.columns?.count ?? 0) + (row.archive?.count ?? 0)
    }

    mutating func take() -> (runs: [[StoredValue]], contents: [[StoredValue]], members: [[StoredValue]]) {
        defer { (runs, contents, members, bytes) = ([], [], [], 0) }
        return (runs, contents, members)
    }
}
#endif
