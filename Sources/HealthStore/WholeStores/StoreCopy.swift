/// Copies a store into an empty one, row by row. The copy has the same UUIDs, anchors, undoable changes and
/// permissions.
///
/// An interrupted copy continues where it stopped: it notes its place in the target, in the same transaction as the
/// rows. If the source has changed meanwhile, it starts again. At the end, both stores are compared.
package struct StoreCopy {
    private let source: any SQLHealthDatabase
    private let target: any SQLHealthDatabase
    private let rowsInTransaction: Int

    package init(
        from source: any SQLHealthDatabase, to target: any SQLHealthDatabase, rowsInTransaction: Int = 4_096
    ) {
        (self.source, self.target) = (source, target)
        self.rowsInTransaction = rowsInTransaction
    }

    package struct Progress: Sendable, Equatable {
        package var rows: Int
        package var total: Int
        /// Whether everything is copied, and both stores are being compared.
        package var isComparing = false
    }

    package struct Outcome: Sendable, Equatable {
        package var rows = 0
        package var samples = 0
        package var workouts = 0
        /// Whether an earlier copy was continued.
        package var wasContinued = false
    }

    /// The place of a copy, kept in the target's settings.
    private struct Place: Codable, Equatable {
        /// The source, and its latest change when the copy began.
        var source: String
        var latestSequence: Int64
        /// The index of the first incomplete table.
        var table = 0
        /// The key of the last copied row of that table.
        var key: [Value]?
        var rows = 0

        /// Only numbers and texts are keys of tables with many rows.
        enum Value: Codable, Equatable {
            case integer(Int64)
            case text(String)
            case bytes(Data)

            init?(_ value: StoredValue) {
                switch value {
                case .integer(let integer): self = .integer(integer)
                case .text(let text): self = .text(text)
                case .blob(let data): self = .bytes(data)
                case .real, .null: return nil
                }
            }

            var stored: StoredValue {
                switch self {
                case .integer(let integer): .integer(integer)
                case .text(let text): .text(text)
                case .bytes(let data): .blob(data)
                }
            }
        }
    }

    private static let placeName = "unfinishedCopy"
    private static let rowsInStatement = 32
    private static let bytesInTransaction = 8 << 20

    /// - Parameter progress: May throw to stop the copy, which can be continued later.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a target that is not empty, and for a source that is an
    ///   unfinished copy.
    package func run(_ progress: (Progress) throws -> Void = { _ in }) throws -> Outcome {
        let tables = try StoreTable.all()
        return try source.withReader { reader in
            guard try !Self.isUnfinished(reader.db) else {
                throw HKError.make(
                    .errorInvalidArgument,
                    "\(source.location.title) is an unfinished copy. Finish it with 'workout store copy', then copy it."
                )
            }
            let latest = try Int64.fetchOne(reader.db, sql: "SELECT last FROM latestSequence") ?? 0
            let beginning = Place(source: source.location.title, latestSequence: latest)
            var (place, wasContinued) = try begin(beginning, tables, reader.db)
            let total = try tables.reduce(0) { sum, table in
                try sum + (Int.fetchOne(reader.db, sql: "SELECT count(*) FROM \(table.name)") ?? 0)
            }
            while place.table < tables.count {
                try progress(Progress(rows: place.rows, total: total))
                place = try copyPart(of: tables[place.table], place, reader.db)
            }
            try progress(Progress(rows: total, total: total, isComparing: true))
            try compare(tables, reader.db, beginning)
            try finish(reader.db)
            var outcome = try outcome(reader.db)
            outcome.rows = total
            outcome.wasContinued = wasContinued
            return outcome
        }
    }

    // MARK: Steps

    /// Prepares the target, which is new or an unfinished copy.
    private func begin(
        _ beginning: Place, _ tables: [StoreTable], _ db: any SQLDatabase
    ) throws -> (Place, wasContinued: Bool) {
        let rowNumber = try tables.filter(\.numbersItsRows).compactMap {
            try Int64.fetchOne(db, sql: "SELECT max(id) FROM \($0.name)")
        }.max()
        return try write { writer in
            if let noted = try Self.notedPlace(writer.db) {
                let place = try JSONDecoder().decode(Place.self, from: noted)
                if (place.source, place.latestSequence) == (beginning.source, beginning.latestSequence) {
                    return (place, true)
                }
                try empty(tables, writer.db)
            } else if try !Self.isEmpty(tables, writer.db) {
                throw HKError.make(
                    .errorInvalidArgument,
                    "\(target.location.title) has data already. Copy into a new store, or on a server into a new person ('workout "
                        + "person add NAME'). Nothing was changed.")
            }
            if let rowNumber { try target.reserveRowNumbers(through: rowNumber, writer.db) }
            try note(beginning, writer.db)
            return (beginning, false)
        }
    }

    private static func isEmpty(_ tables: [StoreTable], _ db: any SQLDatabase) throws -> Bool {
        for table in tables
        where try Int.fetchOne(db, sql: "SELECT count(*) FROM (SELECT 1 FROM \(table.name) LIMIT 1) AS one") != 0 {
            return false
        }
        return true
    }

    private func empty(_ tables: [StoreTable], _ db: any SQLDatabase) throws {
        for table in tables.reversed() { try db.execute(sql: "DELETE FROM \(table.name)") }
    }

    /// - Returns: The place after the copied rows.
    private func copyPart(of table: StoreTable, _ place: Place, _ db: any SQLDatabase) throws -> Place {
        var rows: [SQLRow] = []
        var bytes = 0
        var isWhole = true
        let query = table.rows(after: place.key?.map(\.stored))
        try db.forEachRow(sql: query.sql, arguments: query.arguments, mayEndEarly: true) { row in
            rows.append(SQLRow(row))
            bytes += (0..<row.columnCount).reduce(0) { $0 + (row.withBytes($1, \.count) ?? 0) }
            isWhole = table.key.isEmpty || rows.count < rowsInTransaction && bytes < Self.bytesInTransaction
            return isWhole
        }
        var next = place
        next.rows += rows.count
        next.key = isWhole ? nil : rows.last.map { table.key(of: $0).compactMap(Place.Value.init) }
        if isWhole { next.table += 1 }
        try write { writer in
            var left = rows[...]
            while !left.isEmpty {
                // Two statements for each table, so that both stay prepared.
                let some = left.prefix(left.count < Self.rowsInStatement ? 1 : Self.rowsInStatement)
                left = left.dropFirst(some.count)
                try writer.db.execute(
                    sql: table.insertion(of: some.count),
                    arguments: some.flatMap { row in (0..<row.columnCount).map { row.stored($0) } })
            }
            try note(next, writer.db)
        }
        return next
    }

    private func compare(_ tables: [StoreTable], _ db: any SQLDatabase, _ beginning: Place) throws {
        let different = try target.withReader { copy in
            try tables.filter { table in
                // The target also has the copy's place.
                try StoreDigest(table, db) != StoreDigest(table, copy.db, without: Self.placeName)
            }
        }
        guard !different.isEmpty else { return }
        var anew = beginning
        // The next attempt starts again.
        anew.latestSequence = -1
        try write { try note(anew, $0.db) }
        throw HKError.make(
            .errorDatabaseInaccessible,
            "The copy differs from \(source.location.title) in \(different.map(\.name).joined(separator: ", ")): one of them was "
                + "changed while it was copied. Stop the programs that use them, and copy again.")
    }

    /// Only now does the copy have a latest change, which makes it an ordinary store.
    private func finish(_ db: any SQLDatabase) throws {
        let last = try Int64.fetchOne(db, sql: "SELECT last FROM sequence") ?? 0
        try write { writer in
            try writer.db.execute(sql: "UPDATE sequence SET last = ?", arguments: [last])
            try writer.db.execute(sql: "DELETE FROM setting WHERE name = ?", arguments: [Self.placeName])
        }
    }

    private func outcome(_ db: any SQLDatabase) throws -> Outcome {
        func count(_ condition: String, _ arguments: SQLArguments) throws -> Int {
            try Int.fetchOne(
                db,
                sql: """
                    SELECT CAST(coalesce(sum(count), 0) AS BIGINT) FROM anyRun JOIN type ON type.id = anyRun.type
                    WHERE \(condition)
                    """, arguments: arguments) ?? 0
        }
        let workouts = HKObjectType.workoutType().identifier
        return Outcome(
            samples: try count("identifier <> ?", [workouts]), workouts: try count("identifier = ?", [workouts]))
    }

    // MARK: Writing

    /// Rows are copied unchanged, so growing runs can still grow.
    private func write<Result>(_ body: (StoreWriter) throws -> Result) throws -> Result {
        try target.withWriter(waitingForDisk: true, collecting: true, body)
    }

    private static func notedPlace(_ db: any SQLDatabase) throws -> Data? {
        try Data.fetchOne(db, sql: "SELECT value FROM setting WHERE name = ?", arguments: [placeName])
    }

    static func isUnfinished(_ db: any SQLDatabase) throws -> Bool { try notedPlace(db) != nil }

    private func note(_ place: Place, _ db: any SQLDatabase) throws {
        try db.execute(sql: "DELETE FROM setting WHERE name = ?", arguments: [Self.placeName])
        try db.execute(
            sql: "INSERT INTO setting (name, value) VALUES (?, ?)",
            arguments: [Self.placeName, JSONEncoder().encode(place)])
    }
}
