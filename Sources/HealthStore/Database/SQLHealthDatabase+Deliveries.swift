extension SQLHealthDatabase {
    package func deliveries(to bundleIdentifier: String?) throws -> [AppDeliveries] {
        try withReader { reader in
            let apps = try Data.fetchAll(
                reader.db,
                sql:
                    "SELECT content FROM deliveryApp \(bundleIdentifier == nil ? "" : "WHERE bundleIdentifier = ?") ORDER BY bundleIdentifier",
                arguments: bundleIdentifier.map { [$0] } ?? [])
            return try apps.map { content in
                let app = try JSONDecoder().decode(DeliveryApp.self, from: content)
                let rows = try SQLRow.fetchAll(
                    reader.db,
                    sql: """
                        SELECT \(Self.stateColumns), delivery.type, coalesce(latestChange.sequence, 0) FROM delivery
                        LEFT JOIN latestChange ON latestChange.identifier = delivery.type
                        WHERE app = ? ORDER BY delivery.type
                        """, arguments: [app.bundleIdentifier])
                let deliveries = rows.compactMap { row -> AppDeliveries.Delivery? in
                    guard let type = TypeCatalogue.objectType(identifier: row[4]) as? HKSampleType else {
                        return nil
                    }
                    return AppDeliveries.Delivery(type: type, state: Self.state(row), latest: row[5])
                }
                return AppDeliveries(app: app, deliveries: deliveries)
            }
        }
    }

    package func updateDeliveries(
        of types: Set<HKSampleType>?, to bundleIdentifier: String, registering app: DeliveryApp?,
        _ change: (_ type: HKSampleType, _ latest: Int64, _ state: inout DeliveryState?) -> Void
    ) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let content = try app.map { try encoder.encode($0) }
        try withWriter { writer in
            let db = writer.db
            if let content {
                let known = try db.execute(
                    sql: "UPDATE deliveryApp SET content = ? WHERE bundleIdentifier = ?",
                    arguments: [content, bundleIdentifier])
                if known == 0 {
                    try db.execute(
                        sql: "INSERT INTO deliveryApp (bundleIdentifier, content) VALUES (?, ?)",
                        arguments: [bundleIdentifier, content])
                }
            }
            for type in try types ?? Self.types(db, bundleIdentifier) {
                let older = try Self.row(db, type.identifier, bundleIdentifier).map(Self.state)
                var state = older
                change(type, try Self.latest(db, type), &state)
                guard state != older else { continue }
                try db.execute(
                    sql: "DELETE FROM delivery WHERE app = ? AND type = ?",
                    arguments: [bundleIdentifier, type.identifier])
                if let state { try Self.store(state, db, type.identifier, bundleIdentifier) }
            }
            try db.execute(sql: "DELETE FROM deliveryApp WHERE bundleIdentifier NOT IN (SELECT app FROM delivery)")
        }
    }

    // MARK: Rows

    private static func types(_ db: any SQLDatabase, _ app: String) throws -> Set<HKSampleType> {
        let identifiers = try String.fetchAll(db, sql: "SELECT type FROM delivery WHERE app = ?", arguments: [app])
        return Set(identifiers.compactMap { TypeCatalogue.objectType(identifier: $0) as? HKSampleType })
    }

    private static func row(_ db: any SQLDatabase, _ type: String, _ app: String) throws -> SQLRow? {
        try SQLRow.fetchOne(
            db, sql: "SELECT \(stateColumns) FROM delivery WHERE app = ? AND type = ?", arguments: [app, type])
    }

    private static func latest(_ db: any SQLDatabase, _ type: HKSampleType) throws -> Int64 {
        try Int64.fetchOne(
            db, sql: "SELECT sequence FROM latestChange WHERE identifier = ?", arguments: [type.identifier]) ?? 0
    }

    private static var stateColumns: String { "frequency, answered, lastStart, unanswered" }

    private static func state(_ row: SQLRow) -> DeliveryState {
        DeliveryState(
            frequency: HKUpdateFrequency(rawValue: row[0]) ?? .hourly, answered: row[1],
            lastStart: (row[2] as Double?).map(Date.init(timeIntervalSinceReferenceDate:)),
            unanswered: row[3])
    }

    private static func store(_ state: DeliveryState, _ db: any SQLDatabase, _ type: String, _ app: String) throws {
        try db.execute(
            sql: """
                INSERT INTO delivery (app, type, frequency, answered, lastStart, unanswered)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                app, type, state.frequency.rawValue, state.answered, state.lastStart?.timeIntervalSinceReferenceDate,
                state.unanswered,
            ])
    }
}
