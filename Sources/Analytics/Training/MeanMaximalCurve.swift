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
    public var efforts: [Effort] {
        windows.filter { $0.sum > -.infinity }.map {
            Effort(seconds: $0.seconds, mean: $0.sum / Double($0.seconds), start: $0.end - $0.seconds + 1)
        }
    }
    /// Whether no duration fits into the workout yet.
    public var isEmpty: Bool { windows.first.map { $0.sum == -.infinity } ?? true }

    /// The best effort of one duration so far.
    private struct Window: Sendable, Equatable {
        let seconds: Int
        var sum = -Double.infinity
        /// Its last second.
        var end = 0
    }

    private var windows: [Window]
    /// A ring buffer of the sums of all values since the last gap. Its size is a power of two, so that an index is a
    /// few bits of the count.
    private var sums: [Double]
    /// The number of values since the last gap.
    private var count = 0

    /// - Parameter durationsInSeconds: Durations of at least 1 s.
    public init(durationsInSeconds: [Int] = usualDurationsInSeconds) {
        windows = durationsInSeconds.filter { $0 > 0 }.sorted().map { Window(seconds: $0) }
        let longest = windows.last?.seconds ?? 0
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
        for index in windows.indices {
            let seconds = windows[index].seconds
            guard seconds <= count else { return }
            let sum = total - sums[(count - seconds) & mask]
            if sum > windows[index].sum {
                windows[index].sum = sum
                windows[index].end = second
            }
        }
    }
}
