#if PostgreSQL
import CPostgreSQL
import Foundation
package import HealthStore

/// A connection to a server through libpq.
///
/// Statements are prepared at their first use. Behind PgBouncer in transaction mode, the server may lack them. Then a
/// connection without prepared statements works (``PostgreSQLError/isAboutPreparedStatement``). Nothing else outlives a
/// transaction.
// libpq allows one thread at a time, and the pool gives a connection to one caller at a time.
package final class PostgreSQLConnection: @unchecked Sendable {
    private let libpq: LibPQ
    private let connection: OpaquePointer
    let preparesStatements: Bool
    /// Names of prepared statements by SQL.
    private var prepared: [String: String] = [:]
    private let client = withUnsafeBytes(of: UUID().uuid) { Data($0) }
    private var attempts: Int64 = 0
    /// Whether the result of a posted statement is outstanding.
    private var isPosted = false

    /// - Parameter address: Any connection string of libpq. `.pgpass`, service files and PG… variables count, too.
    package init(_ address: String, preparingStatements: Bool = true) throws(PostgreSQLError) {
        let libpq: LibPQ
        do { libpq = try LibPQ.loaded() } catch { throw PostgreSQLError(error) }
        self.libpq = libpq
        preparesStatements = preparingStatements
        // Later values override earlier ones.
        let parameters = [
            ("fallback_application_name", "OpenHealthKit"), ("connect_timeout", "10"),
            // A host that is gone does not answer. The connection ends after 15 s with unacknowledged data, or after 25
            // s of waiting.
            ("tcp_user_timeout", "15000"), ("keepalives_idle", "10"), ("keepalives_interval", "5"),
            ("keepalives_count", "3"),
            ("dbname", address),
            ("client_encoding", "UTF8"),
        ]
        let opened = Self.withStrings(parameters.map(\.0)) { keywords in
            Self.withStrings(parameters.map(\.1)) { values in libpq.connectdbParams(keywords, values, 1) }
        }
        guard let opened else { throw PostgreSQLError(sqlState: nil, message: "there is not enough memory") }
        connection = opened
        guard libpq.status(opened) == CONNECTION_OK else {
            throw PostgreSQLError(sqlState: nil, message: Self.message(opened, libpq), isConnecting: true)
        }
        // Notices of a server are not shown.
        _ = libpq.setNoticeProcessor(opened, { _, _ in }, nil)
    }

    // This also runs if `init` throws after `connection` is set.
    deinit { libpq.finish(connection) }

    package var isBroken: Bool { libpq.status(connection) != CONNECTION_OK }
    /// Such as 150018.
    package var serverVersion: Int { Int(libpq.serverVersion(connection)) }

    func nextAttempt() -> WriteAttempt {
        attempts += 1
        return WriteAttempt(client: client, number: attempts)
    }

    /// Runs statements without arguments or results in one round trip.
    /// - Returns: The tag of the last one, such as `COMMIT`.
    @discardableResult
    package func run(_ statements: String) throws(PostgreSQLError) -> String {
        try finishPosted()
        let result = PostgreSQLResult(libpq.exec(connection, statements), libpq)
        try check(result)
        return result.tag
    }

    /// Runs statements without arguments in one round trip.
    /// - Returns: The rows of all of them, as texts; NULL is empty.
    func rows(_ statements: String) throws(PostgreSQLError) -> [[String]] {
        try finishPosted()
        guard libpq.sendQuery(connection, statements) == 1 else {
            throw PostgreSQLError(sqlState: nil, message: Self.message(connection, libpq))
        }
        var rows: [[String]] = []
        var failed: PostgreSQLResult?
        // All results must be read before the next statement.
        while let next = libpq.getResult(connection) {
            let result = PostgreSQLResult(next, libpq)
            if result.failure != nil { failed = failed ?? result }
            for row in 0..<result.count { rows.append((0..<result[row].columnCount).map(result[row].text)) }
        }
        if let failed { try check(failed) }
        return rows
    }

    /// - Parameter sql: With `?` for the arguments.
    @discardableResult
    package func query(_ sql: String, _ arguments: [StoredValue] = []) throws(PostgreSQLError) -> PostgreSQLResult {
        try finishPosted()
        let name = try prepared(sql, arguments.count)
        let result = Self.withValues(arguments) { values, lengths, formats in
            PostgreSQLResult(
                name.map { libpq.execPrepared(connection, $0, Int32(values.count), values, lengths, formats, 1) }
                    ?? libpq.execParams(
                        connection, Self.numbered(sql), Int32(values.count), nil, values, lengths, formats, 1), libpq)
        }
        try check(result)
        return result
    }

    /// Sends a statement without waiting for the server. The next statement throws its error.
    func post(_ sql: String, _ arguments: [StoredValue]) throws(PostgreSQLError) {
        try finishPosted()
        guard let name = try prepared(sql, arguments.count) else {
            try query(sql, arguments)
            return
        }
        let isSent = Self.withValues(arguments) { values, lengths, formats in
            libpq.sendQueryPrepared(connection, name, Int32(values.count), values, lengths, formats, 1) == 1
        }
        guard isSent else { throw PostgreSQLError(sqlState: nil, message: Self.message(connection, libpq)) }
        isPosted = true
    }

    /// Waits for a posted statement.
    private func finishPosted() throws(PostgreSQLError) {
        guard isPosted else { return }
        isPosted = false
        var failed: PostgreSQLResult?
        while let next = libpq.getResult(connection) {
            let result = PostgreSQLResult(next, libpq)
            if result.failure != nil { failed = failed ?? result }
        }
        if let failed { try check(failed) }
        guard !isBroken else { throw PostgreSQLError(sqlState: nil, message: Self.message(connection, libpq)) }
    }

    /// Calls `body` with the arguments in libpq's form. NULL has no address.
    private static func withValues<Result>(
        _ arguments: [StoredValue], _ body: ([UnsafePointer<CChar>?], [Int32], [Int32]) -> Result
    ) -> Result {
        var bytes: [UInt8] = []
        var places: [Range<Int>?] = []
        for argument in arguments {
            let start = bytes.count
            let isNull = append(argument, to: &bytes)
            places.append(isNull ? nil : start..<bytes.count)
        }
        bytes.append(0)
        return bytes.withUnsafeBytes { all in
            let start = all.baseAddress?.assumingMemoryBound(to: CChar.self)
            return body(
                places.map { place in place.flatMap { start?.advanced(by: $0.lowerBound) } },
                places.map { Int32($0?.count ?? 0) }, [Int32](repeating: 1, count: arguments.count))
        }
    }

    /// Prepares a statement. Nil for a connection without prepared statements.
    func prepared(_ sql: String, _ count: Int) throws(PostgreSQLError) -> String? {
        guard preparesStatements else { return nil }
        try finishPosted()
        if let name = prepared[sql] { return name }
        // It is named after its text, because behind a pooler this connection may meet another client's statement of
        // the same name.
        let name = "healthkit\(UInt(bitPattern: sql.hashValue))"
        try check(PostgreSQLResult(libpq.prepare(connection, name, Self.numbered(sql), Int32(count), nil), libpq))
        prepared[sql] = name
        return name
    }

    private func check(_ result: PostgreSQLResult) throws(PostgreSQLError) {
        guard let failure = result.failure else { return }
        guard !isBroken else { throw PostgreSQLError(sqlState: nil, message: Self.message(connection, libpq)) }
        throw failure
    }

    private static func message(_ connection: OpaquePointer, _ libpq: LibPQ) -> String {
        text(libpq.errorMessage(connection)).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// `?` as `$1`, `$2` and so on.
    static func numbered(_ sql: String) -> String {
        var numbered = ""
        var count = 0
        for character in sql {
            if character == "?" {
                count += 1
                numbered += "$\(count)"
            } else {
                numbered.append(character)
            }
        }
        return numbered
    }

    /// Encodes values in the binary format of the store's types: BIGINT, DOUBLE PRECISION, TEXT, BYTEA.
    /// - Returns: Whether it is NULL.
    private static func append(_ value: StoredValue, to bytes: inout [UInt8]) -> Bool {
        switch value {
        case .null: return true
        case .integer(let integer): withUnsafeBytes(of: integer.bigEndian) { bytes += $0 }
        // Like SQLite, this stores -0 as 0.
        case .real(let real): withUnsafeBytes(of: (real + 0).bitPattern.bigEndian) { bytes += $0 }
        case .text(let text): bytes += text.utf8
        case .blob(let data): bytes += data
        }
        return false
    }

    private static func withStrings<Result>(
        _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return (copies.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { strings in
            // The array is not empty, so it has an address.
            body(strings.baseAddress!)
        }
    }
}

/// The empty result of a statement without one.
private func text(_ characters: UnsafeMutablePointer<CChar>?) -> String { characters.map { String(cString: $0) } ?? "" }

/// The result of a statement.
package final class PostgreSQLResult {
    private let result: OpaquePointer?
    private let libpq: LibPQ

    fileprivate init(_ result: OpaquePointer?, _ libpq: LibPQ) {
        self.result = result
        self.libpq = libpq
    }

    deinit { libpq.clear(result) }

    package var count: Int { Int(libpq.ntuples(result)) }
    /// The number of changed rows.
    package var changedCount: Int { Int(text(libpq.cmdTuples(result))) ?? 0 }
    fileprivate var tag: String { text(libpq.cmdStatus(result)) }

    package subscript(_ row: Int) -> PostgreSQLRow { PostgreSQLRow(result: self, row: Int32(row)) }

    /// Nil if the statement succeeded.
    fileprivate var failure: PostgreSQLError? {
        switch libpq.resultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: nil
        default:
            PostgreSQLError(
                sqlState: libpq.resultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) },
                message: libpq.resultErrorField(result, Int32(UInt8(ascii: "M"))).map { String(cString: $0) }
                    ?? "the server gave no answer")
        }
    }

    fileprivate func bytes(_ row: Int32, _ column: Int) -> UnsafeRawBufferPointer? {
        guard libpq.getisnull(result, row, Int32(column)) == 0 else { return nil }
        return UnsafeRawBufferPointer(
            start: libpq.getvalue(result, row, Int32(column)), count: Int(libpq.getlength(result, row, Int32(column))))
    }

    fileprivate func type(_ column: Int) -> UInt32 { libpq.ftype(result, Int32(column)) }
    fileprivate var columnCount: Int { Int(libpq.nfields(result)) }
}

/// A row of a result, in PostgreSQL's binary format.
package struct PostgreSQLRow: SQLColumns {
    fileprivate let result: PostgreSQLResult
    fileprivate let row: Int32

    /// The types' numbers (PostgreSQL's catalogue pg_type).
    private enum TypeNumber {
        static let boolean: UInt32 = 16
        static let bytes: UInt32 = 17
        static let integers: Set<UInt32> = [20, 21, 23, 26]
        static let reals: Set<UInt32> = [700, 701]
    }

    package var columnCount: Int { result.columnCount }

    package func isNull(_ column: Int) -> Bool { result.bytes(row, column) == nil }

    /// An integer of any length: BOOLEAN has one byte, INTEGER four, BIGINT eight.
    package func integer(_ column: Int) -> Int64 {
        guard let bytes = result.bytes(row, column), let first = bytes.first, bytes.count <= 8 else { return 0 }
        let sign: Int64 = bytes.count > 1 && first >= 0x80 ? -1 : 0
        return bytes.reduce(sign) { $0 << 8 | Int64($1) }
    }

    package func real(_ column: Int) -> Double {
        guard let bytes = result.bytes(row, column) else { return 0 }
        switch bytes.count {
        case 8 where TypeNumber.reals.contains(result.type(column)):
            return Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
        case 4 where TypeNumber.reals.contains(result.type(column)):
            return Double(Float(bitPattern: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))))
        default: return Double(integer(column))
        }
    }

    package func text(_ column: Int) -> String {
        result.bytes(row, column).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    package func data(_ column: Int) -> Data? { result.bytes(row, column).map { Data($0) } }

    package func withBytes<Result>(
        _ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result? { try result.bytes(row, column).map(body) }

    package func stored(_ column: Int) -> StoredValue {
        if isNull(column) { return .null }
        let type = result.type(column)
        if type == TypeNumber.bytes { return .blob(data(column) ?? Data()) }
        if type == TypeNumber.boolean || TypeNumber.integers.contains(type) { return .integer(integer(column)) }
        return TypeNumber.reals.contains(type) ? .real(real(column)) : .text(text(column))
    }
}
#endif
