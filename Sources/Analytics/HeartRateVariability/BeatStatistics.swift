/// Time-domain heart-rate variability of beats that arrive one by one: O(1) a beat, nothing is kept or allocated.
///
/// All intervals and results are in milliseconds. The definitions are those of the Task Force of the ESC and NASPE,
/// Circulation 93:1043–1065, 1996, table 1. Intervals are taken as they come; artefacts are for `BeatFilter` to remove.
///
/// Differences are formed between intervals that were added one after the other. Where beats are missing in between (a lost
/// packet, a pause, a sensor that was away), `breakSequence()` keeps the gap from showing as variability. The figures of a
/// workout are those of all its intervals in the order in which they came, without that, as other programs have them: what a
/// session, its stored series and its file say is one number.
public struct BeatStatistics: Sendable, Equatable {
    private var intervals = RunningVariance()
    private var differences = RunningVariance()
    private var previous: Double?
    /// How many successive differences exceed 50 ms, strictly.
    public private(set) var nn50 = 0

    public init() {}

    public init(_ intervalsInMilliseconds: some Sequence<Double>) {
        for interval in intervalsInMilliseconds { add(interval) }
    }

    /// Adds the next interval. One that is not a positive number counts as a break.
    public mutating func add(_ milliseconds: Double) {
        guard milliseconds > 0, milliseconds.isFinite else { return breakSequence() }
        intervals.add(milliseconds)
        if let previous {
            differences.add(milliseconds - previous)
            if abs(milliseconds - previous) > 50 { nn50 += 1 }
        }
        previous = milliseconds
    }

    /// The next interval does not follow the one before.
    public mutating func breakSequence() { previous = nil }

    /// Adds the beats of a later stretch, with a break in between.
    public mutating func merge(_ later: BeatStatistics) {
        intervals.merge(later.intervals)
        differences.merge(later.differences)
        nn50 += later.nn50
        previous = later.previous
    }

    /// Intervals.
    public var count: Int { intervals.count }
    /// Pairs of intervals that follow each other.
    public var differenceCount: Int { differences.count }
    /// Nil when there are no intervals.
    public var mean: Double? { count == 0 ? nil : intervals.mean }
    /// Standard deviation of the intervals, divided by n − 1. Nil for fewer than two.
    public var sdnn: Double? { intervals.sampleVariance?.squareRoot() }
    /// Root mean square of the successive differences. Nil without a difference.
    public var rmssd: Double? { differences.rootMeanSquare }
    /// Standard deviation of the successive differences, divided by n − 1. Nil for fewer than two.
    public var sdsd: Double? { differences.sampleVariance?.squareRoot() }
    /// `nn50` as a percentage of all intervals, as the Task Force has it (others divide by the differences). Nil when
    /// there are none.
    public var pnn50: Double? { count == 0 ? nil : 100 * Double(nn50) / Double(count) }
    /// Short axis of the Poincaré plot: instantaneous variability. Brennan, Palaniswami & Kamen, IEEE Trans Biomed Eng
    /// 48:1342–1347, 2001.
    public var sd1: Double? { differences.sampleVariance.map { ($0 / 2).squareRoot() } }
    /// Long axis of the Poincaré plot: continuous variability. Source as for `sd1`. Nil also where artefacts make the
    /// beat-to-beat variance more than four times the variance.
    public var sd2: Double? {
        guard let variance = intervals.sampleVariance, let difference = differences.sampleVariance,
            2 * variance >= difference / 2
        else { return nil }
        return (2 * variance - difference / 2).squareRoot()
    }
}
