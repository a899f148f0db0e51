/// The way in which samples of a quantity type are aggregated.
public enum HKQuantityAggregationStyle: Int, Sendable {
    /// Samples add up: steps, distance, energy.
    case cumulative = 0
    /// Samples are averaged, each with the same weight: body mass.
    case discreteArithmetic = 1
    /// Samples are averaged, each weighted by its duration: heart rate.
    case discreteTemporallyWeighted = 2
    /// Sound levels are averaged as the steady level of the same energy.
    case discreteEquivalentContinuousLevel = 3

    /// The older name of ``discreteArithmetic``.
    @available(iOS, deprecated: 13.0, renamed: "discreteArithmetic")
    public static var discrete: HKQuantityAggregationStyle { .discreteArithmetic }
}
