extension HKStatisticsOptions {
    private static let names: [(HKStatisticsOptions, String)] = [
        (.discreteAverage, "HKStatisticsOptionDiscreteAverage"), (.discreteMin, "HKStatisticsOptionDiscreteMin"),
        (.discreteMax, "HKStatisticsOptionDiscreteMax"), (.cumulativeSum, "HKStatisticsOptionCumulativeSum"),
    ]

    /// Returns why a type does not have these statistics, or nil if it has them.
    package func mistake(for type: HKQuantityType) -> String? {
        let isCumulative = type.aggregationStyle == .cumulative
        let wrong = Self.names.first { option, _ in
            contains(option) && (option == .cumulativeSum) != isCumulative
        }
        guard let wrong else { return nil }
        let kind = isCumulative ? "cumulative" : "discrete"
        return "Statistics option \(wrong.1) is not compatible with \(kind) data type \(type.identifier)"
    }

    /// Stops the program if a type does not have these statistics, as HealthKit raises.
    func require(for type: HKQuantityType) {
        if let mistake = mistake(for: type) { preconditionFailure(mistake) }
    }
}
