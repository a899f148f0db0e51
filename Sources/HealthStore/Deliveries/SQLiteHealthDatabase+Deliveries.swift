import GRDB

extension SQLiteHealthDatabase {
    package func enableDelivery(of type: HKSampleType, _ frequency: HKUpdateFrequency, to app: DeliveryApp) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let content = try encoder.encode(app)
        try write { writer in
            let db = writer.db
            try db.execute(
                sql: """
                    INSERT INTO deliveryApp (bundleIdentifier, content) VALUES (?, ?)
                    ON CONFLICT (bundleIdentifier) DO UPDATE SET content = excluded.content
                    """, arguments: [app.bundleIdentifier, content])
            let row = try Self.row(db, type.identifier, app.bundleIdentifier)
            var state = try row.map(Self.state) ?? DeliveryState(frequency: frequency, answered: Self.latest(db, type))
            state.enabled(frequency)
            try Self.store(state, db, type.identifier, app.bundleIdentifier)
        }
    }

    package func disableDelivery(of type: HKSampleType?, to bundleIdentifier: String) throws {
        try write { writer in
            try writer.db.execute(
                sql: "DELETE FROM delivery WHERE app = ? AND (? IS NULL OR type = ?)",
                arguments: [bundleIdentifier, type?.identifier, type?.identifier])
            try writer.db.execute(
                sql: "DELETE FROM deliveryApp WHERE bundleIdentifier NOT IN (SELECT app FROM delivery)")
        }
    }

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
                        SELECT delivery.*, coalesce(lastChange, 0) AS latest FROM delivery
                        LEFT JOIN type ON type.identifier = delivery.type WHERE app = ? ORDER BY delivery.type
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
        of types: Set<HKSampleType>, to bundleIdentifier: String, _ change: (HKSampleType, inout DeliveryState) -> Void
    ) throws {
        try write { writer in
            for type in types {
                guard let row = try Self.row(writer.db, type.identifier, bundleIdentifier) else { continue }
                var state = Self.state(row)
                let older = state
                change(type, &state)
                if state != older { try Self.store(state, writer.db, type.identifier, bundleIdentifier) }
            }
        }
    }

    // MARK: Rows

    private static func row(_ db: Database, _ type: String, _ app: String) throws -> Row? {
        try Row.fetchOne(db, sql: "SELECT * FROM delivery WHERE app = ? AND type = ?", arguments: [app, type])
    }

    private static func latest(_ db: Database, _ type: HKSampleType) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT lastChange FROM type WHERE identifier = ?", arguments: [type.identifier])
            ?? 0
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
