import Analytics

/// The time covered by sources of higher priority.
struct CoveredTime {
    /// In order, with gaps between them.
    private var intervals: [(start: Double, end: Double)] = []

    /// Returns the parts of a value that no other source covers, each with its share of the value. A moment inside
    /// covered time has none.
    func uncovered(_ value: MeasuredValue) -> [MeasuredValue] {
        var index = firstInterval(endingAfter: value.start)
        guard index < intervals.count, intervals[index].start < value.end || value.start == value.end else {
            return [value]
        }
        guard value.end > value.start else {
            return intervals[index].start <= value.start ? [] : [value]
        }
        let length = value.end - value.start
        var parts: [MeasuredValue] = []
        var start = value.start
        func append(until end: Double) {
            guard end > start else { return }
            parts.append(MeasuredValue(value: value.value * ((end - start) / length), start: start, end: end))
        }
        while index < intervals.count, intervals[index].start < value.end {
            append(until: intervals[index].start)
            start = max(start, intervals[index].end)
            index += 1
        }
        append(until: value.end)
        return parts
    }

    private func firstInterval(endingAfter date: Double) -> Int { intervals.partitioningIndex { $0.end > date } }

    mutating func cover(_ values: [MeasuredValue]) {
        var all = intervals
        for value in values where value.end > value.start { all.append((value.start, value.end)) }
        all.sort { $0.start < $1.start }
        intervals = []
        for interval in all {
            if let last = intervals.last, interval.start <= last.end {
                intervals[intervals.count - 1].end = max(last.end, interval.end)
            } else {
                intervals.append(interval)
            }
        }
    }
}
