/// The rise of the heart rate relative to power or speed from the first half of a workout to the second.
///
/// Source: Friel, The Triathlete's Training Bible, 2009: the ratio of output to heart rate in the first half, minus
/// that in the second, divided by that in the first. Below 5 % the pace was aerobic. Output here is mean power or mean
/// speed over the time for which both were measured, and the halves are halves of that time. Two series of one value
/// per second are collected in bins, which double in length when there are too many. So memory is bounded, and the
/// halves are exact to a thousandth.
public struct AerobicDecoupling: Sendable, Equatable {
    public static let leastSeconds = 1200.0
    private static let mostBins = 1024
    private static let firstBinInSeconds = 10

    private struct Bin: Sendable, Equatable {
        var heartRate = 0.0
        var heartRates = 0
        var output = 0.0
        var outputs = 0

        /// The seconds for which both are known.
        var seconds: Double { Double(min(heartRates, outputs)) }

        mutating func add(_ other: Bin) {
            heartRate += other.heartRate
            heartRates += other.heartRates
            output += other.output
            outputs += other.outputs
        }
    }

    private var bins: [Bin] = []
    private var binInSeconds = firstBinInSeconds

    public init() {}

    public mutating func takeHeartRate(_ step: SecondlySeries.Step) {
        guard case .value(let value, let second) = step, let bin = bin(of: second) else { return }
        bins[bin].heartRate += value
        bins[bin].heartRates += 1
    }

    /// Adds a second of output, in watts or metres per second but always the same unit.
    public mutating func takeOutput(_ step: SecondlySeries.Step) {
        guard case .value(let value, let second) = step, let bin = bin(of: second) else { return }
        bins[bin].output += value
        bins[bin].outputs += 1
    }

    private mutating func bin(of second: Int) -> Int? {
        guard second >= 0 else { return nil }
        while second / binInSeconds >= Self.mostBins {
            bins = stride(from: 0, to: bins.count, by: 2).map { index in
                var bin = bins[index]
                if index + 1 < bins.count { bin.add(bins[index + 1]) }
                return bin
            }
            binInSeconds *= 2
        }
        let index = second / binInSeconds
        while bins.count <= index { bins.append(Bin()) }
        return index
    }

    /// Returns the decoupling in percent. Above 0 the heart rate rose relative to the output.
    /// - Parameter output: The quantity of the second series, for the reason if there is no figure.
    public func percent(of output: MissingFigure.Measure) -> Figure<Double> {
        guard bins.contains(where: { $0.heartRates > 0 }) else { return .failure(.notMeasured(.heartRate)) }
        guard bins.contains(where: { $0.outputs > 0 }) else { return .failure(.notMeasured(output)) }
        let total = bins.reduce(0) { $0 + $1.seconds }
        guard total >= Self.leastSeconds else { return .failure(.tooShort(neededSeconds: Self.leastSeconds)) }
        var halves = [(heartRate: 0.0, output: 0.0), (heartRate: 0.0, output: 0.0)]
        var passed = 0.0
        for bin in bins where bin.seconds > 0 {
            // The bin in the middle is divided between both halves.
            let shareOfFirst = min(max((total / 2 - passed) / bin.seconds, 0), 1)
            for (half, share) in [(0, shareOfFirst), (1, 1 - shareOfFirst)] {
                halves[half].heartRate += bin.heartRate / Double(bin.heartRates) * bin.seconds * share
                halves[half].output += bin.output / Double(bin.outputs) * bin.seconds * share
            }
            passed += bin.seconds
        }
        guard halves.allSatisfy({ $0.heartRate > 0 && $0.output > 0 }) else { return .failure(.noVariation) }
        let (first, second) = (halves[0].output / halves[0].heartRate, halves[1].output / halves[1].heartRate)
        return .success((first - second) / first * 100)
    }
}
