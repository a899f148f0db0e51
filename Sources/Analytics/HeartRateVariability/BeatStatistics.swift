/// The time-domain heart-rate variability of beats that arrive one by one. Each beat takes constant time, and nothing
/// is kept or allocated.
///
/// All intervals and results are in milliseconds. The definitions are those of the Task Force of the ESC and NASPE,
/// Circulation 93:1043–1065, 1996, table 1. Intervals are used unfiltered; `BeatFilter` removes artefacts.
///
/// Differences are computed between successive intervals. If beats are missing in between (a lost packet, a pause, a
/// sensor that was away), `breakSequence()` prevents the gap from counting as variability. The figures of a workout use
/// all its intervals in their order, without breaks, as other programs do, so that a session, its stored series and its
/// file show the same number.
public struct BeatStatistics: Sendable, Equatable {
    private var intervals = RunningVariance()
    private var differences = RunningVariance()
    private var previous: Double?
    /// The number of successive differences above 50 ms.
    public private(set) var nn50 = 0

    public init() {}

    public init(_ intervalsInMilliseconds: some Sequence<Double>) {
        for interval in intervalsInMilliseconds { add(interval) }
    }

    /// Adds the next interval. A value that is not a positive number counts as a break.
    public mutating func add(_ milliseconds: Double) {
        guard milliseconds > 0, milliseconds.isFinite else { return breakSequence() }
        intervals.add(milliseconds)
        if let previous {
            differences.add(milliseconds - previous)
            if abs(milliseconds - previous) > 50 { nn50 += 1 }
        }
        previous = milliseconds
    }

    /// Marks a break: the next interval does not follow the one before.
    public mutating func breakSequence() { previous = nil }

    /// Adds the beats of a later segment, with a break in between.
    public mutating func merge(_ later: BeatStatistics) {
        intervals.merge(later.intervals)
        differences.merge(later.differences)
        nn50 += later.nn50
        previous = later.previous
    }

    /// The number of intervals.
    public var count: Int { intervals.count }
    /// The number of pairs of successive intervals.
    public var differenceCount: Int { differences.count }
    /// The mean interval. Nil if there are no intervals.
    public var mean: Double? { count == 0 ? nil : intervals.mean }
    /// The standard deviation of the intervals, divided by n − 1. Nil for fewer than two.
    public var sdnn: Double? { intervals.sampleVariance?.squareRoot() }
    /// The root mean square of the successive differences. Nil if there are none.
    public var rmssd: Double? { differences.rootMeanSquare }
    /// The standard deviation of the successive differences, divided by n − 1. Nil for fewer than two.
    public var sdsd: Double? { differences.sampleVariance?.squareRoot() }
    /// `nn50` as a percentage of all intervals, as the Task Force defines it (others divide by the differences). Nil if
    /// there are none.
    public var pnn50: Double? { count == 0 ? nil : 100 * Double(nn50) / Double(count) }
    /// The short axis of the Poincaré plot: instantaneous variability. Brennan, Palaniswami & Kamen, IEEE Trans Biomed
    /// Eng 48:1342–1347, 2001.
    public var sd1: Double? { differences.sampleVariance.map { ($0 / 2).squareRoot() } }
    /// The long axis of the Poincaré plot: continuous variability. Source as for `sd1`. Nil also if artefacts make the
    /// beat-to-beat variance more than four times the variance.
    public var sd2: Double? {
        guard let variance = intervals.sampleVariance, let difference = differences.sampleVariance,
            2 * variance >= difference / 2
        else { return nil }
        return (2 * variance - difference / 2).squareRoot()
    }
}
