/// The values that a statistics query computes. Raw values are those of Apple's API.
public struct HKStatisticsOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: UInt

    /// Creates options from bits as in ``rawValue``. Bits without a meaning are ignored.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The statistics of each source, in addition to those of all sources together.
    public static let separateBySource = HKStatisticsOptions(rawValue: 1 << 0)
    /// The average of a discrete type, by its aggregation style.
    public static let discreteAverage = HKStatisticsOptions(rawValue: 1 << 1)
    /// The least value of a discrete type.
    public static let discreteMin = HKStatisticsOptions(rawValue: 1 << 2)
    /// The greatest value of a discrete type.
    public static let discreteMax = HKStatisticsOptions(rawValue: 1 << 3)
    /// The sum of a cumulative type.
    public static let cumulativeSum = HKStatisticsOptions(rawValue: 1 << 4)
    /// The latest value.
    public static let mostRecent = HKStatisticsOptions(rawValue: 1 << 5)
    /// The older name of ``mostRecent``.
    public static let discreteMostRecent = mostRecent
    /// The time that samples cover.
    public static let duration = HKStatisticsOptions(rawValue: 1 << 6)
}
