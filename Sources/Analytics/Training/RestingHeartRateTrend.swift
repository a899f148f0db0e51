/// How the resting heart rate changes over weeks: a line through one value a day.
public struct RestingHeartRateTrend: Sendable, Equatable {
    /// With fewer days, or days within less than two weeks, chance is larger than any trend.
    public static let leastValues = 7
    public static let leastDays = 14.0

    private var line = RunningRegression()
    /// The latest value, in beats a minute.
    public private(set) var latest: Double?
    private var latestDay = -Double.infinity

    public init() {}

    /// - Parameter day: In days since any beginning, the same for all.
    public mutating func add(_ beatsPerMinute: Double, day: Double) {
        guard beatsPerMinute > 0, beatsPerMinute.isFinite, day.isFinite else { return }
        line.add(x: day, y: beatsPerMinute)
        if day >= latestDay { (latest, latestDay) = (beatsPerMinute, day) }
    }

    public var count: Int { line.count }

    /// In beats a minute.
    public var mean: Figure<Double> {
        line.count > 0 ? .success(line.meanY) : .failure(.notMeasured(.restingHeartRate))
    }

    /// In beats a minute a week; below 0 it falls.
    public var changePerWeek: Figure<Double> {
        guard line.count > 0 else { return .failure(.notMeasured(.restingHeartRate)) }
        guard line.count >= Self.leastValues else { return .failure(.tooFew(line.count, needed: Self.leastValues)) }
        guard let range = line.rangeOfX, range.upperBound - range.lowerBound >= Self.leastDays, let slope = line.slope
        else { return .failure(.tooShort(neededSeconds: Self.leastDays * 86_400)) }
        return .success(slope * 7)
    }
}
