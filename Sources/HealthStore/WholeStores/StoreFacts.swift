/// The contents of a store in numbers, and its size.
package struct StoreFacts: Sendable {
    package struct TypeFacts: Sendable {
        package var identifier: String
        package var count: Int
        package var dates: ClosedRange<Date>
    }

    package var schema: StoreSchemaState
    /// Including indexes. On a server, of all people.
    package var bytes: Int64
    package var rows: Int
    /// Including workouts, in order of their counts.
    package var types: [TypeFacts]
    /// Whether it is an unfinished copy by ``StoreCopy``.
    package var isUnfinishedCopy: Bool
}

extension SQLHealthDatabase {
    package func facts() throws -> StoreFacts {
        try withReader { reader in
            let rows = try SQLRow.fetchAll(
                reader.db,
                sql: """
                    SELECT identifier, CAST(sum(count) AS BIGINT), min(start), max("end"), count(*)
                    FROM anyRun JOIN type ON type.id = anyRun.type
                    GROUP BY identifier ORDER BY sum(count) DESC, identifier
                    """)
            let types = rows.map { row in
                let (start, end): (Double, Double) = (row[2], row[3])
                return StoreFacts.TypeFacts(
                    identifier: row[0], count: row[1],
                    dates: Date(
                        timeIntervalSinceReferenceDate: start)...Date(timeIntervalSinceReferenceDate: max(start, end)))
            }
            return StoreFacts(
                // The first use of a database creates its tables, so an earlier query would find none.
                schema: try schema(), bytes: try size(reader.db), rows: rows.reduce(0) { $0 + $1[4] }, types: types,
                isUnfinishedCopy: try StoreCopy.isUnfinished(reader.db))
        }
    }
}
