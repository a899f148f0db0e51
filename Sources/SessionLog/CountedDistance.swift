package import Foundation

/// Converts a device's count of the distance to the distance added, count by count.
///
/// Devices sometimes correct their count to a lower one. Then nothing is added until the count exceeds its earlier
/// maximum, so that the sum is the device's own total. It is different if the count starts again: with another part of
/// a workout, or after a loss of power. The device's own total of the part decides between the two. Without a total, a
/// fall to less than half is a new start if the count was 50 m or more. But if the count soon jumps back up, it was
/// only a wrong number.
///
/// A count may begin with a distance from before the workout. A distance that nobody covers since its start (over 100
/// m, and faster than 50 m/s) is not added, unless the device's total includes it.
///
/// The counts come twice. First a survey of each part finds the pieces in which they increase, then `CountedDistance`
/// adds them up. Counts are metres times `scale`.
package struct CountedDistance: Sendable {
    /// A run of counts that increase from a base to the last of them.
    package struct Piece: Sendable, Equatable {
        /// The number of counts.
        package var count: Int
        package var base: Double
        package var last: Double
    }

    private let pieces: [Piece]
    private var piece = 0
    private var taken = 0
    private var highest = 0.0
    /// The distance added by earlier pieces.
    private var before = 0.0

    package init(_ pieces: [Piece]) {
        self.pieces = pieces
        highest = pieces.first?.base ?? 0
    }

    /// Adds the next count and returns the distance since the start.
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

/// The time over which each distance was covered: since the count before it.
///
/// Devices may write two counts in the same second, such as at the end of a lap. The second one covers the same time as the
/// first, because a distance of a moment would belong to what starts then.
package struct CountedTime: Sendable {
    private var start: Date
    private var end: Date

    package init(from date: Date) {
        start = date
        end = date
    }

    /// Continues at the end of a pause or the start of a leg, before which nothing of the next distance was covered.
    package mutating func begin(at date: Date) {
        if date >= end { self = CountedTime(from: date) }
    }

    /// Adds a count, and returns the start of the time that ends with it.
    package mutating func start(ofCountAt date: Date) -> Date {
        if date != end { (start, end) = (min(end, date), date) }
        return start
    }
}

/// Surveys the counts of a part of a workout.
package struct CountedDistanceSurvey: Sendable {
    private var count = 0
    /// The first count of the part.
    package private(set) var first = 0.0
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

    /// Returns the pieces in which the counts increase.
    ///
    /// - Parameters:
    ///   - total: The device's distance of the part. Nil if it states none.
    ///   - before: The count at the end of the part before. It becomes that of this one.
    ///   - lead: The seconds of the part before the first count. Nil if they are unknown.
    package mutating func finish(total: Double?, before: inout Double, lead: Double? = nil) -> [CountedDistance.Piece] {
        guard count > 0 else { return [] }
        let goesOn = first >= before
        func isImpossible(_ added: Double) -> Bool {
            lead.map { added > Self.fastestInMetersPerSecond * scale * max($0, 1) } ?? false
        }
        var bases = [goesOn ? before : 0]
        // If nobody covers so much in that time, the count has gone on.
        if !goesOn || !isImpossible(first) { bases.append(goesOn ? 0 : before) }
        let added = first - bases[0]
        before = last
        let isLarge = added > Self.leastForeignInMeters * scale
        guard let total else {
            return pieces(from: isLarge && isImpossible(added) ? first : bases[0], likelyResets.finish())
        }
        if isLarge { bases.append(first) }
        let resets = resets.finish()
        // Counts that end below their first one started anew. They are no correction, even if the total fits.
        var readings = resets.isEmpty || last >= first ? bases.map { pieces(from: $0, []) } : []
        if !resets.isEmpty { readings += bases.map { pieces(from: $0, resets) } }
        // If several are equally close, take the simplest.
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
