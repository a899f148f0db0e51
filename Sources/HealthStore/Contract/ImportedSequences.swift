/// The sequence numbers of what one import has added: one range a batch, joined where nobody else wrote in between.
package struct ImportedSequences: Sendable {
    private var ranges: [Range<Int64>] = []
    private(set) var count: Int64 = 0

    package init() {}

    /// - Parameter range: After all earlier ones.
    package mutating func add(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        count += Int64(range.count)
        if let last = ranges.last, last.upperBound == range.lowerBound {
            ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
        } else {
            ranges.append(range)
        }
    }

    /// As many as a statement can name.
    package var latest: ArraySlice<Range<Int64>> { ranges.suffix(64) }

    package func contains(_ sequence: Int64) -> Bool {
        // What is asked about was added lately, as a rule.
        ranges.reversed().contains { $0.contains(sequence) }
    }
}
