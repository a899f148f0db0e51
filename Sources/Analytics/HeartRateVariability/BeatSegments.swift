/// The variability of a recording of any length, in segments of five minutes that are cleaned one by one. Memory is
/// bounded.
///
/// Five minutes are the short-term recording of the Task Force (Circulation 93:1043–1065, 1996). Each segment passes
/// through ``BeatFilter``. The time-domain figures use all corrected beats, without differences across the end of a
/// segment. Spectrum and alpha1 are means over the segments that are long enough.
public struct BeatSegments: Sendable {
    public static let lengthInSeconds = 300.0

    /// Statistics of the corrected beats.
    public private(set) var statistics = BeatStatistics()
    /// The number of intervals before correction.
    public private(set) var intervals = 0
    public private(set) var artefacts = 0
    private var spectra = (low: RunningVariance(), high: RunningVariance())
    private var alpha1s = RunningVariance()
    private var clock = BeatClock()
    private var open: [Double] = []
    private var openMilliseconds = 0.0

    public init() {}

    /// Adds intervals in milliseconds, oldest first. `seconds` is their arrival on the caller's timeline. An impossible
    /// interval is an artefact and ends the segment. Values that are not durations are skipped. It does not matter how
    /// many arrive at once.
    public mutating func add(_ intervalsInMilliseconds: [Double], at seconds: Double) {
        let lengths = intervalsInMilliseconds.filter { $0 > 0 && $0.isFinite }
        guard seconds.isFinite, !lengths.isEmpty else { return }
        if !clock.add(sumInMilliseconds: lengths.reduce(0, +), at: seconds).isContinued { close() }
        for interval in lengths {
            guard Alpha1Window.possibleIntervalsInMilliseconds.contains(interval) else {
                close()
                intervals += 1
                artefacts += 1
                continue
            }
            // The segment ends before the interval that would make it too long.
            if openMilliseconds + interval > Self.lengthInSeconds * 1000 { close() }
            open.append(interval)
            openMilliseconds += interval
        }
    }

    /// Marks a break: the next beats do not follow the last ones.
    public mutating func interrupt() {
        clock.interrupt()
        close()
    }

    /// Ends the open segment and counts it. Read figures after this.
    public mutating func close() {
        defer {
            open.removeAll(keepingCapacity: true)
            openMilliseconds = 0
        }
        guard !open.isEmpty else { return }
        let filtered = BeatFilter.filter(open)
        intervals += open.count
        artefacts += filtered.artefacts.count
        statistics.merge(BeatStatistics(filtered.intervals))
        let share = Double(filtered.artefacts.count) / Double(open.count)
        guard share <= Alpha1Window.mostArtefacts else { return }
        if let spectrum = HeartRateVariabilitySpectrum(nnIntervals: filtered.intervals) {
            spectra.low.add(spectrum.lowFrequencyPower)
            spectra.high.add(spectrum.highFrequencyPower)
        }
        if let alpha1 = DetrendedFluctuationAnalysis.alpha1(intervalsInMilliseconds: filtered.intervals) {
            alpha1s.add(alpha1)
        }
    }

    /// The share of artefacts as a fraction of 1.
    public var artefactShare: Figure<Double> {
        intervals > 0 ? .success(Double(artefacts) / Double(intervals)) : .failure(.notMeasured(.beats))
    }

    /// The standard deviation of all corrected intervals, in ms.
    public var sdnn: Figure<Double> { figure(statistics.sdnn, needed: 2) }
    /// The root mean square of successive differences, in ms.
    public var rmssd: Figure<Double> { figure(statistics.rmssd, needed: 2) }
    /// The share of successive differences above 50 ms, in percent of the intervals.
    public var pnn50: Figure<Double> { figure(statistics.pnn50, needed: 2) }
    /// The short axis of the Poincaré plot, in ms.
    public var sd1: Figure<Double> { figure(statistics.sd1, needed: 3) }
    /// The long axis of the Poincaré plot, in ms.
    public var sd2: Figure<Double> { figure(statistics.sd2, needed: 3) }
    /// The power in ms²: the mean over segments of at least 64 s.
    public var lowFrequencyPower: Figure<Double> { mean(spectra.low, neededSeconds: 64) }
    /// The power in ms²: the mean over segments of at least 64 s.
    public var highFrequencyPower: Figure<Double> { mean(spectra.high, neededSeconds: 64) }

    /// The ratio of the two means.
    public var lowToHighRatio: Figure<Double> {
        lowFrequencyPower.flatMap { low in
            highFrequencyPower.flatMap { $0 > 0 ? .success(low / $0) : .failure(.noVariation) }
        }
    }

    /// The mean over the segments with at least 32 beats and at most 5 % artefacts.
    public var alpha1: Figure<Double> { mean(alpha1s, neededSeconds: 30) }

    private func figure(_ value: Double?, needed: Int) -> Figure<Double> {
        if let value { return .success(value) }
        return .failure(intervals == 0 ? .notMeasured(.beats) : .tooFew(statistics.count, needed: needed))
    }

    private func mean(_ values: RunningVariance, neededSeconds: Double) -> Figure<Double> {
        if values.count > 0 { return .success(values.mean) }
        guard intervals > 0 else { return .failure(.notMeasured(.beats)) }
        let share = Double(artefacts) / Double(intervals)
        return .failure(
            share > Alpha1Window.mostArtefacts
                ? .tooManyArtefacts(share: share) : .tooShort(neededSeconds: neededSeconds))
    }
}
