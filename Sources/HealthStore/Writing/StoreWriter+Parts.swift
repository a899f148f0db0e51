extension StoreWriter {
    /// Adds the figures of parts to the long runs of an earlier version. A run that cannot be read stays as it is. Reading its
    /// samples is an error, as before.
    func divideLongRuns() throws {
        let long = try reader.runs(
            "WHERE kind = ? AND count >= ?", [StoredRun.Kind.quantities.rawValue, SampleRun.shortestInParts],
            among: .complete)
        for run in long {
            guard let type = try reader.type(run.type) as? HKQuantityType, let samples = try? reader.columns(run)
            else { continue }
            var divided = run
            divided.describe(samples, of: type, in: try reader.unit(run.origin.unit))
            try db.execute(sql: "UPDATE run SET summary = ? WHERE id = ?", arguments: [divided.summary?.data, run.id])
        }
    }
}
