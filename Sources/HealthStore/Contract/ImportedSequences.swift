/// The sequence numbers of an import's objects: a range for each batch, joined if nobody else wrote in between.
package struct ImportedSequences: Sendable {
    private var ranges: [Range<Int64>] = []
    private(set) var count: Int64 = 0

    package init() {}

    /// - Parameter range: It comes after all earlier ones.
    package mutating func add(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        count += Int64(range.count)
        if let last = ranges.last, last.upperBound == range.lowerBound {
            ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
        } else {
            ranges.append(range)
        }
    }

    /// The most that a statement can take.
    package var latest: ArraySlice<Range<Int64>> { ranges.suffix(64) }

    package func contains(_ sequence: Int64) -> Bool {
        // Most searches are about recent additions.
        ranges.reversed().contains { $0.contains(sequence) }
    }
}
