import GRDB

extension SQLiteHealthDatabase {
    /// The sources of cumulative types are merged by priority: the one that came into the store last wins where samples
    /// overlap, the next fills the gaps, a sample that is partly covered counts in proportion to time. (The user's own
    /// order on Apple's systems; its default there puts new devices first, too.) Values of discrete types are not added
    /// up, so all of them count; where they weigh by time, a value holds until the next one of the same source.
    package func statistics(
        _ selection: SampleSelection, bounds: StatisticsBounds, separatingSources: Bool
    ) throws -> [StatisticsBucket] {
        guard let type = selection.type as? HKQuantityType else { return [] }
        return try read { db in
            let reader = StoreReader(db)
            let dates: [Double]
            switch bounds {
            case .dates(let bounds): dates = bounds.map(\.timeIntervalSinceReferenceDate)
            case .whole: dates = [-.infinity, .infinity]
            }
            guard let first = dates.first, let last = dates.last, dates.count > 1 else { return [] }
            // A sample that ends at the first bound or begins at the last one lies outside, unless it is a moment.
            let inside = RunCondition("start < ? AND end >= ?", [last, first])
            var pieces: [StatisticsPiece] = []
            try reader.eachCandidate(selection, and: inside, order: "ORDER BY start, firstSequence") { run, filter in
                pieces.append(StatisticsPiece(run: run, filter: filter))
                return true
            }
            let sources = try StatisticsSources(pieces, type, reader, dates)
            return try sources.buckets(bounds, separatingSources: separatingSources)
        }
    }
}
