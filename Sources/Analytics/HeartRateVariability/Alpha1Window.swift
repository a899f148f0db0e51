/// What the last two minutes of beats say of the effort.
public struct Alpha1Reading: Sendable, Equatable {
    /// Without a unit; see ``DetrendedFluctuationAnalysis``.
    public var alpha1: Double
    /// Artefacts by intervals, a fraction of 1. Those were corrected.
    public var artefactShare: Double
    /// Of the same beats, in beats a minute.
    public var heartRate: Double

    public init(alpha1: Double, artefactShare: Double, heartRate: Double) {
        self.alpha1 = alpha1
        self.artefactShare = artefactShare
        self.heartRate = heartRate
    }
}

/// DFA alpha1 of the last two minutes, as beats arrive: live, in a replay, and of what is stored.
///
/// Two minutes are the length that the thresholds were found with (Rogers, Giles, Draper, Hoos & Gronwald, Front Physiol
/// 11:596567, 2021). Artefacts are corrected first (``BeatFilter``, whose windows end with the youngest beat here); with more
/// than 5 % of them there is no figure, since they push it upwards (Rogers et al., Sensors 21:821, 2021). Beats that are
/// missing would look like variability: the window begins anew behind them. It keeps at most 600 intervals.
public struct Alpha1Window: Sendable {
    public static let lengthInSeconds = 120.0
    public static let mostArtefacts = 0.05
    /// Between beats; what lies outside no heart does.
    public static let possibleIntervalsInMilliseconds = 200.0...5000

    private var clock = BeatClock()
    private var intervals: [Double] = []
    /// Those before are out of the window, and are removed now and then.
    private var first = 0
    private var lengthInMilliseconds = 0.0
    private var hasFilled = false
    /// Since beats were missing last, or since the first one.
    public private(set) var stretchInSeconds = 0.0

    public init() {}

    /// Adds intervals in milliseconds, oldest first, that arrived at a time in seconds on the caller's time line. The window
    /// begins anew behind what no heart does; what is no length of time is passed over.
    public mutating func add(_ intervalsInMilliseconds: [Double], at seconds: Double) {
        let lengths = intervalsInMilliseconds.filter { $0 > 0 && $0.isFinite }
        guard seconds.isFinite, !lengths.isEmpty else { return }
        if !clock.add(sumInMilliseconds: lengths.reduce(0, +), at: seconds).isContinued { empty() }
        for interval in lengths {
            guard Self.possibleIntervalsInMilliseconds.contains(interval) else {
                empty()
                continue
            }
            intervals.append(interval)
            lengthInMilliseconds += interval
            stretchInSeconds += interval / 1000
        }
        while lengthInMilliseconds > Self.lengthInSeconds * 1000 {
            lengthInMilliseconds -= intervals[first]
            first += 1
            hasFilled = true
        }
        if first > 600 {
            intervals.removeFirst(first)
            first = 0
        }
    }

    /// The sensor went away, or the session paused: the next beats do not follow the last ones.
    public mutating func interrupt() {
        clock.interrupt()
        empty()
    }

    private mutating func empty() {
        intervals.removeAll(keepingCapacity: true)
        first = 0
        lengthInMilliseconds = 0
        stretchInSeconds = 0
        hasFilled = false
    }

    /// Some ten microseconds of work: ask for it when it is shown, not at each beat.
    public var reading: Figure<Alpha1Reading> {
        guard !intervals.isEmpty else { return .failure(.notMeasured(.beats)) }
        guard hasFilled else { return .failure(.tooShort(neededSeconds: Self.lengthInSeconds)) }
        let window = Array(intervals[first...])
        let filtered = BeatFilter.filter(window)
        let share = Double(filtered.artefacts.count) / Double(window.count)
        guard share <= Self.mostArtefacts else { return .failure(.tooManyArtefacts(share: share)) }
        guard filtered.intervals.count >= DetrendedFluctuationAnalysis.minimumIntervals else {
            return .failure(
                .tooFew(filtered.intervals.count, needed: DetrendedFluctuationAnalysis.minimumIntervals))
        }
        guard let alpha1 = DetrendedFluctuationAnalysis.alpha1(intervalsInMilliseconds: filtered.intervals) else {
            return .failure(.noVariation)
        }
        let mean = filtered.intervals.reduce(0, +) / Double(filtered.intervals.count)
        return .success(Alpha1Reading(alpha1: alpha1, artefactShare: share, heartRate: 60_000 / mean))
    }
}
