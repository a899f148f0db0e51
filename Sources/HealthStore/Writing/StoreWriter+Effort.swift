import GRDB

extension StoreWriter {
    func relateEffort(
        _ sample: HKSample, workout: UUID, activity: UUID?, from source: HKSourceRevision
    ) throws {
        try join([(sample, nil)], workout: workout, from: source)
        // A sample is about the whole or about one part: the latest word counts, and has the next number.
        try db.execute(
            sql: "DELETE FROM effort WHERE sample = ? AND workout = ?", arguments: [sample.uuid.data, workout.data])
        try db.execute(
            sql: "INSERT INTO effort (workout, activity, sample) VALUES (?, ?, ?)",
            arguments: [workout.data, activity?.data, sample.uuid.data])
    }

    /// - Returns: Whether they were related so.
    func unrelateEffort(_ sample: UUID, workout: UUID, activity: UUID?) throws -> Bool {
        try db.execute(
            sql: "DELETE FROM effort WHERE sample = ? AND workout = ? AND activity IS ?",
            arguments: [sample.data, workout.data, activity?.data])
        guard db.changesCount > 0 else { return false }
        guard let (parent, _) = try find(workout), let (run, index) = try find(sample) else { return true }
        var row = run.id
        if run.count > 1 {
            let samples = try reader.members(run)
            let others = samples.starts.indices.filter { $0 != index }
            row = try replace(run, with: [samples.subset([index]), samples.subset(others)])[0]
        }
        try db.execute(sql: "DELETE FROM member WHERE parent = ? AND run = ?", arguments: [parent.id, row])
        return true
    }
}
