/// Decides which distances only laps and sessions state, for every format. See <doc:Durations>.
enum StatedDistance {
    struct Lap {
        var start: Double
        var end: Double
        /// Nil if the lap states no distance.
        var meters: Double?
        /// Whether readings in the lap give its distance.
        var isMeasured: Bool
        /// The time of the only reading of distance in the lap. It does not cover the rest of the lap. Nil if there are
        /// more readings.
        var onlyCount: Double?
    }

    /// A distance covered somewhere in a span of time.
    struct Total: Equatable {
        var start: Double
        var end: Double
        var meters: Double
    }

    /// Returns the distances to add to those that the readings of a part give.
    ///
    /// - Parameters:
    ///   - stated: The distance that the session of the part states, if any.
    ///   - measured: The distance that its readings give.
    ///   - lastCount: The time of its last reading, if what it states beyond its readings was covered since then.
    static func totals(
        from start: Double, to end: Double, stated: Double?, measured: Double, laps: [Lap], lastCount: Double? = nil
    ) -> [Total] {
        let said = laps.filter { $0.meters ?? 0 > 0 }
        let inLaps = said.reduce(0) { $0 + ($1.meters ?? 0) }
        func totals(_ laps: [Lap]) -> [Total] {
            laps.map { Total(start: $0.start, end: max($0.start, $0.end), meters: $0.meters ?? 0) }
        }
        guard measured > 0 else {
            if let stated, stated > 0, abs(inLaps - stated) > tolerance(of: stated) {
                return [Total(start: start, end: end, meters: stated)]
            }
            return totals(said)
        }
        // The device's count may include laps in which it wrote no readings.
        let missing = said.filter { !$0.isMeasured }
        let total = stated ?? inLaps
        let sum = measured + missing.reduce(0) { $0 + ($1.meters ?? 0) }
        guard sum <= total + tolerance(of: total), missing.isEmpty || abs(sum - total) < abs(measured - total) else {
            return []
        }
        let rest = total - sum
        if let lastCount, stated != nil, rest > 0, start < end, (0...longestEndInSeconds).contains(end - lastCount),
            rest <= 2 * total / (end - start) * (end - lastCount + 1)
        {
            return totals(missing) + [Self.rest(after: lastCount, until: end, meters: rest)]
        }
        return totals(missing) + restOfLast(laps, rest, of: total)
    }

    /// How long a device that is recording may write no reading.
    private static let longestEndInSeconds = 10.0

    /// Returns the distance that the last lap states but its only reading does not include.
    private static func restOfLast(_ laps: [Lap], _ rest: Double, of total: Double) -> [Total] {
        guard let last = laps.last, let count = last.onlyCount, let meters = last.meters, rest > tolerance(of: total),
            rest <= meters + tolerance(of: meters)
        else { return [] }
        return [Total(start: count, end: max(count, last.end), meters: rest)]
    }

    /// What was covered between the last count of a leg and the first count of the next one.
    struct LegBorder {
        let meters: Double
        /// The distance that the earlier leg states.
        let stated: Double?
        /// The distance that the earlier leg's own counts give.
        let measured: Double

        /// How many of the metres belong to the earlier leg.
        var shareOfEarlier: Double {
            guard let stated, meters > 0, case let missing = stated - measured, missing > 0,
                missing <= meters + roundingInMeters
            else { return 0 }
            return min(missing, meters)
        }

        /// Whether the earlier leg states so much that the first count of the next one is its own.
        var includesNextCount: Bool {
            guard let stated, meters > 0 else { return false }
            return stated - measured > meters + roundingInMeters
        }
    }

    /// Returns the share of an earlier leg, from its last count until the next leg. It lasts a second if both are the same, because
    /// a moment would belong to what starts then.
    static func rest(after lastCount: Double?, until end: Double, meters: Double) -> Total {
        Total(start: min(lastCount ?? end, end - 1), end: end, meters: meters)
    }

    private static let roundingInMeters = 1.0

    /// Returns whether laps give the distance more precisely than a count, because no lap has more than one reading of
    /// it. The distance between two readings then spans two laps.
    static func isFiner(laps: [(meters: Double?, counts: Int)], counted: Double) -> Bool {
        guard laps.contains(where: { $0.counts == 1 }),
            laps.allSatisfy({ $0.counts <= 1 && $0.meters != nil })
        else { return false }
        let stated = laps.reduce(0) { $0 + ($1.meters ?? 0) }
        return counted <= stated + tolerance(of: stated)
    }

    /// Returns whether a count is not in metres, or is no distance at all: it is far from the stated distance, and the
    /// positions are not.
    static func isWrong(counted: Double, stated: Double, betweenPositions: Double) -> Bool {
        stated > 100 && abs(counted - stated) > stated * 0.5 && abs(betweenPositions - stated) < stated * 0.2
    }

    /// Returns the factor by which to multiply the distances between the positions of a lap to get its stated distance.
    /// Nil if they disagree.
    static func scale(stated: Double, betweenPositions: Double) -> Double? {
        guard stated > 0, betweenPositions > 0, case let scale = stated / betweenPositions, (0.8...1.25).contains(scale)
        else { return nil }
        return scale
    }

    /// Returns a note for the user if a session states another distance than its readings give.
    static func note(stated: Double?, measured: Double) -> String? {
        guard let stated, stated > 0, measured > 0, abs(stated - measured) > max(100, stated * 0.1) else { return nil }
        return
            "a session states \(Int(stated)) m, and its readings give \(Int(measured)) m; that was taken"
    }

    private static func tolerance(of meters: Double) -> Double { max(10, meters * 0.01) }
}
