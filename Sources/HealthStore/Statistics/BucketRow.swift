import Analytics
import SessionLog

/// The figures of consecutive intervals, each from one bound to the next.
struct BucketRow {
    private let bounds: [Double]
    private let isCumulative: Bool
    private let rule: AveragingRule
    private var statistics: [RunningStatistics?]
    /// The bucket of the last value. Values come in order of time.
    private var current = 0

    init(_ bounds: [Double], _ type: HKQuantityType) {
        self.bounds = bounds
        isCumulative = type.aggregationStyle == .cumulative
        rule = type.averagingRule
        statistics = [RunningStatistics?](repeating: nil, count: max(0, bounds.count - 1))
    }

    /// Returns the bucket that contains this interval. Nil if none does.
    mutating func bucket(holding start: Double, _ lastStart: Double, _ end: Double) -> Int? {
        guard let bucket = bucket(of: start), lastStart < bounds[bucket + 1], end <= bounds[bucket + 1] else {
            return nil
        }
        return bucket
    }

    /// Whether a bound lies within a row, and within one of its parts.
    mutating func cuts(_ run: StoredRun) -> Bool {
        guard bucket(holding: run.start, run.lastStart, run.end) == nil else { return false }
        guard let parts = run.summary?.parts, !parts.isEmpty else { return true }
        return parts.contains { part in
            !isOutside(part.start, part.end) && bucket(holding: part.start, part.lastStart, part.end) == nil
        }
    }

    /// Adds the figures of a row whose samples lie in one bucket.
    mutating func add(_ run: StoredRun, to bucket: Int) {
        merge(run.statistics(rule), into: bucket)
        endHold(at: run.summary?.holdEnd, in: bucket)
    }

    /// Adds the figures of consecutive samples of a row. Returns false and adds nothing if they don't lie in one
    /// bucket.
    mutating func add(_ part: RunPart) -> Bool {
        guard let bucket = bucket(holding: part.start, part.lastStart, part.end) else { return false }
        merge(part.statistics(rule), into: bucket)
        return true
    }

    /// Whether an interval lies before the first bound or after the last.
    func isOutside(_ start: Double, _ end: Double) -> Bool {
        guard let first = bounds.first, let last = bounds.last else { return true }
        return end < first || start >= last
    }

    /// Ends the hold of the last value at this date. No hold goes beyond its bucket.
    mutating func endHold(at date: Double, ofValueFrom start: Double, to end: Double) {
        // An interval that ends at a bound lies before it. A moment at a bound belongs to the next bucket.
        let bucket = bounds.partitioningIndex { end > start ? $0 >= end : $0 > end } - 1
        if statistics.indices.contains(bucket) { endHold(at: date, in: bucket) }
    }

    private mutating func endHold(at date: Double?, in bucket: Int) {
        guard let date, date <= bounds[bucket + 1] else { return }
        statistics[bucket]?.breakHold(at: Date(timeIntervalSinceReferenceDate: date))
    }

    private mutating func merge(_ other: RunningStatistics, into bucket: Int) {
        if statistics[bucket] == nil {
            statistics[bucket] = other
        } else {
            statistics[bucket]?.merge(other)
        }
    }

    /// Adds the figures of another source, whose values do not end the holds of this one.
    mutating func add(_ other: BucketRow) {
        for (index, figures) in other.statistics.enumerated() {
            guard let figures else { continue }
            statistics[index]?.letGo()
            merge(figures, into: index)
        }
    }

    /// Adds a range of a row's values, in order of their start.
    mutating func add(_ values: TimedValues, in range: Range<Int>) {
        var place = range.lowerBound
        while place < range.upperBound {
            let value = values[place]
            guard let bucket = bucket(of: value.start), value.end <= bounds[bucket + 1] else {
                add(value)
                place += 1
                continue
            }
            let next = values.place(after: place, in: range, endingWithin: bounds[bucket + 1])
            values.add(place..<next, to: &statistics[bucket, default: rule])
            place = next
        }
    }

    /// A value that spans several buckets counts in each: for cumulative types a share of it, else all of it for a
    /// share of the time. A moment at a bound belongs to the next bucket.
    mutating func add(_ value: MeasuredValue) {
        guard value.end > value.start else {
            if let bucket = bucket(of: value.start) { add(value, to: bucket) }
            return
        }
        guard let first = bounds.first, let last = bounds.last, value.start < last, value.end > first else { return }
        var index = bucket(of: max(value.start, first)) ?? 0
        let length = value.end - value.start
        while index < statistics.count, bounds[index] < value.end {
            let start = max(value.start, bounds[index])
            let end = min(value.end, bounds[index + 1])
            let share = isCumulative && end - start < length ? (end - start) / length : 1
            add(
                MeasuredValue(value: value.value * share, start: start, end: end, holdEnd: value.holdEnd), to: index)
            index += 1
        }
    }

    private mutating func add(_ value: MeasuredValue, to bucket: Int) {
        if statistics[bucket] == nil { statistics[bucket] = RunningStatistics(rule) }
        statistics[bucket]?.add(
            value.value, start: Date(timeIntervalSinceReferenceDate: value.start),
            end: Date(timeIntervalSinceReferenceDate: value.end))
        endHold(at: value.holdEnd, in: bucket)
    }

    private mutating func bucket(of date: Double) -> Int? {
        guard let first = bounds.first, let last = bounds.last, date >= first, date < last else { return nil }
        for index in current..<min(current + 2, statistics.count)
        where bounds[index] <= date && date < bounds[index + 1] {
            current = index
            return index
        }
        current = bounds.partitioningIndex { $0 > date } - 1
        return current
    }

    /// The buckets that are not empty.
    func buckets(_ asked: StatisticsBounds, _ parts: [HKSource: BucketRow]) -> [StatisticsBucket] {
        statistics.indices.compactMap { index in
            guard let total = statistics[index] else { return nil }
            let bySource = parts.compactMapValues { $0.statistics[index] }
            switch asked {
            case .dates(let dates):
                return StatisticsBucket(
                    start: dates[index], end: dates[index + 1], total: total, bySource: bySource)
            case .whole:
                let start = total.firstStart ?? .distantPast
                return StatisticsBucket(
                    start: start, end: max(start, total.mostRecent?.end ?? start), total: total, bySource: bySource)
            }
        }
    }
}

extension [RunningStatistics?] {
    /// The statistics of a bucket. Empty if it has none yet.
    fileprivate subscript(bucket: Int, default rule: AveragingRule) -> RunningStatistics {
        get { self[bucket] ?? RunningStatistics(rule) }
        _modify {
            var figures = self[bucket] ?? RunningStatistics(rule)
            defer { self[bucket] = figures }
            yield &figures
        }
    }
}
