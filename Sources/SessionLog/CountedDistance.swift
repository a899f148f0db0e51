/// The distance that a device counts, as what was added, from counts that come one after the other.
///
/// Devices correct their count now and then, to one that is lower than what they said before. Nothing is added then until the
/// count is beyond the highest that it was, and in the end as much was added as the device counts in all. That is different where
/// the count begins anew: with another part of a workout, or after a loss of power. The device's own total of the part tells which
/// it was. Where there is none, a fall to less than half of 50 m or more is a new beginning, unless the count soon jumps back up:
/// then it was only a wrong number.
///
/// A count may begin with what was covered before the workout. What nobody covers since its start (over 100 m, and faster than
/// 50 m/s) is not added, unless the device's total includes it.
///
/// The counts come twice: a survey of each part says in which pieces they go up, then `CountedDistance` adds up. Counts are
/// metres times `scale`.
package struct CountedDistance: Sendable {
    /// Counts that go up from a base to the last of them.
    package struct Piece: Sendable, Equatable {
        /// How many counts they are.
        package var count: Int
        package var base: Double
        package var last: Double
    }

    private let pieces: [Piece]
    private var piece = 0
    private var taken = 0
    private var highest = 0.0
    /// What the pieces before added.
    private var before = 0.0

    package init(_ pieces: [Piece]) {
        self.pieces = pieces
        highest = pieces.first?.base ?? 0
    }

    /// Takes the next count, and says what was added since the start.
    package mutating func add(_ count: Double) -> Double {
        while piece < pieces.count, taken == pieces[piece].count {
            before += highest - pieces[piece].base
            piece += 1
            taken = 0
            if piece < pieces.count { highest = pieces[piece].base }
        }
        guard piece < pieces.count else { return before }
        taken += 1
        highest = max(highest, min(count, pieces[piece].last))
        return before + highest - pieces[piece].base
    }
}

/// Looks over the counts of a part of a workout.
package struct CountedDistanceSurvey: Sendable {
    private var count = 0
    private var first = 0.0
    private var last = 0.0
    private var resets: CountResets
    private var likelyResets: CountResets
    private let scale: Double

    private static let leastForeignInMeters = 100.0
    private static let fastestInMetersPerSecond = 50.0

    package init(scale: Double) {
        self.scale = scale
        resets = CountResets(leastBefore: 0, scale: scale)
        likelyResets = CountResets(leastBefore: CountResets.leastInMeters * scale, scale: scale)
    }

    package mutating func add(_ value: Double) {
        if count == 0 { first = value }
        last = value
        count += 1
        resets.add(value)
        likelyResets.add(value)
    }

    /// The pieces in which the counts go up.
    ///
    /// - Parameters:
    ///   - total: What the device says of the part; nil where it does not.
    ///   - before: The count at the end of the part before; becomes that of this one.
    ///   - lead: How many seconds of the part came before the first count; nil if that is not known.
    package mutating func finish(total: Double?, before: inout Double, lead: Double? = nil) -> [CountedDistance.Piece] {
        guard count > 0 else { return [] }
        let goesOn = first >= before
        var bases = [goesOn ? before : 0, goesOn ? 0 : before]
        let added = first - bases[0]
        before = last
        let isLarge = added > Self.leastForeignInMeters * scale
        let isImpossible = lead.map { added > Self.fastestInMetersPerSecond * scale * max($0, 1) } ?? false
        guard let total else {
            return pieces(from: isLarge && isImpossible ? first : bases[0], likelyResets.finish())
        }
        if isLarge { bases.append(first) }
        let resets = resets.finish()
        var readings = bases.map { pieces(from: $0, []) }
        if !resets.isEmpty { readings += bases.map { pieces(from: $0, resets) } }
        // Of several that are as close, the simplest.
        func distance(_ pieces: [CountedDistance.Piece]) -> Double {
            abs(pieces.reduce(0) { $0 + max(0, $1.last - $1.base) } - total)
        }
        return readings.dropFirst().reduce(readings[0]) { distance($1) < distance($0) ? $1 : $0 }
    }

    private func pieces(from base: Double, _ resets: [CountResets.Reset]) -> [CountedDistance.Piece] {
        var pieces: [CountedDistance.Piece] = []
        var start = 0
        for reset in resets {
            pieces.append(
                CountedDistance.Piece(count: reset.index - start, base: start == 0 ? base : 0, last: reset.before))
            start = reset.index
        }
        pieces.append(CountedDistance.Piece(count: count - start, base: start == 0 ? base : 0, last: last))
        return pieces
    }
}
