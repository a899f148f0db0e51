extension SampleRun {
    /// The samples in order of their start, cut into runs of the right length.
    ///
    /// Runs end at ``longest`` samples, where UUIDs of this module's own change their base, and when they are long enough
    /// (``shortestFullHour``) with the hour. After such a run a sample that reaches over the hour stands alone: the next
    /// run is whole again.
    func cut() -> [SampleRun] {
        let sorted = isSorted ? self : subset(starts.indices.sorted { (starts[$0], ends[$0], $0) < (starts[$1], ends[$1], $1) })
        guard sorted.count > 1 else { return [sorted] }
        return sorted.cuts().map { sorted.subset($0) }
    }

    private var isSorted: Bool { zip(starts, starts.dropFirst()).allSatisfy { $0 <= $1 } }

    private func cuts() -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var first = 0
        var firstCell = cell(0)
        var isAfterFullHour = false
        for index in starts.indices.dropFirst() {
            let length = index - first
            let isFullHour = length >= Self.shortestFullHour || isAfterFullHour
            let leavesHour = isFullHour && cell(index) != firstCell
            guard leavesHour || length >= Self.longest || changesBase(at: index, from: first) else { continue }
            ranges.append(first..<index)
            isAfterFullHour = leavesHour && length >= Self.shortestFullHour
            first = index
            firstCell = cell(index)
        }
        return ranges + [first..<count]
    }

    /// The hours that a sample begins and ends in.
    private func cell(_ index: Int) -> SIMD2<Double> {
        let start = (starts[index] / Self.cellInSeconds).rounded(.down)
        let end = (ends[index] / Self.cellInSeconds).rounded(.up) - 1
        return SIMD2(start, max(start, end))
    }

    /// Whether a row of UUIDs that were counted up ends here.
    private func changesBase(at index: Int, from first: Int) -> Bool {
        guard case .listed(let ids) = ids, index - first >= 16 else { return false }
        return ids[first].base == ids[index - 1].base && ids[index].base != ids[first].base
    }
}
