import Foundation

/// Lays out an activity as the entries of a session log: one pass over the records, in which everything else is merged at
/// its time, and at its place in the file where times are equal.
struct FITEntries {
    private struct Item {
        var seconds: Double
        var sequence: UInt32
        var content: SessionEntry.Content
    }

    /// A part of the activity, from `start` to the next part's.
    private struct Part {
        var start: Double
        var activity: ActivityDescription
    }

    private let activity: FITActivity
    private let clock: FITClock
    private let timeline: FITTimeline
    private let beatTimes: [Double?]
    private let parts: [Part]

    /// The records of `activity` are in order and have usable times.
    init(_ activity: FITActivity, clock: FITClock, timeline: FITTimeline, beatTimes: [Double?]) {
        self.activity = activity
        self.clock = clock
        self.timeline = timeline
        self.beatTimes = beatTimes
        let hasPositions = activity.records.contains { $0.hasPosition }
        func describe(_ sport: UInt8?, _ subSport: UInt8?, _ poolLength: Double?) -> ActivityDescription {
            FITSport.description(
                sport: sport, subSport: subSport, poolLengthInMeters: poolLength, hasPositions: hasPositions)
        }
        var parts = activity.sessions.compactMap { session -> Part? in
            guard let start = session.start.flatMap(clock.seconds) else { return nil }
            let isSilent = session.sport == nil && activity.sessions.count == 1
            return Part(
                start: min(max(start, timeline.start), timeline.end),
                activity: describe(
                    isSilent ? activity.sport : session.sport, isSilent ? activity.subSport : session.subSport,
                    session.poolLengthInMeters))
        }
        if parts.isEmpty {
            let session = activity.sessions.first
            let sport = session?.sport ?? activity.sport
            let subSport = session?.subSport ?? activity.subSport
            parts = [
                Part(start: timeline.start, activity: describe(sport, subSport, session?.poolLengthInMeters))
            ]
        }
        parts.sort { $0.start < $1.start }
        parts[0].start = timeline.start
        self.parts = parts
    }

    func entries() -> [SessionEntry] {
        let items = items().sorted { ($0.seconds, $0.sequence) < ($1.seconds, $1.sequence) }
        let start = FITClock.date(timeline.start)
        var entries: [SessionEntry] = []
        entries.reserveCapacity(items.count + 8 + recordEntryBound)
        let whole = parts.count == 1 ? parts[0].activity : FITSport.whole(of: parts.map(\.activity))
        entries.append(SessionEntry(start, .header(SessionHeader(id: identifier(0), activity: whole))))
        entries.append(SessionEntry(start, .state(.running)))
        for sensor in activity.devices.sensors { entries.append(SessionEntry(start, .sensor(sensor))) }

        var next = 0
        var part = 0
        var readings = FITReadings(
            activity: parts[0].activity.activity, heartRateSensor: activity.devices.heartRateSensor, start: start)
        for record in activity.records {
            guard let seconds = clock.seconds(record.time) else { continue }
            while next < items.count,
                (items[next].seconds, items[next].sequence) < (seconds, record.sequence)
            {
                entries.append(SessionEntry(FITClock.date(items[next].seconds), items[next].content))
                next += 1
            }
            while part + 1 < parts.count, parts[part + 1].start <= seconds {
                part += 1
                readings.begin(parts[part].activity.activity, at: FITClock.date(parts[part].start))
            }
            readings.append(record, at: FITClock.date(seconds), to: &entries)
        }
        for item in items[next...] { entries.append(SessionEntry(FITClock.date(item.seconds), item.content)) }
        entries.append(SessionEntry(FITClock.date(timeline.end), .state(.stopped)))
        return entries
    }

    /// No more entries than this come of the records.
    private var recordEntryBound: Int {
        var most = 0
        for record in activity.records { most = max(most, record.readingCount) }
        return most * activity.records.count
    }

    private func items() -> [Item] {
        var items: [Item] = []
        for pause in timeline.pauses {
            add(&items, pause.start, pause.startSequence, .state(.paused))
            if let end = pause.end { add(&items, end, pause.endSequence, .state(.running)) }
        }
        if parts.count > 1 {
            // Before the records of the same second, although session messages come last in a file.
            for (index, part) in parts.enumerated() {
                let id = identifier(UInt64(index) + 1)
                add(&items, part.start, 0, .activityBegan(ActivityRecord(id: id, activity: part.activity)))
            }
        }
        addLaps(&items)
        addLengths(&items)
        for (beats, seconds) in zip(activity.beats, beatTimes) {
            let intervals = activity.intervalsInMilliseconds[beats.intervals].map(Double.init)
            let reading = BeatReading(
                intervalsInMilliseconds: intervals, sensor: activity.devices.heartRateSensor)
            add(&items, seconds ?? timeline.start, beats.sequence, .beats(reading))
        }
        return items
    }

    /// Nothing is dated before the start or after the end.
    private func add(_ items: inout [Item], _ seconds: Double, _ sequence: UInt32, _ content: SessionEntry.Content) {
        items.append(Item(seconds: clamped(seconds), sequence: sequence, content: content))
    }

    private func clamped(_ seconds: Double) -> Double { min(max(seconds, timeline.start), timeline.end) }

    /// A lap ends after its elapsed time or when its message was written, whichever is first: devices write the message
    /// late, and some count the rest before the next lap in.
    private func interval(
        _ start: UInt32?, _ end: UInt32?, _ elapsed: Double?, from previous: Double
    ) -> (start: Double, end: Double)? {
        let stated = start.flatMap(clock.seconds)
        let written = end.flatMap(clock.seconds)
        guard stated != nil || written != nil else { return nil }
        let start = clamped(stated ?? previous)
        let ends = [elapsed.map { start + $0 }, written].compactMap { $0 }.filter { $0 >= start }
        return (start, clamped(ends.min() ?? start))
    }

    private func addLaps(_ items: inout [Item]) {
        var previous = timeline.start
        for lap in activity.laps {
            guard let interval = interval(lap.start, lap.end, lap.elapsedInSeconds, from: previous) else { continue }
            previous = interval.end
            let event = EventRecord(.lap, start: FITClock.date(interval.start), end: FITClock.date(interval.end))
            add(&items, interval.end, lap.sequence, .event(event))
        }
    }

    private func addLengths(_ items: inout [Item]) {
        let pool = parts.lazy.compactMap(\.activity.lapLengthInMeters).first
        let recordsTellDistance = activity.records.contains { $0.distance != FITRecord.none }
        var previous = timeline.start
        for length in activity.lengths {
            guard
                let interval = interval(length.start, length.end, length.elapsedInSeconds, from: previous)
            else { continue }
            previous = interval.end
            let start = FITClock.date(interval.start)
            let end = FITClock.date(interval.end)
            func add(_ type: String, _ value: Double, _ unit: String) {
                let reading = QuantityReading(
                    type, value, unit: unit, start: start, end: end, sensor: FITDevices.recorder)
                self.add(&items, interval.end, length.sequence, .quantity(reading))
            }
            if length.isActive {
                if let pool, !recordsTellDistance { add("distanceSwimming", pool, "m") }
                if let strokes = length.strokes, strokes > 0 { add("swimmingStrokeCount", Double(strokes), "count") }
            }
            var metadata: [String: MetadataValue] = [:]
            if length.isActive, let stroke = length.stroke.flatMap(Self.strokeStyle) {
                metadata["HKSwimmingStrokeStyle"] = .number(stroke)
            }
            let event = EventRecord(.segment, start: start, end: end, metadata: metadata)
            self.add(&items, interval.end, length.sequence, .event(event))
        }
    }

    /// FIT's `swim_stroke` as `HKSwimmingStrokeStyle`.
    private static func strokeStyle(_ stroke: UInt8) -> Double? {
        switch stroke {
        case 0: 2  // freestyle
        case 1: 3  // backstroke
        case 2: 4  // breaststroke
        case 3: 5  // butterfly
        case 5, 6, 7, 8: 1  // mixed, individual medley
        default: nil
        }
    }

    /// The same for the same file, so that reading it twice gives equal recordings; by FNV-1a.
    private func identifier(_ part: UInt64) -> UUID {
        let facts: [UInt64] = [
            part, UInt64(activity.devices.serialNumber ?? 0), UInt64(activity.timeCreated ?? 0),
            timeline.start.bitPattern, timeline.end.bitPattern, UInt64(activity.records.count),
            UInt64(activity.laps.count),
        ]
        func hash(_ basis: UInt64) -> UInt64 {
            var hash = basis
            for fact in facts {
                for shift in stride(from: UInt64(0), to: 64, by: 8) {
                    hash = (hash ^ (fact >> shift & 0xFF)) &* 0x100_0000_01B3
                }
            }
            return hash
        }
        // Version 8, "custom", and the variant of RFC 9562.
        var high = hash(0xCBF2_9CE4_8422_2325)
        high = (high & 0xFFFF_FFFF_FFFF_0FFF) | 0x8000
        var low = hash(0x8422_2325_CBF2_9CE4)
        low = (low & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
        func byte(_ index: UInt64) -> UInt8 {
            let half = index < 8 ? high : low
            return UInt8(truncatingIfNeeded: half >> (56 - 8 * (index % 8)))
        }
        return UUID(
            uuid: (
                byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7), byte(8), byte(9), byte(10),
                byte(11), byte(12), byte(13), byte(14), byte(15)
            ))
    }
}
