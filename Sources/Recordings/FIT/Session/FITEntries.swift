import Foundation

/// An activity as the entries of a session log, laid out as they are asked for: one pass over the records, in which
/// everything else is merged at its time, and at its place in the file where times are equal.
struct FITEntries: Sequence, Sendable {
    /// Something beside the records, and its place in the log.
    private struct Item {
        var place: FITStillness.Place
        var content: Content

        enum Content {
            /// An index of `contents`.
            case entry(Int32)
            /// An index of the activity's beats.
            case beats(Int32)
        }
    }

    /// A part of the activity, from `start` to the next part's.
    private struct Part {
        var start: Double
        var activity: ActivityDescription
        var distanceInCentimeters: UInt32?
    }

    private let activity: FITActivity
    private let clock: FITClock
    private let timeline: FITTimeline
    private let stillness: FITStillness
    private let parts: [Part]
    private var items: [Item] = []
    private var contents: [SessionEntry.Content] = []

    /// The records of `activity` are in order and have usable times.
    init(_ activity: FITActivity, clock: FITClock, timeline: FITTimeline, beatTimes: [Double?]) {
        self.clock = clock
        self.timeline = timeline
        stillness = FITStillness(timeline)
        let hasPositions = activity.records.contains { $0.hasPosition }
        func describe(_ sport: UInt8?, _ subSport: UInt8?, _ poolLength: Double?) -> ActivityDescription {
            FITSport.description(
                sport: sport, subSport: subSport, poolLengthInMeters: poolLength, hasPositions: hasPositions)
        }
        var parts = activity.sessions.compactMap { session -> Part? in
            guard let start = session.start.flatMap(clock.seconds) else { return nil }
            let isSilent = session.sport == nil && activity.sessions.count == 1
            return Part(
                start: Swift.min(Swift.max(start, timeline.start), timeline.end),
                activity: describe(
                    isSilent ? activity.sport : session.sport, isSilent ? activity.subSport : session.subSport,
                    session.poolLengthInMeters),
                distanceInCentimeters: session.distanceInCentimeters)
        }
        if parts.isEmpty {
            let session = activity.sessions.first
            let sport = session?.sport ?? activity.sport
            let subSport = session?.subSport ?? activity.subSport
            parts = [
                Part(
                    start: timeline.start, activity: describe(sport, subSport, session?.poolLengthInMeters),
                    distanceInCentimeters: session?.distanceInCentimeters)
            ]
        }
        parts.sort { $0.start < $1.start }
        parts[0].start = timeline.start
        self.parts = parts
        self.activity = Self.settlingDistance(of: activity, parts, clock)
        addItems(beatTimes)
    }

    private static func settlingDistance(of activity: FITActivity, _ parts: [Part], _ clock: FITClock) -> FITActivity {
        var activity = activity
        var ranges: [FITDistance.Part] = []
        var first = 0
        for index in parts.indices {
            var end = activity.records.count
            if index + 1 < parts.count {
                end = first
                while end < activity.records.count,
                    (clock.seconds(activity.records[end].time) ?? 0) < parts[index + 1].start
                { end += 1 }
            }
            ranges.append(
                FITDistance.Part(records: first..<end, totalInCentimeters: parts[index].distanceInCentimeters))
            first = end
        }
        FITDistance.settle(&activity.records, parts: ranges, before: activity.distanceBefore)
        return activity
    }

    func makeIterator() -> Iterator { Iterator(self) }

    struct Iterator: IteratorProtocol {
        private let entries: FITEntries
        /// Made, and not yet handed out.
        private var ready: [SessionEntry]
        private var handedOut = 0
        private var record = 0
        private var item = 0
        private var part = 0
        private var readings: FITReadings
        private var hasEnded = false

        fileprivate init(_ entries: FITEntries) {
            self.entries = entries
            let start = FITClock.date(entries.timeline.start)
            let first = entries.parts[0].activity
            ready = entries.opening(start)
            readings = FITReadings(
                activity: first.activity, heartRateSensor: entries.activity.devices.heartRateSensor, start: start)
        }

        mutating func next() -> SessionEntry? {
            while handedOut == ready.count {
                ready.removeAll(keepingCapacity: true)
                handedOut = 0
                guard makeMore() else { return nil }
            }
            defer { handedOut += 1 }
            return ready[handedOut]
        }

        /// The entries of the next record or item; false at the end.
        private mutating func makeMore() -> Bool {
            let records = entries.activity.records
            guard record < records.count else {
                if item < entries.items.count {
                    takeItem()
                } else if !hasEnded {
                    ready.append(SessionEntry(FITClock.date(entries.timeline.end), .state(.stopped)))
                    hasEnded = true
                } else {
                    return false
                }
                return true
            }
            guard let seconds = entries.clock.seconds(records[record].time) else {
                record += 1
                return true
            }
            let place = entries.stillness.place(seconds, records[record].sequence)
            if item < entries.items.count, entries.items[item].place < place {
                takeItem()
                return true
            }
            while part + 1 < entries.parts.count, entries.parts[part + 1].start <= seconds {
                part += 1
                readings.begin(entries.parts[part].activity.activity)
            }
            if let start = entries.stillness.runningSince(seconds, records[record].sequence) {
                readings.resume(at: FITClock.date(start))
            }
            readings.append(records[record], at: FITClock.date(seconds), to: &ready)
            if place.seconds != seconds {
                for index in ready.indices { ready[index].date = FITClock.date(place.seconds) }
            }
            record += 1
            return true
        }

        private mutating func takeItem() {
            let next = entries.items[item]
            item += 1
            let content: SessionEntry.Content
            switch next.content {
            case .entry(let index):
                content = entries.contents[Int(index)]
            case .beats(let index):
                let activity = entries.activity
                let intervals = activity.intervalsInMilliseconds[activity.beats[Int(index)].intervals]
                content = .beats(
                    BeatReading(
                        intervalsInMilliseconds: intervals.map(Double.init),
                        sensor: activity.devices.heartRateSensor))
            }
            ready.append(SessionEntry(FITClock.date(next.place.seconds), content))
        }
    }

    private func opening(_ start: Date) -> [SessionEntry] {
        let whole = parts.count == 1 ? parts[0].activity : FITSport.whole(of: parts.map(\.activity))
        return [
            SessionEntry(start, .header(SessionHeader(id: identifier(0), activity: whole))),
            SessionEntry(start, .state(.running)),
        ] + activity.devices.sensors.map { SessionEntry(start, .sensor($0)) }
    }

    // MARK: What is beside the records

    private mutating func addItems(_ beatTimes: [Double?]) {
        for pause in timeline.pauses {
            add(pause.start, pause.startSequence, .state(.paused))
            if let end = pause.end { add(end, pause.endSequence, .state(.running)) }
        }
        if parts.count > 1 {
            // Before the records of the same second, although session messages come last in a file.
            for (index, part) in parts.enumerated() {
                let id = identifier(UInt64(index) + 1)
                add(part.start, 0, .activityBegan(ActivityRecord(id: id, activity: part.activity)))
            }
        }
        addLaps()
        addLengths()
        for (index, seconds) in beatTimes.enumerated() {
            let beats = activity.beats[index]
            items.append(
                Item(
                    place: stillness.place(clamped(seconds ?? timeline.start), beats.sequence),
                    content: .beats(Int32(index))))
        }
        let order = items.indices.sorted {
            let (a, b) = (items[$0].place, items[$1].place)
            return (a.seconds, a.sequence, $0) < (b.seconds, b.sequence, $1)
        }
        items = order.map { items[$0] }
    }

    /// Nothing is dated before the start or after the end.
    private mutating func add(_ seconds: Double, _ sequence: UInt32, _ content: SessionEntry.Content) {
        items.append(Item(place: (clamped(seconds), sequence), content: .entry(Int32(contents.count))))
        contents.append(content)
    }

    private func clamped(_ seconds: Double) -> Double {
        Swift.min(Swift.max(seconds, timeline.start), timeline.end)
    }

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

    private mutating func addLaps() {
        var previous = timeline.start
        for lap in activity.laps {
            guard let interval = interval(lap.start, lap.end, lap.elapsedInSeconds, from: previous) else { continue }
            previous = interval.end
            let event = EventRecord(.lap, start: FITClock.date(interval.start), end: FITClock.date(interval.end))
            add(interval.end, lap.sequence, .event(event))
        }
    }

    private mutating func addLengths() {
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
            let running = stillness.runningSince(interval.end, length.sequence).map(FITClock.date)
            func addReading(_ type: String, _ value: Double, _ unit: String) {
                let reading = QuantityReading(
                    type, value, unit: unit, start: running.map { Swift.max($0, start) } ?? start, end: end,
                    sensor: FITDevices.recorder)
                let place = stillness.place(interval.end, length.sequence)
                self.add(place.seconds, place.sequence, .quantity(reading))
            }
            if length.isActive {
                if let pool, !recordsTellDistance { addReading("distanceSwimming", pool, "m") }
                if let strokes = length.strokes, strokes > 0 {
                    addReading("swimmingStrokeCount", Double(strokes), "count")
                }
            }
            var metadata: [String: MetadataValue] = [:]
            if length.isActive, let stroke = length.stroke.flatMap(Self.strokeStyle) {
                metadata["HKSwimmingStrokeStyle"] = .number(stroke)
            }
            let event = EventRecord(.segment, start: start, end: end, metadata: metadata)
            add(interval.end, length.sequence, .event(event))
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

    /// The same for the same file, so that reading it twice gives equal recordings.
    private func identifier(_ part: UInt64) -> UUID {
        UUID(naming: [
            part, UInt64(activity.devices.serialNumber ?? 0), UInt64(activity.timeCreated ?? 0),
            timeline.start.bitPattern, timeline.end.bitPattern, UInt64(activity.records.count),
            UInt64(activity.laps.count),
        ])
    }
}
