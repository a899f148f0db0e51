import Analytics
import Foundation
import SessionLog

/// The layout of an activity as a workout: all that is needed to make its entries while the file is read again.
struct FITPlan: Sendable {
    /// An entry other than records and RR intervals, with its place in the log.
    struct Item: Sendable {
        var place: FITStillness.Place
        var content: SessionEntry.Content
    }

    /// A part of the activity, from `start` to the start of the next part, or to its own end if nothing was recorded after that.
    struct Part: Sendable {
        var start: Double
        /// The number of the message that ended the part before, if that is among the records: the records before it belong
        /// to that part, even in the second in which this one starts. Otherwise 0, unless the distances tell.
        var sequence: UInt32 = 0
        /// The end that its session states.
        var end: Double?
        var activity: ActivityDescription
        var distanceInCentimeters: UInt32?
        var kilocalories: UInt16?
        /// FIT's own numbers of the sport, if the activity does not imply them.
        var metadata: [String: MetadataValue] = [:]
        /// The pieces of the device's distance count in this part. Empty if it does not count.
        var distance: [CountedDistance.Piece] = []
        /// The end of its distance, which the first count of the next part includes.
        var lastDistance: StatedDistance.Total?
        /// Whether the distance comes from the positions, because the file states none.
        var isDistanceOfPositions = false

        /// The distance that the records give.
        var measuredInMeters: Double {
            distance.reduce(0) { $0 + max(0, $1.last - $1.base) } / 100 + (lastDistance?.meters ?? 0)
        }
    }

    let extent: FITExtent
    let clock: FITClock
    let memory: FITHeartRateMemory
    let times: WorkoutTimes
    let stillness: FITStillness
    /// The number of records with a plausible time, and those of them that step back in time, sorted.
    let records: Int
    let late: [FITRecord]
    let heartRateSensor: String
    private let hasPositions: Bool
    private(set) var parts: [Part]
    /// Decisions against something that the messages state, in words for the user.
    private(set) var notes: [String] = []
    private var pauses = SessionPauses()
    /// The items in the order of their places.
    private(set) var items: [Item] = []
    /// The first entries of the log.
    private(set) var opening: [SessionEntry] = []

    /// - Parameters:
    ///   - records: The records with usable times.
    ///   - stated: What the messages state, in times of the clock.
    init(
        _ activity: FITActivity, _ records: FITRecordSurvey, _ stated: StatedWorkout, _ times: WorkoutTimes,
        clock: FITClock, _ source: RecordingSource
    ) throws(RecordingError) {
        extent = activity.extent
        self.clock = clock
        memory = activity.memory
        self.times = times
        stillness = FITStillness(times)
        self.records = records.count
        late = records.late
        heartRateSensor = activity.devices.heartRateSensor
        hasPositions = records.hasPositions
        parts = Self.parts(of: activity, hasPositions: records.hasPositions, clock, times)
        try countDistance(from: activity.distanceBefore, records, source)
        let identifier = Identifier(activity, records, times)
        addOpening(activity, identifier)
        addItems(activity, stated, identifier)
    }

    private static func parts(
        of activity: FITActivity, hasPositions: Bool, _ clock: FITClock, _ times: WorkoutTimes
    ) -> [Part] {
        func describe(_ sport: UInt8?, _ subSport: UInt8?, _ poolLength: Double?) -> ActivityDescription {
            FITSport.description(
                sport: sport, subSport: subSport, poolLengthInMeters: poolLength, hasPositions: hasPositions)
        }
        var parts = activity.sessions.compactMap { session -> Part? in
            guard let start = session.start.flatMap(clock.seconds) else { return nil }
            let isSilent = session.sport == nil && activity.sessions.count == 1
            let sport = isSilent ? activity.sport : session.sport
            let subSport = isSilent ? activity.subSport : session.subSport
            let description = describe(sport, subSport, session.poolLengthInMeters)
            return Part(
                start: times.clamped(start), end: session.elapsedInSeconds.map { times.clamped(start + $0) },
                activity: description,
                distanceInCentimeters: session.distanceInCentimeters, kilocalories: session.kilocalories,
                metadata: FITSport.metadata(sport: sport, subSport: subSport, of: description).merging(
                    session.developer
                ) { own, _ in own })
        }
        if parts.isEmpty {
            let session = activity.sessions.first
            let sport = session?.sport ?? activity.sport
            let subSport = session?.subSport ?? activity.subSport
            let description = describe(sport, subSport, session?.poolLengthInMeters)
            parts = [
                Part(
                    start: times.start, activity: description,
                    distanceInCentimeters: session?.distanceInCentimeters, kilocalories: session?.kilocalories,
                    metadata: FITSport.metadata(sport: sport, subSport: subSport, of: description).merging(
                        session?.developer ?? [:]
                    ) { own, _ in own })
            ]
        }
        parts.sort { $0.start < $1.start }
        parts[0].start = times.start
        guard parts.count > 1 else { return parts }
        /// The last message among the records that ended a lap or a session at a time.
        var endings: [Double: UInt32] = [:]
        for summary in activity.laps + activity.sessions where summary.sequence < activity.lastRecord {
            guard let start = summary.start.flatMap(clock.seconds), let end = summary.end.flatMap(clock.seconds),
                start < end
            else { continue }
            endings[end] = max(endings[end] ?? 0, summary.sequence)
        }
        for index in parts.indices.dropFirst() { parts[index].sequence = endings[parts[index].start] ?? 0 }
        return parts
    }

    private mutating func addOpening(_ activity: FITActivity, _ identifier: Identifier) {
        let start = FITClock.date(times.start)
        let whole = parts.count == 1 ? parts[0].activity : ActivityDescription.whole(of: parts.map(\.activity))
        opening =
            [
                SessionEntry(
                    start, .header(SessionHeader(id: activity.workoutID ?? identifier.of(part: 0), activity: whole))),
                SessionEntry(start, .state(.running)),
            ] + activity.devices.sensors.map { SessionEntry(start, .sensor($0)) }
        var metadata = activity.texts.merging(activity.devices.metadata) { _, own in own }
        if parts.count == 1 { metadata.merge(parts[0].metadata) { _, own in own } }
        if let zone = activity.timeZone { metadata["HKTimeZone"] = .string(zone.identifier) }
        metadata.merge(activity.labels.metadata) { _, label in label }
        if !metadata.isEmpty { opening.insert(SessionEntry(start, .metadata(metadata)), at: 2) }
    }

    // MARK: Distance

    /// Decides how the device counts the distance in each part.
    ///
    /// - Parameters:
    ///   - first: The count at the start of the activity.
    ///   - records: The survey of the records.
    private mutating func countDistance(
        from first: UInt32, _ records: FITRecordSurvey, _ source: RecordingSource
    ) throws(RecordingError) {
        guard parts.count > 1 || !late.isEmpty else {
            let survey = DistanceSurvey(
                counts: records.distance, first: records.firstDistanceTime.map { ($0, 0) })
            count([survey], from: first)
            return
        }
        // What one part gets changes what the next one has. Each pass reads the file, so their number is limited.
        for pass in 1...3 {
            let surveys = try surveyDistances(source)
            count(surveys, from: first)
            guard shareDistances(surveys, movingRecords: pass < 3) else { return }
        }
    }

    private mutating func count(_ surveys: [DistanceSurvey], from first: UInt32) {
        var before = Double(first)
        for (index, var survey) in surveys.enumerated() {
            let total = parts[index].distanceInCentimeters.map { Double($0) }
            let lead = (survey.first?.time).flatMap(clock.seconds).map { $0 - parts[index].start }
            parts[index].distance = survey.counts.finish(total: total, before: &before, lead: lead)
            parts[index].lastDistance = nil
        }
    }

    /// Gives each part its share of what was covered until the first count of the next one, if the count goes on.
    ///
    /// If it states more than that, the record in the second in which the next one starts is its last.
    /// - Returns: Whether such a record was moved, so that the counts have to be surveyed again.
    private mutating func shareDistances(_ surveys: [DistanceSurvey], movingRecords: Bool) -> Bool {
        var hasMoved = false
        for index in parts.indices.dropFirst() {
            let (part, earlier, survey) = (parts[index], parts[index - 1], surveys[index])
            guard let piece = part.distance.first, piece.base == earlier.distance.last?.last else { continue }
            let border = StatedDistance.LegBorder(
                meters: (survey.counts.first - piece.base) / 100,
                stated: earlier.distanceInCentimeters.map { Double($0) / 100 }, measured: earlier.measuredInMeters)
            if movingRecords, border.includesNextCount, let first = survey.first, first.sequence >= part.sequence,
                clock.seconds(first.time) == part.start
            {
                parts[index].sequence = first.sequence + 1
                hasMoved = true
                continue
            }
            // A single count before a new beginning is the last one of the earlier part.
            let share = part.distance.count > 1 && piece.count == 1 ? border.meters : border.shareOfEarlier
            guard share > 0 else { continue }
            parts[index].distance[0].base += share * 100
            parts[index - 1].lastDistance = StatedDistance.rest(
                after: surveys[index - 1].last.flatMap(clock.seconds), until: part.start, meters: share)
        }
        return hasMoved
    }

    /// The counts of a part, the place of the first of them, and the time of the last.
    private struct DistanceSurvey {
        var counts: CountedDistanceSurvey
        var first: (time: UInt32, sequence: UInt32)?
        var last: UInt32?
    }

    /// Surveys the counts of each part in order of time.
    private func surveyDistances(
        _ source: RecordingSource
    ) throws(RecordingError) -> [DistanceSurvey] {
        var surveys = parts.map { _ in DistanceSurvey(counts: CountedDistanceSurvey(scale: 100)) }
        var part = 0
        var moments = FITOrderedMoments(try FITMoments(source, extent, clock: clock, memory: memory), late: late)
        while let moment = try moments.next() {
            guard case .record(let record) = moment else { continue }
            part = self.part(at: clock.seconds(record.time) ?? 0, record.sequence, from: part)
            guard record.distance != FITRecord.none else { continue }
            surveys[part].counts.add(Double(record.distance))
            surveys[part].first = surveys[part].first ?? (record.time, record.sequence)
            surveys[part].last = record.time
        }
        return surveys
    }

    /// Returns the part of a place that is not before `part`.
    func part(at seconds: Double, _ sequence: UInt32 = .max, from part: Int) -> Int {
        var part = part
        while part + 1 < parts.count, (parts[part + 1].start, parts[part + 1].sequence) <= (seconds, sequence) {
            part += 1
        }
        return part
    }

    // MARK: Beside the records

    private mutating func addItems(_ activity: FITActivity, _ stated: StatedWorkout, _ identifier: Identifier) {
        for pause in times.pauses {
            add(pause.start, pause.startSequence, .state(.paused))
            pauses.begin(at: FITClock.date(pause.start))
            guard let end = pause.end else { continue }
            add(end, pause.endSequence, .state(.running))
            pauses.end(at: FITClock.date(end))
        }
        let laps = StatedLaps(stated, times)
        addEnergy(activity, laps)
        /// The laps that are not the last one of a part, by their ends.
        var others = Dictionary(grouping: laps.laps, by: \.end)
        if parts.count > 1 {
            let hasLengths = activity.lengths.contains(where: \.isActive)
            // Parts go before the records of the same second if their messages come last in a file.
            for (index, part) in parts.enumerated() {
                let id = identifier.of(part: UInt64(index) + 1)
                if index > 0 {
                    addLastDistance(of: parts[index - 1], part.sequence, hasLengths: hasLengths)
                    // Several parts may start at once.
                    let last = parts[index - 1].start < part.start ? others.removeValue(forKey: part.start) : nil
                    for lap in last ?? [] { add(lap, of: activity, part.sequence) }
                }
                add(
                    part.start, part.sequence,
                    .activityBegan(ActivityRecord(id: id, activity: part.activity, metadata: part.metadata)))
            }
        }
        // A lap ends after the records of its last second, wherever its message is in the file.
        for lap in laps.laps where others[lap.end] != nil { add(lap, of: activity, .max) }
        for (part, next) in zip(parts, parts.dropFirst()) {
            // Without records up to the next part. A session that states too short a time has some.
            guard let end = part.end, stated.isGap(from: end, to: next.start) else { continue }
            add(end, .max, .activityEnded)
        }
        addLengths(activity, stated, laps)
        let effort = activity.labels.effortReading(
            from: FITClock.date(times.start), to: FITClock.date(times.end), id: identifier.of(part: .max))
        if let effort { add(times.end, .max, .quantity(effort)) }
        let order = items.indices.sorted {
            let (a, b) = (items[$0].place, items[$1].place)
            return (a.seconds, a.sequence, $0) < (b.seconds, b.sequence, $1)
        }
        items = order.map { items[$0] }
    }

    private mutating func add(_ lap: StatedLaps.Lap, of activity: FITActivity, _ sequence: UInt32) {
        let event = EventRecord(
            .lap, start: FITClock.date(lap.start), end: FITClock.date(lap.end),
            metadata: activity.laps[lap.index].developer)
        add(lap.end, sequence, .event(event))
    }

    private mutating func addLastDistance(of part: Part, _ sequence: UInt32, hasLengths: Bool) {
        guard let distance = part.lastDistance, !hasLengths || part.activity.lapLengthInMeters == nil,
            let kind = MotionKinds(part.activity, sensor: FITDevices.recorder).distance
        else { return }
        let (start, end) = (FITClock.date(distance.start), FITClock.date(distance.end))
        add(distance.end, sequence, .quantity(QuantityReading(kind, distance.meters, start: start, end: end)))
    }

    /// Adds a total of a session or lap as readings outside the pauses, because devices count nothing during them.
    private mutating func add(total: Double, _ type: String, unit: String, from start: Double, to end: Double) {
        let readings = pauses.readings(
            ofTotal: total, type, unit: unit, from: FITClock.date(start), to: FITClock.date(end),
            sensor: FITDevices.recorder)
        for reading in readings {
            // Before the pause that begins at the end of the reading.
            add(reading.end.timeIntervalSince1970 - FITClock.epoch, 0, .quantity(reading))
        }
    }

    private func end(ofPart part: Int) -> Double { part + 1 < parts.count ? parts[part + 1].start : times.end }

    /// Adds the energy of the sessions, or of the laps if no session has any.
    private mutating func addEnergy(_ activity: FITActivity, _ laps: StatedLaps) {
        func add(_ kilocalories: UInt16?, _ start: Double, _ end: Double) {
            guard let kilocalories, kilocalories > 0 else { return }
            self.add(total: Double(kilocalories), "activeEnergyBurned", unit: "kcal", from: start, to: end)
        }
        if parts.contains(where: { $0.kilocalories ?? 0 > 0 }) {
            for (index, part) in parts.enumerated() { add(part.kilocalories, part.start, end(ofPart: index)) }
            return
        }
        for lap in laps.laps { add(activity.laps[lap.index].kilocalories, lap.start, lap.end) }
    }

    private mutating func add(_ seconds: Double, _ sequence: UInt32, _ content: SessionEntry.Content) {
        items.append(Item(place: (times.clamped(seconds), sequence), content: content))
    }

    // MARK: Lengths of a pool, and distances that only summaries state

    private mutating func addLengths(_ activity: FITActivity, _ stated: StatedWorkout, _ laps: StatedLaps) {
        var part = 0
        var isInPool = [Bool](repeating: false, count: parts.count)
        var lapsOfLengths: [Int?] = []
        var active = [Int](repeating: 0, count: laps.laps.count)
        for length in laps.lengths {
            part = self.part(at: (length.start + length.end) / 2, from: part)
            let lap = laps.lap(of: length)
            lapsOfLengths.append(lap)
            guard activity.lengths[length.index].isActive else { continue }
            isInPool[part] = isInPool[part] || parts[part].activity.lapLengthInMeters != nil
            if let lap { active[lap] += 1 }
        }
        var measured = parts.map(\.measuredInMeters)
        for part in parts.indices where isInPool[part] {
            // The lengths give the exact distance of each lap; the count of the records lags behind.
            parts[part].distance = []
            measured[part] = 0
        }
        part = 0
        for (length, lap) in zip(laps.lengths, lapsOfLengths) {
            part = self.part(at: (length.start + length.end) / 2, from: part)
            var meters: Double?
            if isInPool[part], activity.lengths[length.index].isActive {
                // One length message of a drill may cover several lengths.
                let ofLap = lap.flatMap { lap in
                    stated.laps[laps.laps[lap].index].meters.map { $0 / Double(active[lap]) }
                }
                meters = ofLap.flatMap { $0 > 0 ? $0 : nil } ?? parts[part].activity.lapLengthInMeters
                measured[part] += meters ?? 0
            }
            add(activity.lengths[length.index], length, meters: meters)
        }
        addStatedDistances(stated, laps, measured, hasLengths: active.map { $0 > 0 }, isInPool)
        if parts.contains(where: \.isDistanceOfPositions) {
            notes.append("the file states no distance; it was computed from the positions")
        }
    }

    private mutating func add(_ length: FITActivity.Length, _ placed: StatedLaps.Lap, meters: Double?) {
        let start = FITClock.date(placed.start)
        let end = FITClock.date(placed.end)
        let running = stillness.runningSince(placed.end, length.sequence).map(FITClock.date)
        func addReading(_ type: String, _ value: Double, _ unit: String) {
            let reading = QuantityReading(
                type, value, unit: unit, start: min(running.map { max($0, start) } ?? start, end), end: end,
                sensor: FITDevices.recorder)
            let place = stillness.place(placed.end, length.sequence)
            self.add(place.seconds, place.sequence, .quantity(reading))
        }
        var metadata: [String: MetadataValue] = [:]
        if length.isActive {
            if let meters { addReading("distanceSwimming", meters, "m") }
            if let strokes = length.strokes, strokes > 0 { addReading("swimmingStrokeCount", Double(strokes), "count") }
            // An unknown stroke style still shows that somebody swam.
            metadata["HKSwimmingStrokeStyle"] = .number(length.stroke.flatMap(Self.strokeStyle) ?? 0)
        }
        let event = EventRecord(.segment, start: start, end: end, metadata: metadata)
        add(placed.end, length.sequence, .event(event))
    }

    private mutating func addStatedDistances(
        _ stated: StatedWorkout, _ laps: StatedLaps, _ measured: [Double], hasLengths: [Bool], _ isInPool: [Bool]
    ) {
        var lapsOfParts = parts.map { _ in [(Int, StatedLaps.Lap)]() }
        for (place, lap) in laps.laps.enumerated() {
            let later = parts.partitioningIndex { $0.start > (lap.start + lap.end) / 2 }
            lapsOfParts[max(later - 1, 0)].append((place, lap))
        }
        for index in parts.indices {
            let type = parts[index].activity.distanceType ?? NeutralType.distance
            let end = end(ofPart: index)
            let ofPart = lapsOfParts[index]
            let ofSession = parts[index].distanceInCentimeters.map { Double($0) / 100 }
            let totals = StatedDistance.totals(
                from: parts[index].start, to: end, stated: ofSession,
                measured: measured[index],
                laps: ofPart.map { place, lap in
                    StatedDistance.Lap(
                        start: lap.start, end: lap.end, meters: stated.laps[lap.index].meters,
                        isMeasured: isInPool[index]
                            ? hasLengths[place] : measured[index] > 0 && stated.hasSamples(in: lap))
                },
                lastCount: index + 1 == parts.count && !isInPool[index] ? stated.samples?.upperBound : nil)
            let readings = measured[index] > 0 ? measured[index] + totals.reduce(0) { $0 + $1.meters } : 0
            if let note = StatedDistance.note(stated: ofSession, measured: readings) { notes.append(note) }
            // A device that counted 0 m stood still.
            parts[index].isDistanceOfPositions =
                hasPositions && totals.isEmpty && parts[index].distance.isEmpty && ofSession == nil && !isInPool[index]
                && parts[index].activity.distanceType != nil
            for total in totals { add(total: total.meters, type, unit: "m", from: total.start, to: total.end) }
        }
    }

    /// Returns the `HKSwimmingStrokeStyle` of FIT's `swim_stroke`. The closest match for a drill is kicking with a
    /// board.
    private static func strokeStyle(_ stroke: UInt8) -> Double? {
        switch stroke {
        case 0: 2  // freestyle
        case 1: 3  // backstroke
        case 2: 4  // breaststroke
        case 3: 5  // butterfly
        case 4: 6  // drill
        case 5, 6, 7, 8: 1  // mixed, individual medley
        default: nil
        }
    }

    /// Makes the same IDs for the same file, so that reading it twice gives equal recordings.
    private struct Identifier {
        private let names: [UInt64]

        init(_ activity: FITActivity, _ records: FITRecordSurvey, _ times: WorkoutTimes) {
            names = [
                UInt64(activity.devices.serialNumber ?? 0), UInt64(activity.timeCreated ?? 0),
                times.start.bitPattern, times.end.bitPattern, UInt64(records.count), UInt64(activity.laps.count),
            ]
        }

        func of(part: UInt64) -> UUID { UUID(naming: [part] + names) }
    }
}
