/// How far somebody had come when: distance over time, straight between points.
///
/// Time is the clock's, in seconds since the start: it goes on in a pause and while nothing is measured, as in a race. Distance
/// grows with each reading.
public struct DistanceCourse: Sendable, Equatable {
    /// When how far had been covered. Neither falls.
    private var seconds: [Double] = []
    private var meters: [Double] = []
    /// Covered at an instant before anything else.
    private var carried = 0.0

    public init() {}

    /// All that was covered.
    public var totalInMeters: Double { meters.last ?? 0 }

    /// When the first distance was covered; nil if none was.
    public var firstSecond: Double? { seconds.first }

    /// How long it was faster than ``leastMovingSpeedInMetersPerSecond``.
    public var movingSeconds: Double {
        seconds.indices.dropFirst().reduce(0) { sum, point in
            let length = seconds[point] - seconds[point - 1]
            return meters[point] - meters[point - 1] >= Self.leastMovingSpeedInMetersPerSecond * length
                ? sum + length : sum
        }
    }

    /// Adds what was covered from `start` to `end`, in seconds since the start. A reading that begins before the last one ended
    /// counts from there on, with all of its distance; what was covered by an instant was covered since the reading before it.
    /// One of no distance changes nothing.
    public mutating func add(_ covered: Double, from start: Double, to end: Double) {
        guard covered > 0, covered.isFinite, end >= start, start.isFinite, end.isFinite else { return }
        guard let last = seconds.last else {
            seconds.append(start)
            meters.append(0)
            carried += covered
            if end > start {
                seconds.append(end)
                meters.append(carried)
                carried = 0
            }
            return
        }
        let covered = covered + carried
        guard end > last else {
            // Late, but covered.
            if meters.count > 1 { meters[meters.count - 1] += covered } else { carried = covered }
            return
        }
        carried = 0
        if start > last, end > start {
            seconds.append(start)
            meters.append(totalInMeters)
        }
        seconds.append(end)
        meters.append(totalInMeters + covered)
    }

    /// When so much had been covered; nil if it never was.
    public func seconds(atMeters distance: Double) -> Double? {
        guard distance <= totalInMeters, meters.count > 1 else { return nil }
        return time(at: distance, endingIn: max(1, meters.partitioningIndex { $0 >= distance }))
    }

    /// How much had been covered by then.
    public func meters(atSeconds time: Double) -> Double {
        let next = seconds.partitioningIndex { $0 >= time }
        guard next > 0 else { return 0 }
        guard next < seconds.count else { return totalInMeters }
        return distance(at: time, endingIn: next)
    }

    /// Within the stretch that ends in a point.
    private func time(at distance: Double, endingIn point: Int) -> Double {
        let covered = meters[point] - meters[point - 1]
        guard covered > 0 else { return seconds[point - 1] }
        return seconds[point - 1] + (distance - meters[point - 1]) / covered * (seconds[point] - seconds[point - 1])
    }

    private func distance(at time: Double, endingIn point: Int) -> Double {
        let share = (time - seconds[point - 1]) / (seconds[point] - seconds[point - 1])
        return meters[point - 1] + share * (meters[point] - meters[point - 1])
    }

    // MARK: Best efforts

    /// The shortest time in which a distance was covered, and when that began.
    public struct Effort: Sendable, Equatable {
        public var meters: Double
        public var seconds: Double
        /// In seconds since the start.
        public var start: Double

        public init(meters: Double, seconds: Double, start: Double) {
            self.meters = meters
            self.seconds = seconds
            self.start = start
        }
    }

    /// The fastest stretch of a length in metres; nil if less was covered in all.
    ///
    /// Speed is constant between two points, so a fastest stretch begins or ends in one of them.
    public func fastest(_ length: Double) -> Effort? {
        // Sums of many readings miss a round number by their last digits.
        guard length > 0, totalInMeters >= length * (1 - 1e-9) else { return nil }
        let asked = length
        let length = min(length, totalInMeters)
        var best: Effort?
        func note(_ start: Double, _ end: Double) {
            if end > start, best.map({ end - start < $0.seconds }) ?? true {
                best = Effort(meters: asked, seconds: end - start, start: start)
            }
        }
        var head = 1
        var tail = 1
        for point in meters.indices {
            let end = meters[point] + length
            if end <= totalInMeters {
                while head < meters.count - 1, meters[head] < end { head += 1 }
                note(seconds[point], time(at: end, endingIn: head))
            }
            let begin = meters[point] - length
            if begin >= 0, point > 0 {
                // The latest moment at which no more than that had been covered: rests before a stretch are none of it.
                while tail < point, meters[tail] <= begin { tail += 1 }
                note(time(at: begin, endingIn: tail), seconds[point])
            }
        }
        return best
    }

    /// Records of running and of cycling: what athletes compare.
    public static let runningDistancesInMeters: [Double] = [
        400, 800, 1000, 1609.344, 3000, 5000, 10_000, 15_000, 21_097.5, 42_195,
    ]
    public static let cyclingDistancesInMeters: [Double] = [
        5000, 10_000, 20_000, 40_000, 50_000, 90_000, 100_000, 180_000,
    ]
    public static let swimmingDistancesInMeters: [Double] = [50, 100, 200, 400, 800, 1500, 3800]
}
