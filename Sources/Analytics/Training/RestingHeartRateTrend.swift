/// The change of the resting heart rate over weeks: a line through one value per day.
public struct RestingHeartRateTrend: Sendable, Equatable {
    /// With fewer days, or days within less than two weeks, chance outweighs any trend.
    public static let leastValues = 7
    public static let leastDays = 14.0

    private var line = RunningRegression()
    /// The latest value in beats per minute.
    public private(set) var latest: Double?
    private var latestDay = -Double.infinity

    public init() {}

    /// - Parameter day: The number of days since any fixed day.
    public mutating func add(_ beatsPerMinute: Double, day: Double) {
        guard beatsPerMinute > 0, beatsPerMinute.isFinite, day.isFinite else { return }
        line.add(x: day, y: beatsPerMinute)
        if day >= latestDay { (latest, latestDay) = (beatsPerMinute, day) }
    }

    public var count: Int { line.count }

    /// The mean in beats per minute.
    public var mean: Figure<Double> {
        line.count > 0 ? .success(line.meanY) : .failure(.notMeasured(.restingHeartRate))
    }

    /// The change in beats per minute per week. It is negative if the heart rate falls.
    public var changePerWeek: Figure<Double> {
        guard line.count > 0 else { return .failure(.notMeasured(.restingHeartRate)) }
        guard line.count >= Self.leastValues else { return .failure(.tooFew(line.count, needed: Self.leastValues)) }
        guard let range = line.rangeOfX, range.upperBound - range.lowerBound >= Self.leastDays, let slope = line.slope
        else { return .failure(.tooShort(neededSeconds: Self.leastDays * 86_400)) }
        return .success(slope * 7)
    }
}
