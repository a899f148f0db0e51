/// The best efforts of a workout: for each of some durations, the greatest mean that was held over it.
///
/// Of a series of one value a second. An effort reaches over no pause and no gap: what was not measured was not done.
/// Memory is one sum for each second of the longest duration.
public struct MeanMaximalCurve: Sendable, Equatable {
    public struct Effort: Sendable, Equatable {
        public var seconds: Int
        /// In the unit of the series.
        public var mean: Double
        /// When it began, in seconds of the series.
        public var start: Int

        public init(seconds: Int, mean: Double, start: Int) {
            self.seconds = seconds
            self.mean = mean
            self.start = start
        }
    }

    public static let usualDurationsInSeconds = [5, 30, 60, 300, 600, 1200, 1800, 3600, 7200]

    /// Of those that fit into the workout, shortest first.
    public var efforts: [Effort] { best.compactMap { $0 } }
    public let durationsInSeconds: [Int]
    private var best: [Effort?]
    /// Sums of all values of the stretch up to a second, round and round.
    private var sums: [Double]
    /// Of the stretch without a gap that lasts.
    private var count = 0

    /// - Parameter durationsInSeconds: From 1 on, rising.
    public init(durationsInSeconds: [Int] = usualDurationsInSeconds) {
        self.durationsInSeconds = durationsInSeconds.filter { $0 > 0 }.sorted()
        best = Array(repeating: nil, count: self.durationsInSeconds.count)
        sums = Array(repeating: 0, count: (self.durationsInSeconds.last ?? 0) + 1)
    }

    public mutating func add(_ step: SecondlySeries.Step) {
        switch step {
        case .gap: count = 0
        case .value(let value, let second): add(value, second)
        }
    }

    private mutating func add(_ value: Double, _ second: Int) {
        // The first sum of a stretch is that of nothing.
        if count == 0 { sums[0] = 0 }
        let sum = sums[count % sums.count] + value
        count += 1
        sums[count % sums.count] = sum
        for (index, seconds) in durationsInSeconds.enumerated() {
            guard seconds <= count else { return }
            let mean = (sum - sums[(count - seconds) % sums.count]) / Double(seconds)
            if mean > best[index]?.mean ?? -.infinity {
                best[index] = Effort(seconds: seconds, mean: mean, start: second - seconds + 1)
            }
        }
    }
}
