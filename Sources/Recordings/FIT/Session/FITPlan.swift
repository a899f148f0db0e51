import Foundation

/// How an activity is laid out as a workout: what its entries are made with when the file is read again.
struct FITPlan: Sendable {
    /// Something beside the records and RR intervals, and its place in the log.
    struct Item: Sendable {
        var place: FITStillness.Place
        var content: SessionEntry.Content
    }

    /// A part of the activity, from `start` to the next part's.
    struct Part: Sendable {
        var start: Double
        var activity: ActivityDescription
        var distanceInCentimeters: UInt32?
        var kilocalories: UInt16?
        /// How the device's count of the distance goes in it.
        var distance: [CountedDistance.Piece] = []
    }

    let extent: FITExtent
    let clock: FITClock
    let memory: FITHeartRateMemory
    let timeline: FITTimeline
    let stillness: FITStillness
    /// How many records with a time of the activity there are, and those of them that step back in time, in order.
    let records: Int
    let late: [FITRecord]
    let heartRateSensor: String
    private(set) var parts: [Part]
    /// In the order of their places.
    private(set) var items: [Item] = []
    /// What the log begins with.
    private(set) var opening: [SessionEntry] = []

    /// - Parameter records: Those with usable times.
    init(_ activity: FITActivity, _ records: FITRecordSurvey, clock: FITClock, timeline: FITTimeline) {
        extent = activity.extent
        self.clock = clock
        memory = activity.memory
        self.timeline = timeline
        stillness = FITStillness(timeline)
        self.records = records.count
        late = records.late
        heartRateSensor = activity.devices.heartRateSensor
        parts = Self.parts(of: activity, hasPositions: records.hasPositions, clock, timeline)
        let identifier = Identifier(activity, records, timeline)
        addOpening(activity, identifier)
        addItems(activity, records, identifier)
    }

    private static func parts(
        of activity: FITActivity, hasPositions: Bool, _ clock: FITClock, _ timeline: FITTimeline
    ) -> [Part] {
        func describe(_ sport: UInt8?, _ subSport: UInt8?, _ poolLength: Double?) -> ActivityDescription {
            FITSport.description(
                sport: sport, subSport: subSport, poolLengthInMeters: poolLength, hasPositions: hasPositions)
        }
        var parts = activity.sessions.compactMap { session -> Part? in
            guard let start = session.start.flatMap(clock.seconds) else { return nil }
            let isSilent = session.sport == nil && activity.sessions.count == 1
            return Part(
                start: timeline.clamped(start),
                activity: describe(
                    isSilent ? activity.sport : session.sport, isSilent ? activity.subSport : session.subSport,
                    session.poolLengthInMeters),
                distanceInCentimeters: session.distanceInCentimeters, kilocalories: session.kilocalories)
        }
        if parts.isEmpty {
            let session = activity.sessions.first
            let sport = session?.sport ?? activity.sport
            let subSport = session?.subSport ?? activity.subSport
            parts = [
                Part(
                    start: timeline.start, activity: describe(sport, subSport, session?.poolLengthInMeters),
                    distanceInCentimeters: session?.distanceInCentimeters, kilocalories: session?.kilocalories)
            ]
        }
        parts.sort { $0.start < $1.start }
        parts[0].start = timeline.start
        return parts
    }

    private mutating func addOpening(_ activity: FITActivity, _ identifier: Identifier) {
        let start = FITClock.date(timeline.start)
        let whole = parts.count == 1 ? parts[0].activity : ActivityDescription.whole(of: parts.map(\.activity))
        opening =
            [
                SessionEntry(start, .header(SessionHeader(id: identifier.of(part: 0), activity: whole))),
                SessionEntry(start, .state(.running)),
            ] + activity.devices.sensors.map { SessionEntry(start, .sensor($0)) }
    }

    // MARK: Distance

    /// How the device counts the distance in each part.
    ///
    /// - Parameters:
    ///   - first: Its count when the activity began.
    ///   - records: What was looked over.
    mutating func countDistance(
        from first: UInt32, _ records: FITRecordSurvey, _ source: RecordingSource
    ) throws(RecordingError) {
        var surveys = [records.distance]
        if parts.count > 1 || !late.isEmpty { surveys = try surveyDistances(source) }
        var before = Double(first)
        for index in parts.indices {
            let total = parts[index].distanceInCentimeters.map { Double($0) }
            parts[index].distance = surveys[index].finish(total: total, before: &before)
        }
    }

    /// The counts of each part in order of time.
    private func surveyDistances(_ source: RecordingSource) throws(RecordingError) -> [CountedDistanceSurvey] {
        var surveys = parts.map { _ in CountedDistanceSurvey(scale: 100) }
        var part = 0
        var moments = FITOrderedMoments(try FITMoments(source, extent, clock: clock, memory: memory), late: late)
        while let moment = try moments.next() {
            guard case .record(let record) = moment else { continue }
            part = self.part(at: clock.seconds(record.time) ?? 0, from: part)
            if record.distance != FITRecord.none { surveys[part].add(Double(record.distance)) }
        }
        return surveys
    }

    /// The part at a time that is not before that part.
    func part(at seconds: Double, from part: Int) -> Int {
        var part = part
        while part + 1 < parts.count, parts[part + 1].start <= seconds { part += 1 }
        return part
    }

    // MARK: What is beside the records

    private mutating func addItems(_ activity: FITActivity, _ records: FITRecordSurvey, _ identifier: Identifier) {
        for pause in timeline.pauses {
            add(pause.start, pause.startSequence, .state(.paused))
            if let end = pause.end { add(end, pause.endSequence, .state(.running)) }
        }
        addEnergy(activity.laps)
        addOwnReadings(activity.own)
        if parts.count > 1 {
            // Before the records of the same second, although session messages come last in a file.
            for (index, part) in parts.enumerated() {
                let id = identifier.of(part: UInt64(index) + 1)
                add(part.start, 0, .activityBegan(ActivityRecord(id: id, activity: part.activity)))
            }
        }
        addLaps(activity.laps)
        addLengths(activity.lengths, recordsTellDistance: records.firstDistance != nil)
        let order = items.indices.sorted {
            let (a, b) = (items[$0].place, items[$1].place)
            return (a.seconds, a.sequence, $0) < (b.seconds, b.sequence, $1)
        }
        items = order.map { items[$0] }
    }

    /// What the sessions say, or the laps where no session does. Devices count none in pauses.
    private mutating func addEnergy(_ laps: [FITActivity.Lap]) {
        var pauses = SessionPauses()
        for pause in timeline.pauses {
            pauses.begin(at: FITClock.date(pause.start))
            if let end = pause.end { pauses.end(at: FITClock.date(end)) }
        }
        func add(_ kilocalories: UInt16?, _ start: Double, _ end: Double) {
            guard let kilocalories, kilocalories > 0 else { return }
            let readings = pauses.readings(
                ofTotal: Double(kilocalories), "activeEnergyBurned", unit: "kcal", from: FITClock.date(start),
                to: FITClock.date(end), sensor: FITDevices.recorder)
            for reading in readings {
                // Ahead of the pause that begins at its end.
                self.add(reading.end.timeIntervalSince1970 - FITClock.epoch, 0, .quantity(reading))
            }
        }
        if parts.contains(where: { $0.kilocalories ?? 0 > 0 }) {
            for (index, part) in parts.enumerated() {
                add(part.kilocalories, part.start, index + 1 < parts.count ? parts[index + 1].start : timeline.end)
            }
            return
        }
        var previous = timeline.start
        for lap in laps {
            guard let interval = interval(lap.start, lap.end, lap.elapsedInSeconds, from: previous) else { continue }
            previous = interval.end
            add(lap.kilocalories, interval.start, interval.end)
        }
    }

    private mutating func addOwnReadings(_ own: FITOwnReadings) {
        var latest: [String: Double] = [:]
        for value in own.values {
            guard let seconds = clock.seconds(value.time) else { continue }
            var start = seconds
            if QuantityReading.addsUp(value.type) {
                let running = stillness.runningSince(seconds, value.sequence) ?? timeline.start
                start = min(seconds, max(latest[value.type] ?? timeline.start, running))
                latest[value.type] = seconds
            }
            let reading = QuantityReading(
                value.type, value.value, unit: value.unit, start: FITClock.date(start), end: FITClock.date(seconds),
                sensor: FITDevices.recorder)
            let place = stillness.place(seconds, value.sequence)
            add(place.seconds, place.sequence, .quantity(reading))
        }
    }

    private mutating func add(_ seconds: Double, _ sequence: UInt32, _ content: SessionEntry.Content) {
        items.append(Item(place: (timeline.clamped(seconds), sequence), content: content))
    }

    /// A lap ends after its elapsed time or when its message was written, whichever is first: devices write the message
    /// late, and some count the rest before the next lap in.
    private func interval(
        _ start: UInt32?, _ end: UInt32?, _ elapsed: Double?, from previous: Double
    ) -> (start: Double, end: Double)? {
        let stated = start.flatMap(clock.seconds)
        let written = end.flatMap(clock.seconds)
        guard stated != nil || written != nil else { return nil }
        let start = timeline.clamped(stated ?? previous)
        let ends = [elapsed.map { start + $0 }, written].compactMap { $0 }.filter { $0 >= start }
        return (start, timeline.clamped(ends.min() ?? start))
    }

    private mutating func addLaps(_ laps: [FITActivity.Lap]) {
        var previous = timeline.start
        for lap in laps {
            guard let interval = interval(lap.start, lap.end, lap.elapsedInSeconds, from: previous) else { continue }
            previous = interval.end
            let event = EventRecord(.lap, start: FITClock.date(interval.start), end: FITClock.date(interval.end))
            add(interval.end, lap.sequence, .event(event))
        }
    }

    private mutating func addLengths(_ lengths: [FITActivity.Length], recordsTellDistance: Bool) {
        let pool = parts.lazy.compactMap(\.activity.lapLengthInMeters).first
        var previous = timeline.start
        for length in lengths {
            guard
                let interval = interval(length.start, length.end, length.elapsedInSeconds, from: previous)
            else { continue }
            previous = interval.end
            let start = FITClock.date(interval.start)
            let end = FITClock.date(interval.end)
            let running = stillness.runningSince(interval.end, length.sequence).map(FITClock.date)
            func addReading(_ type: String, _ value: Double, _ unit: String) {
                let reading = QuantityReading(
                    type, value, unit: unit, start: running.map { max($0, start) } ?? start, end: end,
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
    private struct Identifier {
        private let names: [UInt64]

        init(_ activity: FITActivity, _ records: FITRecordSurvey, _ timeline: FITTimeline) {
            names = [
                UInt64(activity.devices.serialNumber ?? 0), UInt64(activity.timeCreated ?? 0),
                timeline.start.bitPattern, timeline.end.bitPattern, UInt64(records.count), UInt64(activity.laps.count),
            ]
        }

        func of(part: UInt64) -> UUID { UUID(naming: [part] + names) }
    }
}
