/// Which distances only laps and sessions state: decided once for every format. See <doc:Durations>.
enum StatedDistance {
    struct Lap {
        var start: Double
        var end: Double
        /// Nil if it does not say.
        var meters: Double?
        /// Readings within it tell how far it was.
        var isMeasured: Bool
        /// When the only reading in it tells a distance: not how far it was behind that. Nil if there are more.
        var onlyCount: Double?
    }

    /// A distance that was covered somewhere in a stretch of time.
    struct Total: Equatable {
        var start: Double
        var end: Double
        var meters: Double
    }

    /// What has to be added to the distance that the readings of a part tell.
    ///
    /// - Parameters:
    ///   - stated: What the part's session states; nil if it does not.
    ///   - measured: What its readings tell.
    static func totals(
        from start: Double, to end: Double, stated: Double?, measured: Double, laps: [Lap]
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
        // The count of a device may include the laps in which it wrote no readings.
        let missing = said.filter { !$0.isMeasured }
        let total = stated ?? inLaps
        let sum = measured + missing.reduce(0) { $0 + ($1.meters ?? 0) }
        guard sum <= total + tolerance(of: total) else { return [] }
        return totals(missing) + restOfLast(laps, total - sum, of: total)
    }

    /// What a last lap states and its only reading, somewhere in it, does not tell.
    private static func restOfLast(_ laps: [Lap], _ rest: Double, of total: Double) -> [Total] {
        guard let last = laps.last, let count = last.onlyCount, let meters = last.meters, rest > tolerance(of: total),
            rest <= meters + tolerance(of: meters)
        else { return [] }
        return [Total(start: count, end: max(count, last.end), meters: rest)]
    }

    /// Whether laps tell better than a count how far it was, because no lap has more than one reading of it: what lies between two
    /// readings is of two laps.
    static func isFiner(laps: [(meters: Double?, counts: Int)], counted: Double) -> Bool {
        guard laps.contains(where: { $0.counts == 1 }),
            laps.allSatisfy({ $0.counts <= 1 && $0.meters != nil })
        else { return false }
        let stated = laps.reduce(0) { $0 + ($1.meters ?? 0) }
        return counted <= stated + tolerance(of: stated)
    }

    /// Whether a count is in another unit than metres, or no count at all: it is far from what is stated, and the positions are not.
    static func isWrong(counted: Double, stated: Double, betweenPositions: Double) -> Bool {
        stated > 100 && abs(counted - stated) > stated * 0.5 && abs(betweenPositions - stated) < stated * 0.2
    }

    /// By what to multiply what lies between the positions of a lap, so that it is what the lap states. Nil if they disagree.
    static func scale(stated: Double, betweenPositions: Double) -> Double? {
        guard stated > 0, betweenPositions > 0, case let scale = stated / betweenPositions, (0.8...1.25).contains(scale)
        else { return nil }
        return scale
    }

    /// For people, if a session states something else than its readings tell.
    static func note(stated: Double?, measured: Double) -> String? {
        guard let stated, stated > 0, measured > 0, abs(stated - measured) > max(100, stated * 0.1) else { return nil }
        return
            "a session states \(Int(stated)) m, and its readings tell \(Int(measured)) m; what the readings tell was taken"
    }

    private static func tolerance(of meters: Double) -> Double { max(10, meters * 0.01) }
}
