/// What a file states about when and how far its workout was, before anything is decided: the same for every format.
///
/// Times are seconds on one scale, such as FIT's, or since 2001. ``WorkoutTimes`` and ``StatedDistance`` decide what counts.
struct StatedWorkout: Sendable {
    /// A session, a lap, or a length of a pool.
    struct Stretch: Sendable {
        var start: Double?
        /// When its message was written. This is not always its end.
        var written: Double?
        /// From its start to its end, pauses included.
        var elapsed: Double?
        /// Without pauses.
        var active: Double?
        var meters: Double?
        /// The samples that stand within it in the file; nil if none do, or if a format has them elsewhere.
        var samples: ClosedRange<Double>?
        /// The longest times without a sample within it.
        var gaps = LongestGaps()
        /// How much of it breaks of the track take.
        var interruptedInSeconds = 0.0
        /// Breaks that are no longer than the time from one sample to the next: pauses only if the stretch has room for them.
        var shortBreaks: [TimeSpan] = []
        /// Of a lap: which of the lengths is its first.
        var firstLength: Int?
        /// Place among the messages of the file.
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
    /// From the first to the last sample; nil if no sample has a time.
    var samples: ClosedRange<Double>?
    /// The longest times without a sample.
    var gaps = LongestGaps()
    /// Times between two tracks or segments.
    var breaks: [TimeSpan] = []

    /// How long the sessions took in all, pauses included; nil if one does not state it, or if none took any time.
    var elapsed: Double? { total(\.elapsed) }
    /// How long the sessions took in all, without pauses; nil if one does not state it.
    var active: Double? { total(\.active) }

    private func total(_ value: KeyPath<Stretch, Double?>) -> Double? {
        let values = sessions.compactMap { $0[keyPath: value] }
        let sum = values.reduce(0, +)
        return values.count == sessions.count && sum > 0 ? sum : nil
    }

    /// The most reliable of what has a start and an end: sessions, or else laps, or else lengths.
    var spans: [Stretch] {
        [sessions, laps, lengths].first { $0.contains { $0.start != nil } }?.filter { $0.start != nil } ?? []
    }
}

extension StatedWorkout {
    /// The same with other times, in the same order.
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
            other.gaps = LongestGaps(stretch.gaps.spans.map(mapped))
            other.shortBreaks = stretch.shortBreaks.map(mapped)
            return other
        }
        var other = self
        other.sessions = sessions.map(mapped)
        other.laps = laps.map(mapped)
        other.lengths = lengths.map(mapped)
        for index in timerEvents.indices { other.timerEvents[index].seconds = map(timerEvents[index].seconds) }
        other.samples = samples.map(mapped)
        other.gaps = LongestGaps(gaps.spans.map(mapped))
        other.breaks = breaks.map(mapped)
        return other
    }
}

struct TimeSpan: Equatable, Sendable {
    var start: Double
    var end: Double
    var seconds: Double { end - start }
}

/// The longest times without a sample, in order of time. Shorter ones than 5 s are none, and no more than 32 are kept.
struct LongestGaps: Sendable {
    static let leastInSeconds = 5.0
    static let dayInSeconds = 86_400.0
    private static let most = 32

    private(set) var spans: [TimeSpan] = []

    init() {}

    init(_ spans: [TimeSpan]) { for span in spans { add(span) } }

    mutating func add(_ gap: TimeSpan) {
        guard gap.seconds >= Self.leastInSeconds else { return }
        if spans.count == Self.most {
            guard let least = spans.indices.min(by: { spans[$0].seconds < spans[$1].seconds }),
                spans[least].seconds < gap.seconds
            else { return }
            spans.remove(at: least)
        }
        spans.append(gap)
    }

    /// Pauses that explain why so many seconds are missing: the gap that is as long, or else the longest gaps, until 2 s or less are
    /// left. None if the gaps cannot explain nine tenths, since what states the missing time is then wrong about it.
    func pauses(explaining missing: Double) -> [TimeSpan] {
        let all = spans.reduce(0) { $0 + $1.seconds }
        guard missing > Self.toleranceInSeconds, all >= missing * 0.9 else { return [] }
        let nearest = spans.min { abs($0.seconds - missing) < abs($1.seconds - missing) }
        if let nearest, abs(nearest.seconds - missing) <= Self.roundingInSeconds {
            return [TimeSpan(start: nearest.start, end: min(nearest.end, nearest.start + missing))]
        }
        var rest = missing
        var pauses: [TimeSpan] = []
        for gap in spans.sorted(by: { $0.seconds > $1.seconds }) where rest > Self.toleranceInSeconds {
            let seconds = min(gap.seconds, rest)
            pauses.append(TimeSpan(start: gap.start, end: gap.start + seconds))
            rest -= seconds
        }
        return pauses.sorted { $0.start < $1.start }
    }

    private static let toleranceInSeconds = 2.0
    private static let roundingInSeconds = 1.0
}
