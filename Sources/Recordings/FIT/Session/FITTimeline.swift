/// When a workout started, stood still and ended, in seconds on FIT's scale: by the events of its timer.
struct FITTimeline: Equatable, Sendable {
    struct Pause: Equatable, Sendable {
        var start: Double
        /// Nil when the timer never went on again.
        var end: Double?
        /// Places in the file of the events that began and ended it.
        var startSequence: UInt32
        var endSequence: UInt32
    }

    var start: Double
    var end: Double
    var pauses: [Pause] = []

    /// Rules, in order:
    /// - The start is the first start event; if a stop comes before any start, the start of the first session (or lap).
    ///   Without events it is that of the first session, lap or length. No record comes before it.
    /// - Between a stop and the next start is a pause. Stops while stopped, and starts while running, change nothing.
    /// - The end is the stop that no start follows; records that the device wrote while it saved, in the minute after it,
    ///   do not move it, but if one comes later, that stop begins a pause up to it. Without such a stop the end is the
    ///   last record; without events at all that of the last session, lap or length.
    ///
    /// Nil when nothing in the file has a time.
    init?(_ activity: FITActivity, clock: FITClock, firstRecord: Double?, lastRecord: Double?) {
        let events = activity.events
            .compactMap { event in clock.seconds(event.time).map { (event, $0) } }
            .sorted { ($0.1, $0.0.sequence) < ($1.1, $1.0.sequence) }
        let spans = Self.spans(of: activity, clock: clock)
        let spansStart = spans.map(\.start).min()

        var start = spansStart ?? firstRecord
        if let first = events.first, first.0.isStart { start = first.1 }
        guard var start = start ?? events.first?.1 else { return nil }
        start = min(start, firstRecord ?? start)

        var stopped: (seconds: Double, sequence: UInt32)?
        for (event, seconds) in events {
            if event.isStart, let stop = stopped {
                pauses.append(
                    Pause(start: stop.seconds, end: seconds, startSequence: stop.sequence, endSequence: event.sequence))
                stopped = nil
            } else if !event.isStart, stopped == nil {
                stopped = (max(seconds, start), event.sequence)
            }
        }
        if let stopped {
            end = stopped.seconds
            if let lastRecord, lastRecord > stopped.seconds + Self.savingInSeconds {
                end = lastRecord
                pauses.append(
                    Pause(start: stopped.seconds, end: nil, startSequence: stopped.sequence, endSequence: .max))
            }
        } else if !events.isEmpty, let lastRecord {
            end = max(lastRecord, events.last?.1 ?? lastRecord)
        } else {
            end = max(spans.map(\.end).max() ?? start, lastRecord ?? start, events.last?.1 ?? start)
        }
        self.start = start
        end = max(start, end)
    }

    /// Nothing is dated before the start or after the end.
    func clamped(_ seconds: Double) -> Double { min(max(seconds, start), end) }

    private static let savingInSeconds = 60.0

    /// Start and end of what has both: sessions, or laps, or lengths.
    private static func spans(of activity: FITActivity, clock: FITClock) -> [(start: Double, end: Double)] {
        func span(_ start: UInt32?, _ end: UInt32?, _ elapsed: Double?) -> (start: Double, end: Double)? {
            guard let start = start.flatMap(clock.seconds) else { return nil }
            return (start, elapsed.map { start + $0 } ?? end.flatMap(clock.seconds) ?? start)
        }
        let sessions = activity.sessions.compactMap { span($0.start, $0.end, $0.elapsedInSeconds) }
        if !sessions.isEmpty { return sessions }
        let laps = activity.laps.compactMap { span($0.start, $0.end, $0.elapsedInSeconds) }
        if !laps.isEmpty { return laps }
        return activity.lengths.compactMap { span($0.start, $0.end, $0.elapsedInSeconds) }
    }
}
