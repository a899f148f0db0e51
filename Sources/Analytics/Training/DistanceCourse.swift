/// The distance over time, linear between points.
///
/// Time is elapsed time in seconds since the start: it includes pauses and times without measurements, as in a race.
/// Distance grows with each reading.
public struct DistanceCourse: Sendable, Equatable {
    /// The times of the points and the distance at each. Neither decreases.
    private var seconds = PacedNumbers()
    private var meters: [Double] = []
    private var points = DistancePoints()

    public init() {}

    /// The total distance.
    public var totalInMeters: Double { meters.last ?? 0 }

    /// When the first distance was covered. Nil if there is none.
    public var firstSecond: Double? { seconds.first }

    /// Returns the time at a speed of at least ``leastMovingSpeedInMetersPerSecond``.
    ///
    /// A device that counts whole metres repeats a distance now and then, although its wearer moves. So a stop of up to
    /// ``longestRepetitionInSeconds`` counts if the speed is high enough for the stop and the next reading together.
    ///
    /// - Parameter length: Returns the seconds between two moments that can count: without pauses.
    public func movingSeconds(_ length: (_ from: Double, _ to: Double) -> Double = { $1 - $0 }) -> Double {
        var moving = 0.0
        var slow = (seconds: 0.0, meters: 0.0)
        for point in seconds.indices.dropFirst() {
            let time = length(seconds[point - 1], seconds[point])
            let covered = meters[point] - meters[point - 1]
            guard covered >= Self.leastMovingSpeedInMetersPerSecond * time else {
                slow.seconds += time
                slow.meters += covered
                continue
            }
            let isRepetition =
                slow.seconds <= Self.longestRepetitionInSeconds
                && slow.meters + covered >= Self.leastMovingSpeedInMetersPerSecond * (slow.seconds + time)
            moving += isRepetition ? slow.seconds + time : time
            slow = (0, 0)
        }
        return moving
    }

    /// Adds a distance covered from `start` to `end`, in seconds since the start. A reading that begins before the last
    /// one ended counts from there on, with all of its distance. A reading of an instant covers the time since the
    /// reading before it. A reading of no distance changes nothing.
    public mutating func add(_ covered: Double, from start: Double, to end: Double) {
        var points = points
        points.add(covered, from: start, to: end) { change in
            switch change {
            case .added(let point):
                seconds.append(point.second)
                meters.append(point.meters)
            case .moved(let total): meters[meters.count - 1] = total
            }
        }
        self.points = points
    }

    /// Returns when this distance was reached, or nil if it never was.
    public func seconds(atMeters distance: Double) -> Double? {
        guard distance <= totalInMeters, meters.count > 1 else { return nil }
        return time(at: distance, endingIn: max(1, meters.partitioningIndex { $0 >= distance }))
    }

    /// Returns the distance at this time.
    public func meters(atSeconds time: Double) -> Double {
        let next = seconds.partitioningIndex { $0 >= time }
        guard next > 0 else { return 0 }
        guard next < seconds.count else { return totalInMeters }
        return distance(at: time, endingIn: next)
    }

    /// Returns the time at a distance between two points, the second of which is `point`.
    private func time(at distance: Double, endingIn place: Int) -> Double {
        point(place).second(at: distance, after: point(place - 1))
    }

    private func point(_ place: Int) -> DistancePoints.Point {
        DistancePoints.Point(second: seconds[place], meters: meters[place])
    }

    private func distance(at time: Double, endingIn point: Int) -> Double {
        let share = (time - seconds[point - 1]) / (seconds[point] - seconds[point - 1])
        return meters[point - 1] + share * (meters[point] - meters[point - 1])
    }

    // MARK: Best efforts

    /// The shortest time in which a distance was covered, and the start of it.
    public struct Effort: Sendable, Equatable {
        public var meters: Double
        public var seconds: Double
        /// The start in seconds since the start of the workout.
        public var start: Double

        public init(meters: Double, seconds: Double, start: Double) {
            self.meters = meters
            self.seconds = seconds
            self.start = start
        }
    }

    /// Returns the fastest stretch of this length in metres, by ``FastestStretches``. Nil if the total distance is
    /// less.
    public func fastest(_ length: Double) -> Effort? {
        var stretches = FastestStretches(ofMeters: [length])
        for place in meters.indices { stretches.add(.added(point(place))) }
        return stretches.efforts.first
    }

    /// The usual distances for records in running and cycling.
    public static let runningDistancesInMeters: [Double] = [
        400, 800, 1000, 1609.344, 3000, 5000, 10_000, 15_000, 21_097.5, 42_195,
    ]
    public static let cyclingDistancesInMeters: [Double] = [
        5000, 10_000, 20_000, 40_000, 50_000, 90_000, 100_000, 180_000,
    ]
    public static let swimmingDistancesInMeters: [Double] = [50, 100, 200, 400, 800, 1500, 3800]
}
