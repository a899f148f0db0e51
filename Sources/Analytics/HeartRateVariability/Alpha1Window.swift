/// The alpha1 of the last two minutes of beats.
public struct Alpha1Reading: Sendable, Equatable {
    /// The exponent, without a unit; see ``DetrendedFluctuationAnalysis``.
    public var alpha1: Double
    /// The number of artefacts divided by that of intervals, as a fraction of 1. They were corrected.
    public var artefactShare: Double
    /// The heart rate of the same beats in beats per minute.
    public var heartRate: Double

    public init(alpha1: Double, artefactShare: Double, heartRate: Double) {
        self.alpha1 = alpha1
        self.artefactShare = artefactShare
        self.heartRate = heartRate
    }
}

/// Computes the DFA alpha1 of the last two minutes as beats arrive: live, in a replay, or from stored data.
///
/// The thresholds were found with windows of two minutes (Rogers, Giles, Draper, Hoos & Gronwald, Front Physiol
/// 11:596567, 2021). Artefacts are corrected first (by ``BeatFilter``, whose windows end with the latest beat here). If
/// there are more than 5 %, there is no figure, because they push it upwards (Rogers et al., Sensors 21:821, 2021).
/// Missing beats would look like variability, so the window starts again after them. It keeps at most 600 intervals.
public struct Alpha1Window: Sendable {
    public static let lengthInSeconds = 120.0
    public static let mostArtefacts = 0.05
    /// The possible times between beats. No heart has others.
    public static let possibleIntervalsInMilliseconds = 200.0...5000

    private var clock = BeatClock()
    private var intervals: [Double] = []
    /// The index of the first interval in the window. Earlier ones are removed occasionally.
    private var first = 0
    private var lengthInMilliseconds = 0.0
    private var hasFilled = false
    /// The seconds since beats were last missing, or since the first one.
    public private(set) var stretchInSeconds = 0.0

    public init() {}

    /// Adds intervals in milliseconds, oldest first. `seconds` is their arrival on the caller's timeline. The window
    /// starts again after an impossible interval. Values that are not durations are skipped.
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

    /// Marks a break: the sensor went away, or the session paused, so the next beats do not follow the last ones.
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

    /// The alpha1 of the window. It takes about ten microseconds, so compute it when it is shown, not at each beat.
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
