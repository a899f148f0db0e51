/// The variability of a heart at rest: in the quietest minute of beats.
///
/// SDNN over a whole workout mostly measures how much the heart rate rose and fell. Only a short time at rest is
/// comparable from day to day. Here it is a minute. Minutes follow one another from the beginning of each segment and
/// are cleaned by ``BeatFilter``. The minute with the lowest heart rate counts, and only if that is near the resting
/// heart rate.
public struct RestingVariability: Sendable, Equatable {
    public static let lengthInSeconds = 60.0
    /// The limit as a share of the heart-rate reserve: people who sit or lie are below it, people who walk are above.
    public static let mostReserveFraction = 0.2

    public struct Minute: Sendable, Equatable {
        /// The start on the caller's timeline.
        public var startInSeconds: Double
        public var lengthInSeconds: Double
        /// The mean heart rate in beats per minute.
        public var heartRate: Double
        /// SDNN in ms.
        public var sdnn: Double
    }

    /// Nil until there is a minute with at most 5 % of artefacts.
    public private(set) var quietest: Minute?
    private var intervals = 0
    /// The lowest share of artefacts among the minutes that had too many.
    private var leastArtefacts: Double?

    public init() {}

    /// Adds beats that follow each other without a gap.
    /// - Parameter start: The start of the first interval in seconds.
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

    /// Returns the quietest minute if the heart was at rest in it.
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
