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

    /// Nil where nothing has a time.
    ///
    /// - Parameter activity: What was done where the file does not say it.
    init?(_ survey: TrackSurvey, format: String, activity: String?) {
        let starts = survey.laps.map(\.start).filter { !$0.isNaN }
        guard let start = ([survey.first].compactMap { $0 } + survey.late.map(\.point.time) + starts).min() else {
            return nil
        }
        self.start = start
        // A lap without points lasts as long as it says.
        let ends = survey.laps.filter { $0.lastPoint == nil && $0.start + $0.said.seconds > start }
            .map { $0.start + $0.said.seconds }
        end = ([survey.latest].compactMap { $0 } + ends + starts).max() ?? start
        byte = survey.byte
        points = survey.points
        isDistanceCounted = survey.hasDistance
        late = survey.late.sorted { ($0.point.time, $0.place) < ($1.point.time, $1.place) }.map(\.point)
        device = (survey.device ?? TrackDevice()).status("\(format) recorder")
        addParts(survey, activity)
        addItems(survey)
    }

    private mutating func addParts(_ survey: TrackSurvey, _ unsaid: String?) {
        var count = 0.0
        for var part in survey.parts {
            var activity = SportName.description(part.sport, hasPositions: survey.hasPositions)
            if activity.activity == "other", let unsaid { activity.activity = unsaid }
            let total = part.distanceInMeters.flatMap { $0 > 0 ? $0 : nil }
            counts.append(part.distance.finish(total: total, before: &count))
            guard let begin = part.start ?? (survey.parts.count == 1 ? start : nil) else { continue }
            parts.append(Part(start: max(begin, start), activity: activity))
        }
        if parts.isEmpty {
            parts = [Part(start: start, activity: ActivityDescription(activity: unsaid ?? "other"))]
        }
        parts.sort { $0.start < $1.start }
        parts[0].start = start
    }

    private mutating func addItems(_ survey: TrackSurvey) {
        let whole = parts.count == 1 ? parts[0].activity : ActivityDescription.whole(of: parts.map(\.activity))
        add(start, leads: true, .header(SessionHeader(id: identifier(0, survey), activity: whole)))
        add(start, leads: true, .state(.running))
        add(start, leads: true, .sensor(device))
        if let mean = survey.temperature.mean {
            add(start, leads: true, .metadata(["HKWeatherTemperature": .quantity(mean, unit: "degC")]))
        }
        var pauses = SessionPauses()
        for pause in survey.pauses() where pause.start >= start && pause.end <= end {
            add(pause.start, leads: false, .state(.paused))
            add(pause.end, leads: true, .state(.running))
            pauses.begin(at: Self.date(pause.start))
            pauses.end(at: Self.date(pause.end))
        }
        if parts.count > 1 {
            for (index, part) in parts.enumerated() {
                let id = identifier(UInt64(index) + 1, survey)
                add(part.start, leads: true, .activityBegan(ActivityRecord(id: id, activity: part.activity)))
            }
        }
        addLaps(survey, pauses)
        let order = items.indices.sorted {
            let (a, b) = (items[$0], items[$1])
            if a.time != b.time { return a.time < b.time }
            return a.leads == b.leads ? $0 < $1 : a.leads
        }
        items = order.map { items[$0] }
        add(end, leads: false, .state(.stopped))
    }

    /// A lap ends after the time that it took or at its last point, whichever is later, but not after the next one began. Its
    /// energy is what it says.
    private mutating func addLaps(_ survey: TrackSurvey, _ pauses: SessionPauses) {
        let laps = survey.laps.filter { !$0.start.isNaN }
        for (index, lap) in laps.enumerated() {
            let from = min(max(lap.start, start), end)
            let took = lap.said.seconds > 0 ? lap.start + lap.said.seconds : from
            var to = max(lap.lastPoint ?? from, took)
            if index + 1 < laps.count, laps[index + 1].start >= from { to = min(to, laps[index + 1].start) }
            to = min(max(to, from), end)
            let (first, last) = (Self.date(from), Self.date(to))
            if lap.said.kilocalories > 0 {
                for reading in pauses.readings(
                    ofTotal: lap.said.kilocalories, "activeEnergyBurned", unit: "kcal", from: first, to: last,
                    sensor: TrackDevice.sensor)
                {
                    add(reading.end.timeIntervalSinceReferenceDate, leads: false, .quantity(reading))
                }
            }
            add(to, leads: false, .event(EventRecord(.lap, start: first, end: last)))
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
