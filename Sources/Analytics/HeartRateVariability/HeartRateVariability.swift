/// The heart-rate variability of a recorded series of beats.
///
/// Source, unless a property names another: Task Force of the ESC and NASPE, Circulation 93:1043–1065, 1996. Its length
/// for a short-term recording is five minutes. Correct artefacts first (`BeatFilter`): one missed beat outweighs the
/// variability of a hundred good ones.
public struct HeartRateVariability: Sendable, Equatable {
    /// SDNN, RMSSD, SDSD, NN50, SD1, SD2.
    public let statistics: BeatStatistics
    /// The mean of the heart rates of the single beats, in beats per minute. It differs from 60 000 divided by the mean
    /// interval.
    public let meanHeartRate: Double
    /// The number of successive differences above 20 ms.
    public let nn20: Int
    /// The number of intervals divided by the height of the highest bin in their histogram, with bins of 1/128 s.
    public let triangularIndex: Double
    /// Nil for fewer than `DetrendedFluctuationAnalysis.minimumIntervals`.
    public let dfaAlpha1: Double?
    /// Nil for less than 64 s of beats.
    public let spectrum: HeartRateVariabilitySpectrum?

    /// - Parameter nnIntervals: Normal-to-normal intervals in milliseconds without gaps.
    /// - Returns: Nil for fewer than two intervals, or if one is not a positive number.
    public init?(nnIntervals: [Double]) {
        guard nnIntervals.count >= 2, nnIntervals.allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
        statistics = BeatStatistics(nnIntervals)
        meanHeartRate = nnIntervals.reduce(0) { $0 + 60_000 / $1 } / Double(nnIntervals.count)
        nn20 = zip(nnIntervals, nnIntervals.dropFirst()).count { abs($1 - $0) > 20 }

        var histogram: [Double: Int] = [:]
        for interval in nnIntervals { histogram[(interval * 128 / 1000).rounded(.down), default: 0] += 1 }
        triangularIndex = Double(nnIntervals.count) / Double(histogram.values.max() ?? 1)

        dfaAlpha1 = DetrendedFluctuationAnalysis.alpha1(intervalsInMilliseconds: nnIntervals)
        spectrum = HeartRateVariabilitySpectrum(nnIntervals: nnIntervals)
    }

    /// `nn20` as a percentage of all intervals.
    public var pnn20: Double { 100 * Double(nn20) / Double(statistics.count) }
}
