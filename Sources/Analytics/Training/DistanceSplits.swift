/// A split of a workout: a kilometre, a mile, a hundred metres of a swim.
public struct DistanceSplit: Sendable, Equatable {
    /// The length. The last split is shorter.
    public var meters: Double
    /// The start and end in elapsed seconds since the start of the workout.
    public var start: Double
    public var end: Double
    /// Ascent and descent, filtered as in ``AltitudeCourse``. Nil if there are no altitudes.
    public var climb: AltitudeCourse.Climb?
    /// The distance on the level for the same effort, by ``RunningCost``. Nil if there are no altitudes.
    public var levelMeters: Double?

    public var elapsedSeconds: Double { end - start }

    public init(
        meters: Double, start: Double, end: Double, climb: AltitudeCourse.Climb? = nil, levelMeters: Double? = nil
    ) {
        self.meters = meters
        self.start = start
        self.end = end
        self.climb = climb
        self.levelMeters = levelMeters
    }
}

extension DistanceCourse {
    /// A remainder shorter than this is not a split.
    public static let shortestRestInMeters = 10.0
    /// The length for computing grades. Over shorter stretches, altitudes are mostly noise.
    public static let gradeLengthInMeters = 100.0
    /// A slower speed does not count as moving.
    public static let leastMovingSpeedInMetersPerSecond = 0.5
    /// How long a distance may stay the same while its wearer moves.
    public static let longestRepetitionInSeconds = 5.0

    /// Returns consecutive splits of a length in metres, and the remainder.
    public func splits(ofMeters length: Double, _ altitudes: AltitudeCourse = AltitudeCourse()) -> [DistanceSplit] {
        guard length > 0, totalInMeters / length < 100_000 else { return [] }
        var splits: [DistanceSplit] = []
        var begin = 0.0
        while begin < totalInMeters {
            // Rounding errors in sums of many readings must not lose a whole split.
            let end = totalInMeters - begin < length * (1 + 1e-9) ? totalInMeters : begin + length
            guard end - begin >= Self.shortestRestInMeters || splits.isEmpty, let from = departure(fromMeters: begin),
                let to = seconds(atMeters: end)
            else { break }
            splits.append(
                DistanceSplit(
                    meters: end - begin, start: from, end: to, climb: altitudes.climb(from: from, to: to),
                    levelMeters: levelMeters(from: begin, to: end, altitudes)))
            begin = end
        }
        return splits
    }

    /// Returns when a split begins. A rest before the first metre does not count; any other rest belongs to the split
    /// after it, as on a watch.
    private func departure(fromMeters meters: Double) -> Double? {
        meters > 0 ? seconds(atMeters: meters) : firstSecond
    }

    /// Returns the distance on the level for the effort between two distances. Nil if there are no altitudes.
    public func levelMeters(from begin: Double, to end: Double, _ altitudes: AltitudeCourse) -> Double? {
        guard !altitudes.isEmpty else { return nil }
        var sum = 0.0
        var meters = begin
        var isKnown = false
        while meters < end {
            let next = end - meters < 1.5 * Self.gradeLengthInMeters ? end : meters + Self.gradeLengthInMeters
            var factor = 1.0
            if let from = seconds(atMeters: meters), let to = seconds(atMeters: next),
                let low = altitudes.altitude(nearSecond: from), let high = altitudes.altitude(nearSecond: to)
            {
                factor = RunningCost.levelMeters(atGrade: (high - low) / max(next - meters, 1))
                isKnown = true
            }
            sum += (next - meters) * factor
            meters = next
        }
        return isKnown ? sum : nil
    }
}

/// The energy cost of running on a slope, in joules per kilogram and metre.
///
/// The polynomial of Minetti et al., "Energy cost of walking and running at extreme uphill and downhill slopes", J Appl
/// Physiol 93:1039-1046, 2002, was measured on grades from -0.45 to 0.45. Beyond them the cost of the nearest grade
/// counts.
public enum RunningCost {
    public static let measuredGrades = -0.45...0.45

    /// - Parameter grade: Rise divided by distance: 0.1 is 10 %.
    public static func joulesPerKilogramAndMeter(atGrade grade: Double) -> Double {
        let i = min(max(grade, measuredGrades.lowerBound), measuredGrades.upperBound)
        return ((((155.4 * i - 30.4) * i - 43.3) * i + 46.3) * i + 19.5) * i + 3.6
    }

    /// Returns the metres on the level that cost as much as one metre on this grade.
    public static func levelMeters(atGrade grade: Double) -> Double {
        joulesPerKilogramAndMeter(atGrade: grade) / joulesPerKilogramAndMeter(atGrade: 0)
    }
}
