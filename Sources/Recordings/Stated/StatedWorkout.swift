/// The times and distances that a file states, before anything is decided. It is the same for every format.
///
/// Times are seconds on one scale, such as FIT's, or since 2001. ``WorkoutTimes`` and ``StatedDistance`` decide which
/// of them count.
struct StatedWorkout: Sendable {
    /// A session, a lap, or a length of a pool.
    struct Stretch: Sendable {
        var start: Double?
        /// When the message was written. This is not always the end of the stretch.
        var written: Double?
        /// The duration from start to end, with pauses.
        var elapsed: Double?
        /// The duration without pauses.
        var active: Double?
        var meters: Double?
        /// The samples within the stretch in the file. Nil if there are none, or if the format stores them elsewhere.
        var samples: ClosedRange<Double>?
        /// The longest times without a sample within the stretch.
        var gaps = LongestGaps()
        /// The total length of breaks in the track.
        var interruptedInSeconds = 0.0
        /// Breaks no longer than the time between two samples. They are pauses only if the stretch has room for them.
        var shortBreaks: [TimeSpan] = []
        /// The index of the first pool length of a lap.
        var firstLength: Int?
        /// The index among the messages of the file.
        var sequence: UInt32 = 0
    }

    struct TimerEvent: Sendable {
        var sequence: UInt32
        var seconds: Double
        var isStart: Bool
    }

    var sessions: [Stretch] = []
    var laps: [Stretch] = []
    var lengths: [Stretch] = []
    var timerEvents: [TimerEvent] = []
    /// From the first to the last sample. Nil if no sample has a time.
    var samples: ClosedRange<Double>?
    /// The longest times without a sample.
    var gaps = LongestGaps()
    /// The times between two tracks or segments.
    var breaks: [TimeSpan] = []

    /// The total duration of the sessions with pauses. Nil if a session does not state it, or if it is zero.
    var elapsed: Double? { total(\.elapsed) }
    /// The total duration of the sessions without pauses. Nil if a session does not state it, or if it is zero.
    var active: Double? { total(\.active) }

    private func total(_ value: KeyPath<Stretch, Double?>) -> Double? {
        let values = sessions.compactMap { $0[keyPath: value] }
        let sum = values.reduce(0, +)
        return values.count == sessions.count && sum > 0 ? sum : nil
    }

    /// Returns whether samples were written in a lap. A sample of the second in which it begins is that of the lap before.
    func hasSamples(in lap: StatedLaps.Lap) -> Bool {
        guard let samples, lap.start < samples.upperBound, lap.end > samples.lowerBound else { return false }
        return !gaps.cover(from: lap.start, to: lap.end)
    }

    /// Returns whether no sample was written between two times, except in the seconds of the two.
    func isGap(from start: Double, to end: Double) -> Bool {
        start < end && gaps.cover(from: start + 1, to: end - 1)
    }

    /// The stretches to rely on for the start and end: sessions, or else laps, or else lengths.
    var spans: [Stretch] {
        [sessions, laps, lengths].first { $0.contains { $0.start != nil } }?.filter { $0.start != nil } ?? []
    }
}

extension StatedWorkout {
    /// Returns a copy with other times. `map` must keep their order.
    func mappingTimes(_ map: (Double) -> Double) -> StatedWorkout {
        func mapped(_ span: TimeSpan) -> TimeSpan { TimeSpan(start: map(span.start), end: map(span.end)) }
        func mapped(_ range: ClosedRange<Double>) -> ClosedRange<Double> {
            let start = map(range.lowerBound)
            return start...max(start, map(range.upperBound))
        }
        func mapped(_ stretch: Stretch) -> Stretch {
            var other = stretch
            other.start = stretch.start.map(map)
            other.written = stretch.written.map(map)
            other.samples = stretch.samples.map(mapped)
            other.gaps = stretch.gaps.mappingTimes(mapped)
            other.shortBreaks = stretch.shortBreaks.map(mapped)
            return other
        }
        var other = self
        other.sessions = sessions.map(mapped)
        other.laps = laps.map(mapped)
        other.lengths = lengths.map(mapped)
        for index in timerEvents.indices { other.timerEvents[index].seconds = map(timerEvents[index].seconds) }
        other.samples = samples.map(mapped)
        other.gaps = gaps.mappingTimes(mapped)
        other.breaks = breaks.map(mapped)
        return other
    }
}

struct TimeSpan: Equatable, Sendable {
    var start: Double
    var end: Double
    var seconds: Double { end - start }
}

/// The longest times without a sample, at least 256 of them. Gaps shorter than 2 s do not count.
struct LongestGaps: Sendable {
    /// A shorter gap may be the usual time between two samples.
    static let longInSeconds = 5.0
    static let dayInSeconds = 86_400.0
    private static let leastInSeconds = 2.0
    private static let most = 256
    /// Of so many long gaps, each may be a pause. More may be the usual time between two samples.
    private static let few = 32

    private(set) var spans: [TimeSpan] = []
    /// The number of all gaps by their length in seconds, rounded up. The last counts all longer ones.
    private var counts = Self.noCounts
    /// Shared, because most stretches have no gaps.
    private static let noCounts = [Int](repeating: 0, count: 61)

    init() {}

    init(_ spans: [TimeSpan]) { for span in spans { add(span) } }

    /// Returns a copy with other times.
    func mappingTimes(_ map: (TimeSpan) -> TimeSpan) -> LongestGaps {
        var other = self
        other.spans = spans.map(map)
        return other
    }

    /// Returns whether one of the gaps reaches from one time to the other.
    func cover(from start: Double, to end: Double) -> Bool {
        spans.contains { $0.start <= start && end <= $0.end }
    }

    mutating func add(_ gap: TimeSpan) {
        counts[gap.seconds > 0 ? Int(min(gap.seconds, 60).rounded(.up)) : 0] += 1
        guard gap.seconds >= Self.leastInSeconds else { return }
        spans.append(gap)
        guard spans.count == 2 * Self.most else { return }
        spans.sort { $0.seconds > $1.seconds }
        spans.removeLast(Self.most)
    }

    /// The gaps that may be pauses, the longest first: a few long ones, and all that are far longer than the usual time between
    /// two samples.
    private var possiblePauses: [TimeSpan] {
        let half = counts.reduce(0, +) / 2
        var passed = 0
        let median = counts.firstIndex {
            passed += $0
            return passed > half
        }
        let usual = Double(median ?? 0)
        return spans.sorted { $0.seconds > $1.seconds }.enumerated().filter { rank, gap in
            rank < Self.few && gap.seconds >= Self.longInSeconds || gap.seconds > 3 * usual
        }.map(\.element)
    }

    /// Returns pauses that explain this many missing seconds: one gap of that length, or else the longest gaps until 2
    /// s or less are left. Returns none if all gaps together explain less than nine tenths, because then the stated
    /// duration is wrong.
    ///
    /// - Parameter preferred: The gap to choose of several that are about that long.
    func pauses(explaining missing: Double, preferring preferred: TimeSpan? = nil) -> [TimeSpan] {
        guard missing > Self.toleranceInSeconds else { return [] }
        let gaps = possiblePauses
        guard gaps.reduce(0, { $0 + $1.seconds }) >= missing * 0.9 else { return [] }
        let nearest = gaps.min { abs($0.seconds - missing) < abs($1.seconds - missing) }
        for case let gap? in [preferred, nearest] where abs(gap.seconds - missing) <= Self.roundingInSeconds {
            return [TimeSpan(start: gap.start, end: min(gap.end, gap.start + missing))]
        }
        var rest = missing
        var pauses: [TimeSpan] = []
        for gap in gaps where rest > Self.toleranceInSeconds {
            let seconds = min(gap.seconds, rest)
            pauses.append(TimeSpan(start: gap.start, end: gap.start + seconds))
            rest -= seconds
        }
        return pauses.sorted { $0.start < $1.start }
    }

    static let toleranceInSeconds = 2.0
    private static let roundingInSeconds = 1.0
}
