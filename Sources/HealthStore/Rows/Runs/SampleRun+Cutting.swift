extension SampleRun {
    /// The samples in order of their start, cut into runs of the right length.
    ///
    /// An hour with at least ``shortestFullHour`` samples is a run of its own, or several of ``longest``: statistics by
    /// hours and days are then sums of whole runs. A sample that reaches over the hour stands apart from it. Thinner hours
    /// go together. A run also ends where UUIDs that were counted up begin anew.
    func cut() -> [SampleRun] {
        let sorted =
            isSorted ? self : subset(starts.indices.sorted { (starts[$0], ends[$0], $0) < (starts[$1], ends[$1], $1) })
        guard sorted.count > 1 else { return [sorted] }
        return sorted.cuts().map { sorted.subset($0).recognizingIDs() }
    }

    private var isSorted: Bool { zip(starts, starts.dropFirst()).allSatisfy { $0 <= $1 } }

    private func recognizingIDs() -> SampleRun {
        guard case .listed(let list) = ids else { return self }
        var copy = self
        copy.ids = SampleIDs(list)
        return copy
    }

    private func cuts() -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        /// The end of what has been given to a run.
        var done = 0
        func take(until end: Int) {
            var first = done
            for index in done..<end where index > first {
                guard index - first >= Self.longest || changesBase(at: index, from: first) else { continue }
                ranges.append(first..<index)
                first = index
            }
            if first < end { ranges.append(first..<end) }
            done = end
        }
        var hourStart = 0
        var hour = cell(0)
        for index in 1...count {
            let next = index < count ? cell(index) : nil
            guard next != hour else { continue }
            if index - hourStart >= Self.shortestFullHour {
                take(until: hourStart)
                take(until: index)
            }
            hourStart = index
            hour = next ?? hour
        }
        take(until: count)
        return ranges
    }

    /// The hours, or other lengths of time, that a sample begins and ends in.
    func cell(_ index: Int, inSeconds length: Double = Self.hourInSeconds) -> SIMD2<Double> {
        let start = (starts[index] / length).rounded(.down)
        let end = (ends[index] / length).rounded(.up) - 1
        return SIMD2(start, max(start, end))
    }

    /// Whether a row of UUIDs that were counted up ends here.
    private func changesBase(at index: Int, from first: Int) -> Bool {
        guard case .listed(let ids) = ids, index - first >= 16 else { return false }
        return ids[first].sharesBase(with: ids[index - 1]) && !ids[index].sharesBase(with: ids[first])
    }

    /// This run and later samples in one.
    func appending(_ later: SampleRun) -> SampleRun {
        SampleRun(
            starts: starts + later.starts, ends: ends + later.ends, values: values + later.values,
            sequences: sequences + later.sequences, ids: ids.appending(later.ids), holdEnd: later.holdEnd)
    }
}
