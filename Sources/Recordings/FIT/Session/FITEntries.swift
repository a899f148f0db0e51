import Foundation

/// The entries of an activity, made as its file is read again: its records and RR intervals, and what is beside them, merged in
/// order of time, and of their places in the file where times are equal.
struct FITEntries {
    private let plan: FITPlan
    private let source: RecordingSource
    private var opened = 0
    /// Nil until what the log begins with was handed out.
    private var moments: FITOrderedMoments?
    /// The next one, and its place in the log.
    private var upcoming: FITMoment?
    private var place: FITStillness.Place = (0, 0)
    private var isOver = false
    private var hasEnded = false
    private var item = 0
    private var part = 0
    private var readings: FITReadings
    private var distance = FITDistance()
    /// Until then records are in their own places.
    private var calmEnd = -Double.infinity

    init(_ plan: FITPlan, _ source: RecordingSource) {
        self.plan = plan
        self.source = source
        readings = FITReadings(
            heartRateSensor: plan.heartRateSensor, start: FITClock.date(plan.timeline.start))
        beginPart()
    }

    /// Nil at the end.
    mutating func next() throws(RecordingError) -> SessionEntry? {
        while true {
            if let entry = readings.next() { return entry }
            if opened < plan.opening.count {
                opened += 1
                return plan.opening[opened - 1]
            }
            if upcoming == nil, !isOver { try advance() }
            if let next = takeItem() { return next }
            guard let moment = upcoming else {
                if hasEnded { return nil }
                hasEnded = true
                return SessionEntry(FITClock.date(plan.timeline.end), .state(.stopped))
            }
            upcoming = nil
            switch moment {
            case .record(let record): take(record)
            case .beats(let beats): return entry(beats)
            }
        }
    }

    /// What comes before the next moment. Of one place a record goes first, and RR intervals last.
    private mutating func takeItem() -> SessionEntry? {
        guard item < plan.items.count else { return nil }
        switch upcoming {
        case .record: if plan.items[item].place >= place { return nil }
        case .beats: if plan.items[item].place > place { return nil }
        case nil: break
        }
        item += 1
        return SessionEntry(FITClock.date(plan.items[item - 1].place.seconds), plan.items[item - 1].content)
    }

    private mutating func advance() throws(RecordingError) {
        if moments == nil {
            moments = FITOrderedMoments(
                try FITMoments(source, plan.extent, clock: plan.clock, memory: plan.memory), late: plan.late)
        }
        upcoming = try moments?.next()
        guard let upcoming else {
            isOver = true
            if let moments, moments.records < plan.records {
                throw .invalid(
                    path: source.path, byte: moments.position, reason: "the file became shorter while it was read")
            }
            return
        }
        let (time, sequence) = upcoming.place
        var seconds = plan.clock.seconds(time)
        if case .beats = upcoming { seconds = plan.timeline.clamped(seconds ?? plan.timeline.start) }
        let own = seconds ?? plan.timeline.start
        place = own < calmEnd ? (own, sequence) : plan.stillness.place(own, sequence)
    }

    private mutating func take(_ record: FITRecord) {
        let seconds = plan.clock.seconds(record.time) ?? plan.timeline.start
        if part + 1 < plan.parts.count, plan.parts[part + 1].start <= seconds {
            let next = plan.part(at: seconds, from: part)
            while part < next {
                part += 1
                beginPart()
            }
        }
        if seconds >= calmEnd {
            if let start = plan.stillness.runningSince(seconds, record.sequence) {
                readings.resume(at: FITClock.date(start))
            }
            calmEnd = plan.stillness.calmEnd(seconds, record.sequence)
        }
        var counted = record
        if record.distance != FITRecord.none { counted.distance = distance.add(record.distance) }
        readings.take(counted, at: FITClock.date(seconds), place: FITClock.date(place.seconds))
    }

    private mutating func beginPart() {
        readings.begin(plan.parts[part].activity.activity)
        distance.begin(plan.parts[part].distance)
    }

    private func entry(_ beats: FITBeats) -> SessionEntry? {
        let intervals = moments?.intervals(of: beats) ?? []
        return SessionEntry(
            FITClock.date(place.seconds),
            .beats(
                BeatReading(intervalsInMilliseconds: intervals.map(Double.init), sensor: plan.heartRateSensor)))
    }
}
