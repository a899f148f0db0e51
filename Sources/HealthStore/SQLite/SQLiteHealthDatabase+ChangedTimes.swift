import GRDB

extension SQLiteHealthDatabase {
    package func changedTimes(_ type: HKSampleType, after mark: Int64) throws -> ChangedTimes {
        try read { db in
            let reader = StoreReader(db)
            let last = try Int64.fetchOne(db, sql: "SELECT last FROM sequence") ?? 0
            guard let id = try reader.id(of: type), mark < last else { return ChangedTimes(mark: last, ranges: []) }
            var ranges: [ClosedRange<Date>] = []
            for run in try reader.runs("WHERE type = ? AND lastSequence > ?", [id, mark]) {
                if let range = try reader.times(of: run, after: mark) { ranges.append(range) }
            }
            let deleted = try Row.fetchCursor(
                db, sql: "SELECT start, end FROM deleted WHERE type = ? AND sequence > ?", arguments: [id, mark])
            while let row = try deleted.next() {
                guard let start = row[0] as Double?, let end = row[1] as Double?, start <= end else {
                    return ChangedTimes(mark: last, ranges: nil)
                }
                ranges.append(.seconds(start, end))
            }
            return ChangedTimes(mark: last, ranges: ranges.sorted { $0.lowerBound < $1.lowerBound })
        }
    }
}

extension StoreReader {
    /// From the first start to the last end of the samples of a row that came after a mark.
    fileprivate func times(of run: StoredRun, after mark: Int64) throws -> ClosedRange<Date>? {
        guard run.firstSequence <= mark else { return .seconds(run.start, run.end) }
        let samples = try members(run)
        var first = Double.infinity
        var last = -Double.infinity
        for index in samples.starts.indices where samples.sequences[index] > mark {
            first = min(first, samples.starts[index])
            last = max(last, samples.ends[index])
        }
        return first <= last ? .seconds(first, last) : nil
    }
}

extension ClosedRange<Date> {
    /// Seconds since the reference date.
    fileprivate static func seconds(_ first: Double, _ last: Double) -> Self {
        Date(timeIntervalSinceReferenceDate: first)...Date(timeIntervalSinceReferenceDate: last)
    }
}
