import GRDB

extension SQLiteHealthDatabase {
    package func relateEffort(
        _ sample: HKSample, toWorkout workout: UUID, activity: UUID?, from source: HKSourceRevision
    ) throws {
        try write { writer in
            guard let (row, _) = try writer.find(workout), try writer.reader.type(row.type) is HKWorkoutType else {
                throw HKError.make(
                    .errorInvalidArgument, "The workout \(workout) is not in the store. Save it before its effort.")
            }
            var members = SavedBatch(writer: writer, source: source, parent: row.id)
            try members.addOrAssociate([sample])
            try members.store()
            // A sample is about the whole or about one part: the latest word counts, and has the next number.
            try writer.db.execute(
                sql: "DELETE FROM effort WHERE sample = ? AND workout = ?",
                arguments: [sample.uuid.data, workout.data])
            try writer.db.execute(
                sql: "INSERT INTO effort (workout, activity, sample) VALUES (?, ?, ?)",
                arguments: [workout.data, activity?.data, sample.uuid.data])
        }
    }

    package func unrelateEffort(_ sample: UUID, fromWorkout workout: UUID, activity: UUID?) throws -> Bool {
        try write { writer in
            let db = writer.db
            try db.execute(
                sql: "DELETE FROM effort WHERE sample = ? AND workout = ? AND activity IS ?",
                arguments: [sample.data, workout.data, activity?.data])
            guard db.changesCount > 0 else { return false }
            guard let (parent, _) = try writer.find(workout), let (run, index) = try writer.find(sample) else {
                return true
            }
            var row = run.id
            if run.count > 1 {
                let samples = try writer.reader.members(run)
                let others = samples.starts.indices.filter { $0 != index }
                row = try writer.replace(run, with: [samples.subset([index]), samples.subset(others)])[0]
            }
            try db.execute(sql: "DELETE FROM member WHERE parent = ? AND run = ?", arguments: [parent.id, row])
            return true
        }
    }

    package func effortLinks(after sequence: Int64) throws -> [EffortLink] {
        try read { db in
            let rows = try Row.fetchAll(
                db, sql: "SELECT id, workout, activity, sample FROM effort WHERE id > ? ORDER BY id",
                arguments: [sequence])
            return rows.compactMap { row in
                guard let workout = UUID(stored: row[1]), let sample = UUID(stored: row[3]) else { return nil }
                let activity: Data? = row[2]
                return EffortLink(
                    sequence: row[0], workout: workout, activity: activity.flatMap(UUID.init(stored:)), sample: sample)
            }
        }
    }
}

extension UUID {
    /// Nil unless there are sixteen bytes.
    init?(stored data: Data) {
        guard data.count == MemoryLayout<uuid_t>.size else { return nil }
        self.init(uuid: data.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
    }
}
