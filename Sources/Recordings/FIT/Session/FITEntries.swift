import Foundation
import SessionLog

/// The entries of an activity, made while its file is read again. Records and RR intervals are merged with all other
/// items in order of time, and in the order of the file if times are equal.
struct FITEntries: EntrySource {
    private let plan: FITPlan
    private let source: RecordingSource
    private var hasOpened = false
    /// Nil until the opening entries were handed out.
    private var moments: FITOrderedMoments?
    private var hasEnded = false
    private var item = 0
    private var part = 0
    private var readings: FITReadings
    private var distance = FITDistance()
    /// Before this time every record keeps its own place.
    private var calmEnd = -Double.infinity

    init(_ plan: FITPlan, _ source: RecordingSource) {
        self.plan = plan
        self.source = source
        readings = FITReadings(
            heartRateSensor: plan.heartRateSensor, start: FITClock.date(plan.times.start))
        beginPart()
    }

    mutating func read(into entries: EntryBuffer) throws(RecordingError) {
        guard hasOpened else {
            hasOpened = true
            for entry in plan.opening { entries.append(entry) }
            return
        }
        while !entries.isFull, !hasEnded {
            switch try nextMoment() {
            case .record(let record): take(record, entries)
            case .beats(let beats): take(beats, entries)
            case .developer(let value): take(value, entries)
            case nil:
                appendItems(to: entries) { _ in true }
                entries.append(SessionEntry(FITClock.date(plan.times.end), .state(.stopped)))
                hasEnded = true
            }
        }
    }

    private mutating func nextMoment() throws(RecordingError) -> FITMoment? {
        if moments == nil {
            moments = FITOrderedMoments(
                try FITMoments(source, plan.extent, clock: plan.clock, memory: plan.memory), late: plan.late)
        }
        if let moment = try moments?.next() { return moment }
        if let moments, moments.records < plan.records {
            throw .invalid(
                path: source.path, byte: moments.position, reason: "the file became shorter while it was read")
        }
        return nil
    }

    /// Appends the items that come next. At equal places a record comes before an item, and RR intervals come after it.
    @inline(__always)
    private mutating func appendItems(to entries: EntryBuffer, while isNext: (FITStillness.Place) -> Bool) {
        while item < plan.items.count, isNext(plan.items[item].place) {
            let next = plan.items[item]
            item += 1
            entries.append(SessionEntry(FITClock.date(next.place.seconds), next.content))
        }
    }

    private mutating func take(_ record: FITRecord, _ entries: EntryBuffer) {
        let seconds = plan.clock.seconds(record.time) ?? plan.times.start
        let place = seconds < calmEnd ? (seconds, record.sequence) : plan.stillness.place(seconds, record.sequence)
        appendItems(to: entries) { $0 < place }
        if part + 1 < plan.parts.count, plan.parts[part + 1].start <= seconds {
            let next = plan.part(at: seconds, record.sequence, from: part)
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
        readings.append(counted, at: FITClock.date(seconds), place: FITClock.date(place.0), to: entries)
    }

    /// Adds the value of a developer field, just after its record.
    private mutating func take(_ value: FITDeveloperValue, _ entries: EntryBuffer) {
        let seconds = plan.clock.seconds(value.time) ?? plan.times.start
        let place = seconds < calmEnd ? (seconds, value.sequence) : plan.stillness.place(seconds, value.sequence)
        readings.append(
            value, of: moments?.developerFields ?? [], at: FITClock.date(seconds), place: FITClock.date(place.0),
            to: entries)
    }

    private mutating func take(_ beats: FITBeats, _ entries: EntryBuffer) {
        let seconds = plan.times.clamped(plan.clock.seconds(beats.time) ?? plan.times.start)
        let place = seconds < calmEnd ? (seconds, beats.sequence) : plan.stillness.place(seconds, beats.sequence)
        appendItems(to: entries) { $0 <= place }
        let intervals = moments?.intervals(of: beats) ?? []
        let reading = BeatReading(intervalsInMilliseconds: intervals.map(Double.init), sensor: plan.heartRateSensor)
        entries.append(SessionEntry(FITClock.date(place.0), .beats(reading)))
    }

    private mutating func beginPart() {
        let part = plan.parts[part]
        readings.begin(
            part.activity.activity, at: FITClock.date(part.start), isDistanceOfPositions: part.isDistanceOfPositions)
        distance.begin(part.distance)
    }
}

/// Converts the distance that a FIT device counts to the distance since the start in cm; see ``CountedDistance``.
struct FITDistance {
    private var counted = CountedDistance([])
    /// The distance in the current part, and in the parts before.
    private var added = 0.0
    private var before = 0.0

    /// Begins a part of the workout, in which `pieces` describe the count.
    mutating func begin(_ pieces: [CountedDistance.Piece]) {
        before += added
        added = 0
        counted = CountedDistance(pieces)
    }

    mutating func add(_ count: UInt32) -> UInt32 {
        added = counted.add(Double(count))
        return UInt32(min(before + added, Double(FITRecord.none - 1)))
    }
}
