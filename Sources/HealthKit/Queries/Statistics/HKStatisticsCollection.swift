import Analytics
import SessionLog

/// Statistics of a quantity type in consecutive calendar intervals.
// Sendable holds: every stored property is immutable.
public final class HKStatisticsCollection: NSObject, @unchecked Sendable {
    private let type: HKQuantityType
    private let options: HKStatisticsOptions
    private let grid: BucketGrid
    /// The statistics of intervals with samples, in order of time.
    private let populated: [HKStatistics]

    package init(
        _ buckets: [StatisticsBucket], of type: HKQuantityType, options: HKStatisticsOptions, grid: BucketGrid
    ) {
        self.type = type
        self.options = options
        self.grid = grid
        populated = buckets.lazy.filter { $0.total.count > 0 }.map {
            HKStatistics($0, of: type, options: options)
        }.sorted { $0.startDate < $1.startDate }
    }

    private init(_ older: HKStatisticsCollection, _ populated: [HKStatistics]) {
        type = older.type
        options = older.options
        grid = older.grid
        self.populated = populated
    }

    /// Returns the collection with some intervals read again.
    /// - Parameters:
    ///   - parts: The bounds of consecutive intervals, part by part, in order.
    ///   - read: Reads the intervals between bounds.
    func reading(again parts: [[Date]], _ read: ([Date]) throws -> [StatisticsBucket]) throws -> HKStatisticsCollection
    {
        var all: [HKStatistics] = []
        var place = 0
        for bounds in parts {
            guard let first = bounds.first, let last = bounds.last else { continue }
            while place < populated.count, populated[place].startDate < first {
                all.append(populated[place])
                place += 1
            }
            while place < populated.count, populated[place].startDate < last { place += 1 }
            all += HKStatisticsCollection(try read(bounds), of: type, options: options, grid: grid).populated
        }
        return HKStatisticsCollection(self, all + populated[place...])
    }

    /// Returns the statistics of the interval that contains a date. They have no values if it has no samples.
    public func statistics(for date: Date) -> HKStatistics? {
        let index = grid.index(of: date)
        return statistics(from: grid.start(index), to: grid.start(index + 1))
    }

    /// Calls `block` for each complete interval that overlaps the time from `startDate` up to, but not including, `endDate`, in
    /// order, with or without samples. To stop, set the pointee of the second argument to true.
    public func enumerateStatistics(
        from startDate: Date, to endDate: Date,
        with block: @escaping (HKStatistics, UnsafeMutablePointer<ObjCBool>) -> Void
    ) {
        var stop = ObjCBool(false)
        var index = grid.index(of: startDate)
        var start = grid.start(index)
        repeat {
            let end = grid.start(index + 1)
            block(statistics(from: start, to: end), &stop)
            index += 1
            start = end
        } while start < endDate && !stop.boolValue
    }

    /// Returns the statistics of all intervals with samples, in order.
    public func statistics() -> [HKStatistics] { populated }

    /// Returns the sources of the samples. Empty without ``HKStatisticsOptions/separateBySource``.
    public func sources() -> Set<HKSource> {
        populated.reduce(into: []) { $0.formUnion($1.sources ?? []) }
    }

    private func statistics(from start: Date, to end: Date) -> HKStatistics {
        let place = populated.partitioningIndex { $0.startDate >= start }
        if place < populated.count, populated[place].startDate == start { return populated[place] }
        return HKStatistics(without: type, from: start, to: end, options: options)
    }

    /// Returns the intervals whose statistics differ from those of an older collection of the same query, in order.
    func changes(since older: HKStatisticsCollection) -> [HKStatistics] {
        let before = Dictionary(uniqueKeysWithValues: older.populated.map { ($0.startDate, $0) })
        let changed = populated.filter { new in
            guard let old = before[new.startDate] else { return true }
            return old.total != new.total || old.bySource != new.bySource
        }
        let now = Set(populated.map(\.startDate))
        let emptied = older.populated.filter { !now.contains($0.startDate) }.map {
            HKStatistics(without: type, from: $0.startDate, to: $0.endDate, options: options)
        }
        return (changed + emptied).sorted { $0.startDate < $1.startDate }
    }
}
