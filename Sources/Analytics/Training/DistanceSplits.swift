/// A stretch of a workout: a kilometre, a mile, a hundred metres of a swim.
public struct DistanceSplit: Sendable, Equatable {
    /// The last one is what is left.
    public var meters: Double
    /// By the clock, in seconds since the start.
    public var start: Double
    public var end: Double
    /// Up and down, by the filter of ``AltitudeCourse``; nil without altitudes.
    public var climb: AltitudeCourse.Climb?
    /// How far the same effort goes on the level, after ``RunningCost``; nil without altitudes.
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
    /// A rest of less than this is no split.
    public static let shortestRestInMeters = 10.0
    /// Grades are taken over so much: altitudes of shorter stretches are mostly noise.
    public static let gradeLengthInMeters = 100.0
    /// Who is slower than this does not move.
    public static let leastMovingSpeedInMetersPerSecond = 0.5

    /// Consecutive stretches of a length in metres, and the rest.
    public func splits(ofMeters length: Double, _ altitudes: AltitudeCourse = AltitudeCourse()) -> [DistanceSplit] {
        guard length > 0, totalInMeters / length < 100_000 else { return [] }
        var splits: [DistanceSplit] = []
        var begin = 0.0
        while begin < totalInMeters {
            // Sums of many readings miss a round number by their last digits.
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

    /// The rest before the first metre is none of it; any other rest is of the stretch that follows it, as on a watch.
    private func departure(fromMeters meters: Double) -> Double? {
        meters > 0 ? seconds(atMeters: meters) : firstSecond
    }

    /// How far the effort between two distances would have led on the level; nil without altitudes.
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

/// What running costs on a slope, in joules for each kilogram and metre.
///
/// The polynomial of Minetti et al., "Energy cost of walking and running at extreme uphill and downhill slopes", J Appl Physiol
/// 93:1039-1046, 2002, measured on grades from -0.45 to 0.45; beyond them the cost of the nearest one counts.
public enum RunningCost {
    public static let measuredGrades = -0.45...0.45

    /// - Parameter grade: Rise over distance: 0.1 is 10 %.
    public static func joulesPerKilogramAndMeter(atGrade grade: Double) -> Double {
        let i = min(max(grade, measuredGrades.lowerBound), measuredGrades.upperBound)
        return ((((155.4 * i - 30.4) * i - 43.3) * i + 46.3) * i + 19.5) * i + 3.6
    }

    /// How many metres on the level cost as much as one metre on this grade.
    public static func levelMeters(atGrade grade: Double) -> Double {
        joulesPerKilogramAndMeter(atGrade: grade) / joulesPerKilogramAndMeter(atGrade: 0)
    }
}
