/// The distance that a FIT device counts, as what was added since the start, in cm: see ``CountedDistance``.
struct FITDistance {
    private var counted = CountedDistance([])
    /// In the current part, and in those before.
    private var added = 0.0
    private var before = 0.0

    /// A part of the workout begins, in which the count goes so.
    mutating func begin(_ pieces: [CountedDistance.Piece]) {
        before += added
        added = 0
        counted = CountedDistance(pieces)
    }

    mutating func add(_ count: UInt32) -> UInt32 {
        added = counted.add(Double(count))
        return UInt32(min(before + added, Double(FITRecord.none - 1)))
    }
}
