/// Finds the fastest stretches of several lengths as distances arrive. It only keeps the points within the longest
/// length, however long the workout is.
///
/// Speed is constant between two points, so a fastest stretch begins or ends at one of them.
public struct FastestStretches: Sendable, Equatable {
    private var distances = DistancePoints()
    private var searches: [Search]
    /// The latest point, which a late reading may still move.
    private var latest: DistancePoints.Point?
    /// The points at which a stretch may still begin or end, in order of time.
    private var points: [DistancePoints.Point] = []
    /// The number of earlier points that were removed.
    private var dropped = 0

    /// The search for one length. Points are numbered among all points so far.
    private struct Search: Sendable, Equatable {
        let length: Double
        var best: DistanceCourse.Effort?
        /// The first point from which the length has not yet been covered.
        var start = 0
        /// The point at or before which the latest stretch begins.
        var tail = 1

        init(length: Double) { self.length = length }

        /// Takes a point that no longer moves.
        /// - Parameters:
        ///   - points: The points that were kept.
        ///   - dropped: The number of points before them.
        ///   - place: The number of the latest point.
        mutating func take(_ points: [DistancePoints.Point], dropped: Int, endingIn place: Int) {
            let last = points[place - dropped]
            while start < place {
                let first = points[start - dropped]
                guard first.meters + length <= last.meters else { break }
                // The stretch ends after the point before the latest.
                if isShortEnough(points[place - 1 - dropped].second - first.second) {
                    let end = last.second(at: first.meters + length, after: points[place - 1 - dropped])
                    note(first.second, end)
                }
                start += 1
            }
            let begin = last.meters - length
            guard begin >= 0, place > 0 else { return }
            // Take the latest moment at which no more than this was covered, so that a rest before the stretch does not
            // count.
            while tail < place, points[tail - dropped].meters <= begin { tail += 1 }
            if isShortEnough(last.second - points[tail - dropped].second) {
                note(points[tail - dropped].second(at: begin, after: points[tail - 1 - dropped]), last.second)
            }
        }

        /// Whether a stretch of at least this time may be the fastest. Most are not, which saves a division for each.
        private func isShortEnough(_ seconds: Double) -> Bool {
            // The tolerance is greater than the rounding errors of the times.
            best.map { seconds < $0.seconds + 1e-6 } ?? true
        }

        private mutating func note(_ from: Double, _ to: Double) {
            if to > from, best.map({ to - from < $0.seconds }) ?? true {
                best = DistanceCourse.Effort(meters: length, seconds: to - from, start: from)
            }
        }
    }

    /// - Parameter lengths: The lengths in metres. Those that are not positive are ignored.
    public init(ofMeters lengths: [Double]) {
        searches = lengths.filter { $0 > 0 }.map { Search(length: $0) }
    }

    /// The total distance.
    public var totalInMeters: Double { latest?.meters ?? 0 }

    /// Adds a distance covered from `start` to `end` like ``DistanceCourse/add(_:from:to:)``.
    public mutating func add(_ covered: Double, from start: Double, to end: Double) {
        var distances = distances
        distances.add(covered, from: start, to: end) { add($0) }
        self.distances = distances
    }

    mutating func add(_ change: DistancePoints.Change) {
        switch change {
        case .moved(let meters): latest?.meters = meters
        case .added(let point):
            if let latest { settle(latest) }
            latest = point
        }
    }

    /// Adds a point that no longer moves.
    private mutating func settle(_ point: DistancePoints.Point) {
        points.append(point)
        let place = dropped + points.count - 1
        for number in searches.indices { searches[number].take(points, dropped: dropped, endingIn: place) }
        guard points.count % 1024 == 0 else { return }
        let needed = searches.map { min($0.start, $0.tail - 1) }.min() ?? place
        if needed - dropped > points.count / 2 {
            points.removeFirst(needed - dropped)
            dropped = needed
        }
    }

    /// The fastest stretches in the order of the lengths, without lengths that were not covered.
    public var efforts: [DistanceCourse.Effort] {
        var all = self
        if let latest { all.settle(latest) }
        return all.searches.compactMap { $0.best ?? all.whole($0.length) }
    }

    /// Returns the whole distance as the stretch, if only rounding errors in sums of many readings make it shorter than
    /// the length.
    private func whole(_ length: Double) -> DistanceCourse.Effort? {
        guard dropped == 0, totalInMeters >= length * (1 - 1e-9),
            let from = points.last(where: { $0.meters == 0 }),
            let to = points.first(where: { $0.meters == totalInMeters }),
            from.second < to.second
        else { return nil }
        return DistanceCourse.Effort(meters: length, seconds: to.second - from.second, start: from.second)
    }
}

/// Converts readings of distances to points of time and total distance. Neither decreases.
struct DistancePoints: Sendable, Equatable {
    struct Point: Sendable, Equatable {
        var second: Double
        var meters: Double

        /// Returns when this distance was reached between the previous point and this one.
        func second(at distance: Double, after previous: Point) -> Double {
            let covered = meters - previous.meters
            guard covered > 0 else { return previous.second }
            return previous.second + (distance - previous.meters) / covered * (second - previous.second)
        }
    }

    enum Change {
        case added(Point)
        /// The distance until the latest point increased.
        case moved(meters: Double)
    }

    private var last: Point?
    private var hasCovered = false
    /// A distance covered at an instant before anything else.
    private var carried = 0.0

    var totalInMeters: Double { last?.meters ?? 0 }

    /// Adds a distance covered from `start` to `end`, in seconds since the start. A reading that begins before the last
    /// one ended counts from there on, with all of its distance. A reading of an instant covers the time since the
    /// reading before it. A reading of no distance changes nothing.
    mutating func add(_ covered: Double, from start: Double, to end: Double, _ tell: (Change) -> Void) {
        guard covered > 0, covered.isFinite, end >= start, start.isFinite, end.isFinite else { return }
        guard let last else {
            append(Point(second: start, meters: 0), tell)
            carried = covered
            if end > start { cover(carried, until: end, tell) }
            return
        }
        guard end > last.second else {
            // The reading is late, but its distance counts.
            guard hasCovered else {
                carried += covered
                return
            }
            self.last?.meters = last.meters + covered
            return tell(.moved(meters: last.meters + covered))
        }
        if start > last.second, end > start { append(Point(second: start, meters: last.meters), tell) }
        cover(covered + carried, until: end, tell)
    }

    private mutating func cover(_ covered: Double, until end: Double, _ tell: (Change) -> Void) {
        carried = 0
        hasCovered = true
        append(Point(second: end, meters: totalInMeters + covered), tell)
    }

    private mutating func append(_ point: Point, _ tell: (Change) -> Void) {
        last = point
        tell(.added(point))
    }
}
