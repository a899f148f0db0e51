/// The best efforts of a workout: the greatest mean over each of several durations.
///
/// It uses a series of one value per second. An effort never spans a pause or a gap, because time without measurements
/// does not count. Memory is one or two sums for each second of the longest duration.
public struct MeanMaximalCurve: Sendable, Equatable {
    public struct Effort: Sendable, Equatable {
        public var seconds: Int
        /// The mean in the unit of the series.
        public var mean: Double
        /// The start in seconds of the series.
        public var start: Int

        public init(seconds: Int, mean: Double, start: Int) {
            self.seconds = seconds
            self.mean = mean
            self.start = start
        }
    }

    public static let usualDurationsInSeconds = [5, 30, 60, 300, 600, 1200, 1800, 3600, 7200]

    /// The efforts for durations that fit into the workout, shortest first.
    public var efforts: [Effort] { best.compactMap { $0 } }
    public let durationsInSeconds: [Int]
    private var best: [Effort?]
    /// The sums of the values in the best efforts.
    private var bestSums: [Double]
    /// A ring buffer of the sums of all values since the last gap. Its size is a power of two, so that an index is a
    /// few bits of the count.
    private var sums: [Double]
    /// The number of values since the last gap.
    private var count = 0

    /// - Parameter durationsInSeconds: Durations of at least 1 s.
    public init(durationsInSeconds: [Int] = usualDurationsInSeconds) {
        self.durationsInSeconds = durationsInSeconds.filter { $0 > 0 }.sorted()
        best = Array(repeating: nil, count: self.durationsInSeconds.count)
        bestSums = Array(repeating: -.infinity, count: best.count)
        let longest = self.durationsInSeconds.last ?? 0
        sums = Array(repeating: 0, count: 1 << (Int.bitWidth - longest.leadingZeroBitCount))
    }

    public mutating func add(_ step: SecondlySeries.Step) {
        switch step {
        case .gap: count = 0
        case .value(let value, let second): add(value, second)
        }
    }

    private mutating func add(_ value: Double, _ second: Int) {
        let mask = sums.count - 1
        // The first sum after a gap is 0.
        if count == 0 { sums[0] = 0 }
        let total = sums[count & mask] + value
        count += 1
        sums[count & mask] = total
        for index in durationsInSeconds.indices {
            let seconds = durationsInSeconds[index]
            guard seconds <= count else { return }
            let sum = total - sums[(count - seconds) & mask]
            if sum > bestSums[index] {
                bestSums[index] = sum
                best[index] = Effort(seconds: seconds, mean: sum / Double(seconds), start: second - seconds + 1)
            }
        }
    }
}
