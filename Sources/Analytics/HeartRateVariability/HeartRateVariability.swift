/// Heart-rate variability of a recorded stretch of beats.
///
/// Source, unless a property names another: Task Force of the ESC and NASPE, Circulation 93:1043–1065, 1996. Five minutes
/// are the Task Force's length for a short-term recording. Correct artefacts first (`BeatFilter`): one missed beat
/// outweighs the variability of a hundred good ones.
public struct HeartRateVariability: Sendable, Equatable {
    /// SDNN, RMSSD, SDSD, NN50, SD1, SD2.
    public let statistics: BeatStatistics
    /// Mean of the heart rates of the single beats, in beats a minute. Not the same as 60 000 divided by the mean interval.
    public let meanHeartRate: Double
    /// How many successive differences exceed 20 ms, strictly.
    public let nn20: Int
    /// Intervals divided by the height of their histogram's highest bin; bins of 1/128 s.
    public let triangularIndex: Double
    /// Nil for fewer than `DetrendedFluctuationAnalysis.minimumIntervals`.
    public let dfaAlpha1: Double?
    /// Nil for less than 64 s of beats.
    public let spectrum: HeartRateVariabilitySpectrum?

    /// - Parameter nnIntervals: Normal-to-normal intervals in milliseconds, one after the other without a gap.
    /// - Returns: Nil for fewer than two intervals, or when one is not a positive number.
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
