import GRDB

extension SQLiteHealthDatabase {
    package func deliveries(to bundleIdentifier: String?) throws -> [AppDeliveries] {
        try read { db in
            let apps = try Row.fetchAll(
                db,
                sql:
                    "SELECT content FROM deliveryApp WHERE ? IS NULL OR bundleIdentifier = ? ORDER BY bundleIdentifier",
                arguments: [bundleIdentifier, bundleIdentifier])
            return try apps.map { row in
                let app = try JSONDecoder().decode(DeliveryApp.self, from: row[0] as Data)
                let rows = try Row.fetchAll(
                    db,
                    sql: """
                        SELECT delivery.*, coalesce(latestChange.sequence, 0) AS latest FROM delivery
                        LEFT JOIN latestChange ON latestChange.identifier = delivery.type
                        WHERE app = ? ORDER BY delivery.type
                        """, arguments: [app.bundleIdentifier])
                let deliveries = rows.compactMap { row -> AppDeliveries.Delivery? in
                    guard let type = TypeCatalogue.objectType(identifier: row["type"]) as? HKSampleType else {
                        return nil
                    }
                    return AppDeliveries.Delivery(type: type, state: Self.state(row), latest: row["latest"])
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
        try write { writer in
            let db = writer.db
            if let content {
                try db.execute(
                    sql: """
                        INSERT INTO deliveryApp (bundleIdentifier, content) VALUES (?, ?)
                        ON CONFLICT (bundleIdentifier) DO UPDATE SET content = excluded.content
                        """, arguments: [bundleIdentifier, content])
            }
            for type in try types ?? Self.types(db, bundleIdentifier) {
                let older = try Self.row(db, type.identifier, bundleIdentifier).map(Self.state)
                var state = older
                change(type, try Self.latest(db, type), &state)
                guard state != older else { continue }
                if let state {
                    try Self.store(state, db, type.identifier, bundleIdentifier)
                } else {
                    try db.execute(
                        sql: "DELETE FROM delivery WHERE app = ? AND type = ?",
                        arguments: [bundleIdentifier, type.identifier])
                }
            }
            try db.execute(sql: "DELETE FROM deliveryApp WHERE bundleIdentifier NOT IN (SELECT app FROM delivery)")
        }
    }

    // MARK: Rows

    private static func types(_ db: Database, _ app: String) throws -> Set<HKSampleType> {
        let identifiers = try String.fetchAll(db, sql: "SELECT type FROM delivery WHERE app = ?", arguments: [app])
        return Set(identifiers.compactMap { TypeCatalogue.objectType(identifier: $0) as? HKSampleType })
    }

    private static func row(_ db: Database, _ type: String, _ app: String) throws -> Row? {
        try Row.fetchOne(db, sql: "SELECT * FROM delivery WHERE app = ? AND type = ?", arguments: [app, type])
    }

    private static func latest(_ db: Database, _ type: HKSampleType) throws -> Int64 {
        try Int64.fetchOne(
            db, sql: "SELECT sequence FROM latestChange WHERE identifier = ?", arguments: [type.identifier]) ?? 0
    }

    private static func state(_ row: Row) -> DeliveryState {
        DeliveryState(
            frequency: HKUpdateFrequency(rawValue: row["frequency"]) ?? .hourly, answered: row["answered"],
            lastStart: (row["lastStart"] as Double?).map(Date.init(timeIntervalSinceReferenceDate:)),
            unanswered: row["unanswered"])
    }

    private static func store(_ state: DeliveryState, _ db: Database, _ type: String, _ app: String) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO delivery (app, type, frequency, answered, lastStart, unanswered)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                app, type, state.frequency.rawValue, state.answered, state.lastStart?.timeIntervalSinceReferenceDate,
                state.unanswered,
            ])
    }
}
