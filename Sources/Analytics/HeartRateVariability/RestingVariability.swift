/// The variability of a heart at rest: of the quietest minute of beats.
///
/// SDNN over a whole workout is mostly how far the heart rate rose and fell. What is compared from day to day is that of a
/// short time at rest: here of a minute, from the beginning of each stretch on one after the other, cleaned by ``BeatFilter``.
/// The minute with the lowest heart rate counts, and only where that is near the resting heart rate.
public struct RestingVariability: Sendable, Equatable {
    public static let lengthInSeconds = 60.0
    /// Of the heart-rate reserve: who sits or lies is below it, who walks is above.
    public static let mostReserveFraction = 0.2

    public struct Minute: Sendable, Equatable {
        /// On the caller's time line.
        public var startInSeconds: Double
        public var lengthInSeconds: Double
        /// Mean, in beats a minute.
        public var heartRate: Double
        /// In ms.
        public var sdnn: Double
    }

    /// Nil while no minute was seen that has at most 5 % of artefacts.
    public private(set) var quietest: Minute?
    private var intervals = 0
    /// Of the minutes that had too many artefacts: the lowest share.
    private var leastArtefacts: Double?

    public init() {}

    /// Adds beats that follow each other without a gap.
    /// - Parameter start: When the first interval began, in seconds.
    public mutating func add(_ intervalsInMilliseconds: [Double], from start: Double) {
        var open: [Double] = []
        var openStart = start
        var seconds = start
        for interval in intervalsInMilliseconds {
            intervals += 1
            seconds += interval / 1000
            guard Alpha1Window.possibleIntervalsInMilliseconds.contains(interval) else {
                open = []
                openStart = seconds
                continue
            }
            open.append(interval)
            guard seconds - openStart >= Self.lengthInSeconds else { continue }
            addStretch(open, from: openStart, to: seconds)
            open = []
            openStart = seconds
        }
    }

    private mutating func addStretch(_ intervals: [Double], from start: Double, to end: Double) {
        let filtered = BeatFilter.filter(intervals)
        let share = Double(filtered.artefacts.count) / Double(intervals.count)
        guard share <= Alpha1Window.mostArtefacts else {
            leastArtefacts = min(share, leastArtefacts ?? share)
            return
        }
        let statistics = BeatStatistics(filtered.intervals)
        guard let mean = statistics.mean, let sdnn = statistics.sdnn else { return }
        let heartRate = 60_000 / mean
        if let quietest, quietest.heartRate <= heartRate { return }
        quietest = Minute(startInSeconds: start, lengthInSeconds: end - start, heartRate: heartRate, sdnn: sdnn)
    }

    /// The quietest minute, where the heart was at rest in it.
    public func atRest(restingHeartRate: Double?, maximumHeartRate: Double?) -> Figure<Minute> {
        guard intervals > 0 else { return .failure(.notMeasured(.beats)) }
        guard let restingHeartRate else { return .failure(.notKnown(.restingHeartRate)) }
        guard let maximumHeartRate else { return .failure(.notKnown(.maximumHeartRate)) }
        guard let quietest else {
            return .failure(
                leastArtefacts.map { .tooManyArtefacts(share: $0) } ?? .tooShort(neededSeconds: Self.lengthInSeconds))
        }
        let most = restingHeartRate + Self.mostReserveFraction * (maximumHeartRate - restingHeartRate)
        return quietest.heartRate <= most
            ? .success(quietest) : .failure(.notAtRest(lowestHeartRate: quietest.heartRate, most: most))
    }
}
