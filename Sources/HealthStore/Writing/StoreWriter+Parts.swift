extension StoreWriter {
    /// Gives the long runs of an earlier version the figures of their parts. A run that cannot be read stays as it is, and is
    /// an error if somebody asks for its samples, as before.
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
