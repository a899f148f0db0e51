/// Variability of a recording of any length, in stretches of five minutes that are cleaned one by one: memory is bounded.
///
/// Five minutes are the short-term recording of the Task Force (Circulation 93:1043–1065, 1996). Each stretch goes through
/// ``BeatFilter``; the time-domain figures are of all corrected beats, without a difference across a stretch's end. Spectrum
/// and alpha1 are means over the stretches that are long enough for them.
public struct BeatSegments: Sendable {
    public static let lengthInSeconds = 300.0

    /// Of the corrected beats.
    public private(set) var statistics = BeatStatistics()
    /// Intervals as they came.
    public private(set) var intervals = 0
    public private(set) var artefacts = 0
    private var spectra = (low: RunningVariance(), high: RunningVariance())
    private var alpha1s = RunningVariance()
    private var clock = BeatClock()
    private var open: [Double] = []
    private var openMilliseconds = 0.0

    public init() {}

    /// Adds intervals in milliseconds, oldest first, that arrived at a time in seconds on the caller's time line. What no
    /// heart does is an artefact and ends the stretch; what is no length of time is passed over. How many come at once does
    /// not matter.
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
            // The stretch ends ahead of the interval that would make it longer.
            if openMilliseconds + interval > Self.lengthInSeconds * 1000 { close() }
            open.append(interval)
            openMilliseconds += interval
        }
    }

    /// The next beats do not follow the last ones.
    public mutating func interrupt() {
        clock.interrupt()
        close()
    }

    /// Counts the stretch that is open: ask for figures after it.
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

    /// A fraction of 1.
    public var artefactShare: Figure<Double> {
        intervals > 0 ? .success(Double(artefacts) / Double(intervals)) : .failure(.notMeasured(.beats))
    }

    /// Standard deviation of all corrected intervals, in ms.
    public var sdnn: Figure<Double> { figure(statistics.sdnn, needed: 2) }
    /// In ms.
    public var rmssd: Figure<Double> { figure(statistics.rmssd, needed: 2) }
    /// In percent of the intervals.
    public var pnn50: Figure<Double> { figure(statistics.pnn50, needed: 2) }
    /// In ms.
    public var sd1: Figure<Double> { figure(statistics.sd1, needed: 3) }
    /// In ms.
    public var sd2: Figure<Double> { figure(statistics.sd2, needed: 3) }
    /// In ms²: the mean over stretches of at least 64 s.
    public var lowFrequencyPower: Figure<Double> { mean(spectra.low, neededSeconds: 64) }
    /// In ms²: the mean over stretches of at least 64 s.
    public var highFrequencyPower: Figure<Double> { mean(spectra.high, neededSeconds: 64) }

    /// The one mean by the other.
    public var lowToHighRatio: Figure<Double> {
        lowFrequencyPower.flatMap { low in
            highFrequencyPower.flatMap { $0 > 0 ? .success(low / $0) : .failure(.noVariation) }
        }
    }

    /// Mean over the stretches, each of at least 32 beats and at most 5 % artefacts.
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
