import GRDB

extension SQLiteHealthDatabase {
    /// What SQLite finds, and every row whose content cannot be read, has changed, or is not what the row says.
    package func checkIntegrity() throws -> [String] {
        try read { db in
            var problems = try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
            problems += try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").map {
                "A row of \($0[0] as String) refers to nothing."
            }
            let reader = StoreReader(db)
            try reader.eachRun("ORDER BY id", []) { run in
                if let problem = reader.problem(run) { problems.append("Row \(run.id): \(problem)") }
                return true
            }
            return problems
        }
    }
}

extension StoreReader {
    fileprivate func problem(_ run: StoredRun) -> String? {
        do {
            if run.kind.isColumns {
                guard try withColumns(of: run, { SampleRun.isIntact($0) }) else { return "its samples have changed." }
                let samples = try columns(run)
                guard samples.starts.first == run.start, samples.starts.last == run.lastStart,
                    samples.ends.max() == run.end, samples.sequences.min() == run.firstSequence,
                    samples.sequences.max() == run.lastSequence
                else { return "its samples are not those that it speaks of." }
            }
            _ = try sample(run, try members(run), 0)
            return nil
        } catch {
            return "\(error)"
        }
    }
}
