import Foundation

/// How a workout of a file of tracks is laid out: what its entries are made with when the file is read again.
struct TrackPlan: Sendable {
    /// Something beside the points. Of one time with a point, what `leads` comes ahead of it.
    struct Item: Sendable {
        var time: Double
        var leads: Bool
        var content: SessionEntry.Content

        /// Behind the last point everything is.
        func isAhead(of point: TrackPoint?) -> Bool {
            guard let point else { return true }
            return time < point.time || leads && time == point.time
        }
    }

    struct Part: Sendable {
        var start: Double
        var activity: ActivityDescription
    }

    /// Where its element begins in the file.
    let byte: Int
    /// How many points it has there, those without a time included.
    let points: Int
    let start: Double
    let end: Double
    /// In order of time.
    private(set) var parts: [Part] = []
    /// How the metres of each part are counted, in the order of the file.
    private(set) var counts: [[CountedDistance.Piece]] = []
    /// In order.
    private(set) var items: [Item] = []
    /// Points that step back in time, in order of time.
    let late: [TrackPoint]
    /// The device counted the distance; otherwise it is that between the positions.
    let isDistanceCounted: Bool
    let device: SensorStatus
    /// What was decided against something that the file states.
    let notes: [String]

    /// Nil where nothing has a time.
    ///
    /// - Parameter activity: What was done where the file does not say it.
    init?(_ survey: TrackSurvey, format: String, activity: String?) {
        let stated = survey.stated
        guard let times = WorkoutTimes(stated) else { return nil }
        start = times.start
        end = times.end
        notes = times.notes
        byte = survey.byte
        points = survey.points
        isDistanceCounted = survey.hasDistance
        late = survey.late.sorted { ($0.point.time, $0.place) < ($1.point.time, $1.place) }.map(\.point)
        device = (survey.device ?? TrackDevice()).status("\(format) recorder")
        let measured = addParts(survey, activity)
        addItems(survey, stated, times, measured)
    }

    /// - Returns: What the points of each part count, in metres, by the starts of the parts.
    private mutating func addParts(_ survey: TrackSurvey, _ unsaid: String?) -> [Double] {
        var count = 0.0
        var found: [(part: Part, measured: Double)] = []
        for var part in survey.parts {
            var activity = SportName.description(part.sport, hasPositions: survey.hasPositions)
            if activity.activity == "other", let unsaid { activity.activity = unsaid }
            let total = part.distanceInMeters.flatMap { $0 > 0 ? $0 : nil }
            let lead = part.counted.map { $0 - max(part.start ?? start, start) }
            let pieces = part.distance.finish(total: total, before: &count, lead: lead)
            counts.append(pieces)
            guard let begin = part.start ?? (survey.parts.count == 1 ? start : nil) else { continue }
            let measured = pieces.reduce(0) { $0 + max(0, $1.last - $1.base) }
            found.append((Part(start: min(max(begin, start), end), activity: activity), measured))
        }
        found.sort { $0.part.start < $1.part.start }
        parts = found.map(\.part)
        if parts.isEmpty {
            parts = [Part(start: start, activity: ActivityDescription(activity: unsaid ?? "other"))]
        }
        parts[0].start = start
        return found.map(\.measured)
    }

    private mutating func addItems(
        _ survey: TrackSurvey, _ stated: StatedWorkout, _ times: WorkoutTimes, _ measured: [Double]
    ) {
        let whole = parts.count == 1 ? parts[0].activity : ActivityDescription.whole(of: parts.map(\.activity))
        add(start, leads: true, .header(SessionHeader(id: survey.workoutID ?? identifier(0, survey), activity: whole)))
        add(start, leads: true, .state(.running))
        add(start, leads: true, .sensor(device))
        if let mean = survey.temperature.mean {
            add(start, leads: true, .metadata(["HKWeatherTemperature": .quantity(mean, unit: "degC")]))
        }
        var pauses = SessionPauses()
        for pause in times.pauses {
            add(pause.start, leads: false, .state(.paused))
            pauses.begin(at: Self.date(pause.start))
            guard let end = pause.end else { continue }
            add(end, leads: true, .state(.running))
            pauses.end(at: Self.date(end))
        }
        if parts.count > 1 {
            for (index, part) in parts.enumerated() {
                let id = identifier(UInt64(index) + 1, survey)
                add(part.start, leads: true, .activityBegan(ActivityRecord(id: id, activity: part.activity)))
            }
        }
        let laps = StatedLaps(stated, times)
        addLaps(survey, laps, pauses)
        addStatedDistances(survey, laps, pauses, measured)
        for beats in survey.beats where beats.time >= start && beats.time <= end {
            let reading = BeatReading(
                intervalsInMilliseconds: beats.intervalsInMilliseconds, sensor: TrackDevice.sensor)
            add(beats.time, leads: false, .beats(reading))
        }
        let order = items.indices.sorted {
            let (a, b) = (items[$0], items[$1])
            if a.time != b.time { return a.time < b.time }
            return a.leads == b.leads ? $0 < $1 : a.leads
        }
        items = order.map { items[$0] }
        add(end, leads: false, .state(.stopped))
    }

    /// The energy of a lap is what it says.
    private mutating func addLaps(_ survey: TrackSurvey, _ laps: StatedLaps, _ pauses: SessionPauses) {
        for lap in laps.laps {
            let said = survey.laps[lap.index].said
            if said.kilocalories > 0 {
                add(total: said.kilocalories, "activeEnergyBurned", unit: "kcal", from: lap.start, to: lap.end, pauses)
            }
            let event = EventRecord(.lap, start: Self.date(lap.start), end: Self.date(lap.end))
            add(lap.end, leads: false, .event(event))
        }
    }

    private mutating func add(
        total: Double, _ type: String, unit: String, from start: Double, to end: Double, _ pauses: SessionPauses
    ) {
        let readings = pauses.readings(
            ofTotal: total, type, unit: unit, from: Self.date(start), to: Self.date(end), sensor: TrackDevice.sensor)
        for reading in readings {
            add(reading.end.timeIntervalSinceReferenceDate, leads: false, .quantity(reading))
        }
    }

    /// The distances of laps whose points tell none: swims in a pool, treadmills.
    private mutating func addStatedDistances(
        _ survey: TrackSurvey, _ laps: StatedLaps, _ pauses: SessionPauses, _ measured: [Double]
    ) {
        for (index, part) in parts.enumerated() {
            let type = part.activity.distanceType ?? NeutralType.distance
            let end = index + 1 < parts.count ? parts[index + 1].start : end
            let ofPart = laps.laps.filter { lap in
                let middle = (lap.start + lap.end) / 2
                return middle >= part.start && (middle < end || index + 1 == parts.count)
            }
            .map { lap in
                let surveyed = survey.laps[lap.index]
                return StatedDistance.Lap(
                    start: lap.start, end: lap.end,
                    meters: surveyed.said.distanceInMeters > 0 ? surveyed.said.distanceInMeters : nil,
                    isMeasured: survey.hasDistance ? surveyed.counts > 0 : surveyed.positions > 1)
            }
            // Positions tell about what the laps say.
            let told = ofPart.filter(\.isMeasured).reduce(0) { $0 + ($1.meters ?? 0) }
            let hasCount = survey.hasDistance && measured.indices.contains(index)
            for total in StatedDistance.totals(
                from: part.start, to: end, stated: nil, measured: hasCount ? measured[index] : told, laps: ofPart)
            {
                add(total: total.meters, type, unit: "m", from: total.start, to: total.end, pauses)
            }
        }
    }

    private mutating func add(_ time: Double, leads: Bool, _ content: SessionEntry.Content) {
        items.append(Item(time: time, leads: leads, content: content))
    }

    static func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

    /// The same for the same file, so that reading it twice gives equal recordings.
    private func identifier(_ part: UInt64, _ survey: TrackSurvey) -> UUID {
        UUID(naming: [
            part, start.bitPattern, end.bitPattern, UInt64(points), UInt64(survey.laps.count),
            survey.heartRate.sum.bitPattern,
        ])
    }
}
