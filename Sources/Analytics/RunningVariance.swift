/// The count, mean and variance of values that arrive one by one and are not kept.
///
/// Each value takes constant time, and the result is numerically stable. Sources: Welford, Technometrics 4:419–420,
/// 1962; for merging Chan, Golub & LeVeque, American Statistician 37:242–247, 1983.
public struct RunningVariance: Sendable, Equatable {
    public private(set) var count = 0
    /// The mean, or 0 if there are no values.
    public private(set) var mean = 0.0
    /// Σ(x − mean)²
    public private(set) var sumOfSquaredDeviations = 0.0

    public init() {}

    public mutating func add(_ value: Double) {
        count += 1
        let deviation = value - mean
        mean += deviation / Double(count)
        sumOfSquaredDeviations += deviation * (value - mean)
    }

    public mutating func merge(_ other: RunningVariance) {
        guard other.count > 0 else { return }
        let total = Double(count + other.count)
        let distance = other.mean - mean
        sumOfSquaredDeviations +=
            other.sumOfSquaredDeviations + distance * distance * Double(count) * Double(other.count) / total
        mean += distance * Double(other.count) / total
        count += other.count
    }

    /// The variance divided by n − 1. Nil for fewer than two values.
    public var sampleVariance: Double? { count < 2 ? nil : sumOfSquaredDeviations / Double(count - 1) }

    /// √Σx²/n. Nil if there are no values.
    public var rootMeanSquare: Double? {
        count == 0 ? nil : (sumOfSquaredDeviations / Double(count) + mean * mean).squareRoot()
    }
}
