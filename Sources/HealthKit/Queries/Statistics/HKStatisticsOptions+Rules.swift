extension HKStatisticsOptions {
    private static let names: [(HKStatisticsOptions, String)] = [
        (.discreteAverage, "HKStatisticsOptionDiscreteAverage"), (.discreteMin, "HKStatisticsOptionDiscreteMin"),
        (.discreteMax, "HKStatisticsOptionDiscreteMax"), (.cumulativeSum, "HKStatisticsOptionCumulativeSum"),
    ]

    /// What is wrong about asking this of a type; nil when it can be had.
    package func mistake(for type: HKQuantityType) -> String? {
        let isCumulative = type.aggregationStyle == .cumulative
        let wrong = Self.names.first { option, _ in
            contains(option) && (option == .cumulativeSum) != isCumulative
        }
        guard let wrong else { return nil }
        let kind = isCumulative ? "cumulative" : "discrete"
        return "Statistics option \(wrong.1) is not compatible with \(kind) data type \(type.identifier)"
    }

    /// Stops the program when a type does not have what is asked for, as HealthKit raises.
    func require(for type: HKQuantityType) {
        if let mistake = mistake(for: type) { preconditionFailure(mistake) }
    }
}
