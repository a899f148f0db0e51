import GRDB

extension StoreWriter {
    /// Workouts, correlations and heartbeat series were keyed archives once, a hundred times slower to read. One that
    /// cannot be read stays what it is, and is an error where somebody asks for it, as before.
    func unarchiveObjects() throws {
        let ids = try Int64.fetchAll(
            db,
            sql: """
                SELECT content.run FROM content JOIN run ON run.id = content.run
                WHERE content.archive IS NOT NULL AND run.kind IN (?, ?)
                """, arguments: [StoredRun.Kind.object.rawValue, StoredRun.Kind.heartbeats.rawValue])
        let setKind = try db.makeStatement(sql: "UPDATE run SET kind = ? WHERE id = ?")
        let setColumns = try db.makeStatement(sql: "UPDATE content SET columns = ?, archive = NULL WHERE run = ?")
        let removeArchive = try db.makeStatement(sql: "UPDATE content SET archive = NULL WHERE run = ?")
        for id in ids {
            let archive = try Data.fetchOne(
                db.cachedStatement(sql: "SELECT archive FROM content WHERE run = ?"), arguments: [id])
            switch try? archive.map(ObjectArchive.decoded) {
            case let workout as HKWorkout:
                try setColumns.execute(arguments: [Data(try WorkoutColumns(workout, self).bytes), id])
                try setKind.execute(arguments: [StoredRun.Kind.workout.rawValue, id])
            case is HKCorrelation:
                try removeArchive.execute(arguments: [id])
                try setKind.execute(arguments: [StoredRun.Kind.correlation.rawValue, id])
            case is HKHeartbeatSeriesSample where try hasColumns(id):
                try removeArchive.execute(arguments: [id])
            default: break
            }
        }
    }

    /// One that was saved without its beats has none.
    private func hasColumns(_ row: Int64) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT columns IS NOT NULL FROM content WHERE run = ?"), arguments: [row]) ?? false
    }
}
