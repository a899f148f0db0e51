/// The fastest stretches of some lengths, found as distances come: no more is kept than the points within the longest length, however
/// long the workout.
///
/// Speed is constant between two points, so a fastest stretch begins or ends in one of them.
public struct FastestStretches: Sendable, Equatable {
    private var distances = DistancePoints()
    private var searches: [Search]
    /// The latest point, which a late reading may still move on.
    private var latest: DistancePoints.Point?
    /// Those that some stretch may begin or end in, in order of time.
    private var points: [DistancePoints.Point] = []
    /// How many there were before them.
    private var dropped = 0

    /// The stretches of one length. Points are named by their place among all that there were.
    private struct Search: Sendable, Equatable {
        let length: Double
        var best: DistanceCourse.Effort?
        /// The first point from which the length has not been covered yet.
        var start = 0
        /// The point that the way to the beginning of the latest stretch ends in.
        var tail = 1

        mutating func note(_ from: Double, _ to: Double) {
            if to > from, best.map({ to - from < $0.seconds }) ?? true {
                best = DistanceCourse.Effort(meters: length, seconds: to - from, start: from)
            }
        }
    }

    /// - Parameter lengths: In metres; those that are not positive are left out.
    public init(ofMeters lengths: [Double]) {
        searches = lengths.filter { $0 > 0 }.map { Search(length: $0) }
    }

    /// All that was covered.
    public var totalInMeters: Double { latest?.meters ?? 0 }

    /// Adds what was covered from `start` to `end`, as ``DistanceCourse/add(_:from:to:)`` does.
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

    /// A point that stays as it is.
    private mutating func settle(_ point: DistancePoints.Point) {
        points.append(point)
        let place = dropped + points.count - 1
        for number in searches.indices {
            search(number, endingIn: place)
        }
        let needed = searches.map { min($0.start, $0.tail - 1) }.min() ?? place
        if needed - dropped > max(1024, points.count / 2) {
            points.removeFirst(needed - dropped)
            dropped = needed
        }
    }

    private mutating func search(_ number: Int, endingIn place: Int) {
        var search = searches[number]
        let last = points[place - dropped]
        while search.start < place {
            let first = points[search.start - dropped]
            guard first.meters + search.length <= last.meters else { break }
            search.note(first.second, second(at: first.meters + search.length, endingIn: place))
            search.start += 1
        }
        let begin = last.meters - search.length
        if begin >= 0, place > 0 {
            // The latest moment at which no more than that had been covered: rests before a stretch are none of it.
            while search.tail < place, points[search.tail - dropped].meters <= begin { search.tail += 1 }
            search.note(second(at: begin, endingIn: search.tail), last.second)
        }
        searches[number] = search
    }

    private func second(at meters: Double, endingIn place: Int) -> Double {
        points[place - dropped].second(at: meters, after: points[place - 1 - dropped])
    }

    /// In the order of the lengths, without those that were not covered.
    public var efforts: [DistanceCourse.Effort] {
        var all = self
        if let latest { all.settle(latest) }
        return all.searches.compactMap { $0.best ?? all.whole($0.length) }
    }

    /// Sums of many readings miss a round number by their last digits: then the length is all that was covered.
    private func whole(_ length: Double) -> DistanceCourse.Effort? {
        guard dropped == 0, totalInMeters >= length * (1 - 1e-9),
            let from = points.last(where: { $0.meters == 0 }),
            let to = points.first(where: { $0.meters == totalInMeters }),
            from.second < to.second
        else { return nil }
        return DistanceCourse.Effort(meters: length, seconds: to.second - from.second, start: from.second)
    }
}

/// What readings of distances come to: points of time and of all that was covered until then. Neither falls.
struct DistancePoints: Sendable, Equatable {
    struct Point: Sendable, Equatable {
        var second: Double
        var meters: Double

        /// When so much had been covered, on the way here from the point before.
        func second(at distance: Double, after previous: Point) -> Double {
            let covered = meters - previous.meters
            guard covered > 0 else { return previous.second }
            return previous.second + (distance - previous.meters) / covered * (second - previous.second)
        }
    }

    enum Change {
        case added(Point)
        /// More was covered until the latest point.
        case moved(meters: Double)
    }

    private var last: Point?
    private var hasCovered = false
    /// Covered at an instant before anything else.
    private var carried = 0.0

    var totalInMeters: Double { last?.meters ?? 0 }

    /// Adds what was covered from `start` to `end`, in seconds since the start. A reading that begins before the last one ended
    /// counts from there on, with all of its distance; what was covered by an instant was covered since the reading before it.
    /// One of no distance changes nothing.
    mutating func add(_ covered: Double, from start: Double, to end: Double, _ tell: (Change) -> Void) {
        guard covered > 0, covered.isFinite, end >= start, start.isFinite, end.isFinite else { return }
        guard let last else {
            append(Point(second: start, meters: 0), tell)
            carried = covered
            if end > start { cover(carried, until: end, tell) }
            return
        }
        guard end > last.second else {
            // Late, but covered.
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
