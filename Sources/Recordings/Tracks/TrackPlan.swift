import Foundation
import SessionLog

/// The layout of a workout in a track file: all that is needed to make its entries while the file is read again.
struct TrackPlan: Sendable {
    struct Scale: Sendable {
        var start: Double
        var end: Double
        var factor: Double
    }

    struct Part: Sendable {
        var start: Double
        var activity: ActivityDescription
        var session = TrackSession()
        var metersBetweenPositions = 0.0
        /// The end of its distance, which the first count of the next part includes.
        var lastDistance: StatedDistance.Total?
    }

    /// Offset of the workout's element in the file.
    let byte: Int
    /// The number of points in the workout, with those without a time.
    let points: Int
    let start: Double
    let end: Double
    /// The parts in order of time.
    private(set) var parts: [Part] = []
    /// The pieces of the device's count in metres for each part, in the order of the file.
    private(set) var counts: [[CountedDistance.Piece]] = []
    private(set) var items = TimedItems()
    /// Points that step back in time, sorted by time.
    let late: [TrackPoint]
    /// The source of the distance.
    enum DistanceSource {
        /// The device's count.
        case count
        /// The distances between positions.
        case positions
        /// The laps, because the device counted hardly more than once in each.
        case laps
    }
    private(set) var distanceSource: DistanceSource
    /// The factors for the distances between positions, in the order of the laps.
    private(set) var scales: [Scale] = []
    let device: SensorStatus
    /// The jumps in time when the clock was set.
    let jumps: ClockJumps
    /// Decisions against something that the file states.
    private(set) var notes: [String]

    /// Returns nil if nothing has a time.
    ///
    /// - Parameter activity: The activity to use if the file states none.
    init?(_ raw: TrackSurvey, format: String, activity: String?) {
        var stated = raw.stated
        jumps = ClockJumps(stated)
        if !jumps.isEmpty { stated = stated.mappingTimes(jumps.corrected) }
        let survey = raw.corrected(by: jumps)
        guard let times = WorkoutTimes(stated) else { return nil }
        start = times.start
        end = times.end
        notes = [jumps.note].compactMap { $0 } + times.notes
        byte = survey.byte
        points = survey.points
        distanceSource = survey.hasDistance ? .count : .positions
        late = survey.late.sorted { ($0.point.time, $0.place) < ($1.point.time, $1.place) }.map(\.point)
        device = (survey.device ?? TrackDevice()).status("\(format) recorder")
        let measured = addParts(survey, activity)
        checkCount(measured.reduce(0, +), survey)
        addItems(survey, stated, times, measured)
    }

    /// - Returns: The metres that the points of each part give, by the starts of the parts.
    private mutating func addParts(_ survey: TrackSurvey, _ unsaid: String?) -> [Double] {
        var count = 0.0
        var found: [(part: Part, measured: Double)] = []
        /// What the part before states, and when it counted last.
        var before: (stated: Double?, lastCounted: Double)?
        for var part in survey.parts {
            var activity = part.activity ?? SportName.description(part.sport, hasPositions: survey.hasPositions)
            if activity.activity == "other", let unsaid { activity.activity = unsaid }
            let total = part.statedMeters
            let lead = part.counted.map { $0 - max(part.start ?? start, start) }
            let lastCount = count
            var pieces = part.distance.finish(total: total, before: &count, lead: lead)
            guard let begin = part.start ?? (survey.parts.count == 1 ? start : nil) else {
                counts.append(pieces)
                before = nil
                continue
            }
            var measured = pieces.reduce(0) { $0 + max(0, $1.last - $1.base) }
            if let base = pieces.first?.base, base == lastCount, let earlier = before, !found.isEmpty {
                let last = found.count - 1
                let border = StatedDistance.LegBorder(
                    meters: part.distance.first - base, stated: earlier.stated, measured: found[last].measured)
                let share = border.shareOfEarlier
                if share > 0 {
                    pieces[0].base += share
                    measured -= share
                    found[last].measured += share
                    found[last].part.lastDistance = StatedDistance.rest(
                        after: earlier.lastCounted, until: begin, meters: share)
                }
            }
            before = pieces.isEmpty ? nil : part.lastCounted.map { (total, $0) }
            counts.append(pieces)
            let place = Part(
                start: min(max(begin, start), end), activity: activity, session: part.session,
                metersBetweenPositions: part.metersBetweenPositions)
            found.append((place, measured))
        }
        found.sort { $0.part.start < $1.part.start }
        parts = found.map(\.part)
        if parts.isEmpty {
            parts = [Part(start: start, activity: ActivityDescription(activity: unsaid ?? "other"))]
        }
        parts[0].start = start
        return found.map(\.measured)
    }

    private mutating func checkCount(_ counted: Double, _ survey: TrackSurvey) {
        let stated = survey.parts.reduce(0) { $0 + ($1.statedMeters ?? 0) }
        let between = survey.metersBetweenPositions
        guard distanceSource == .count else { return }
        let laps = survey.laps.map { ($0.said.distanceInMeters >= 0 ? $0.said.distanceInMeters : nil, $0.counts) }
        if StatedDistance.isFiner(laps: laps, counted: counted) {
            distanceSource = .laps
            return
        }
        guard StatedDistance.isWrong(counted: counted, stated: stated, betweenPositions: between) else { return }
        distanceSource = .positions
        notes.append(
            "its points count \(Int(counted)) m, and its laps state \(Int(stated)) m; what lies between the positions was taken, "
                + "\(Int(between)) m")
    }

    private mutating func addItems(
        _ survey: TrackSurvey, _ stated: StatedWorkout, _ times: WorkoutTimes, _ measured: [Double]
    ) {
        let whole = parts.count == 1 ? parts[0].activity : ActivityDescription.whole(of: parts.map(\.activity))
        items.add(
            start, leads: true, .header(SessionHeader(id: survey.workoutID ?? identifier(0, survey), activity: whole)))
        items.add(start, leads: true, .state(.running))
        items.add(start, leads: true, .sensor(device))
        var metadata = survey.labels.metadata
        if let mean = survey.temperature.mean { metadata["HKWeatherTemperature"] = .quantity(mean, unit: "degC") }
        if !metadata.isEmpty { items.add(start, leads: true, .metadata(metadata)) }
        let pauses = items.addPauses(times)
        if parts.count > 1 {
            for (index, part) in parts.enumerated() {
                let id = identifier(UInt64(index) + 1, survey)
                if index > 0 { addLastDistance(of: parts[index - 1]) }
                items.add(part.start, leads: true, .activityBegan(ActivityRecord(id: id, activity: part.activity)))
            }
        }
        let laps = StatedLaps(stated, times)
        if distanceSource == .positions { addScales(survey, laps) }
        addTotals(survey, laps, pauses)
        // A lap's stated distance comes before the entry that ends the lap.
        addStatedDistances(survey, laps, pauses, measured)
        for lap in laps.laps where survey.laps[lap.index].said.isLap { items.add(lap) }
        for beats in survey.beats where beats.time >= start && beats.time <= end {
            let reading = BeatReading(
                intervalsInMilliseconds: beats.intervalsInMilliseconds, sensor: TrackDevice.sensor)
            items.add(beats.time, leads: false, .beats(reading))
        }
        let effort = survey.labels.effortReading(
            from: Self.date(start), to: Self.date(end), id: identifier(.max, survey))
        if let effort { items.add(end, leads: false, .quantity(effort)) }
        items.finish(at: end)
    }

    private mutating func addLastDistance(of part: Part) {
        guard let distance = part.lastDistance, distanceSource == .count,
            let kind = MotionKinds(part.activity, sensor: TrackDevice.sensor).distance
        else { return }
        let reading = QuantityReading(
            kind, distance.meters, start: Self.date(distance.start), end: Self.date(distance.end))
        items.add(distance.end, leads: true, .quantity(reading))
    }

    private func end(ofPart part: Int) -> Double { part + 1 < parts.count ? parts[part + 1].start : end }

    /// Adds the factors of laps, or of parts if no lap states a distance.
    private mutating func addScales(_ survey: TrackSurvey, _ laps: StatedLaps) {
        scales = laps.laps.compactMap { lap in
            let surveyed = survey.laps[lap.index]
            return StatedDistance.scale(
                stated: surveyed.said.distanceInMeters, betweenPositions: surveyed.metersBetweenPositions
            ).map { Scale(start: lap.start, end: lap.end, factor: $0) }
        }
        guard scales.isEmpty else { return }
        for (index, part) in parts.enumerated() {
            if let factor = StatedDistance.scale(
                stated: part.session.distanceInMeters, betweenPositions: part.metersBetweenPositions)
            {
                scales.append(Scale(start: part.start, end: end(ofPart: index), factor: factor))
            }
        }
    }

    /// Adds the energy of the parts, or of the laps if no part states any, and the steps of the parts.
    private mutating func addTotals(_ survey: TrackSurvey, _ laps: StatedLaps, _ pauses: SessionPauses) {
        func add(_ kilocalories: Double, from start: Double, to end: Double) {
            guard kilocalories > 0 else { return }
            self.add(total: kilocalories, "activeEnergyBurned", unit: "kcal", from: start, to: end, pauses)
        }
        if parts.contains(where: { $0.session.kilocalories > 0 }) {
            for (index, part) in parts.enumerated() {
                add(part.session.kilocalories, from: part.start, to: end(ofPart: index))
            }
        } else {
            for lap in laps.laps { add(survey.laps[lap.index].said.kilocalories, from: lap.start, to: lap.end) }
        }
        for (index, part) in parts.enumerated() where part.session.steps > 0 {
            self.add(
                total: part.session.steps, "stepCount", unit: "count", from: part.start, to: end(ofPart: index), pauses)
        }
    }

    private mutating func add(
        total: Double, _ type: String, unit: String, from start: Double, to end: Double, _ pauses: SessionPauses
    ) {
        let readings = pauses.readings(
            ofTotal: total, type, unit: unit, from: Self.date(start), to: Self.date(end), sensor: TrackDevice.sensor)
        for reading in readings {
            items.add(reading.end.timeIntervalSinceReferenceDate, leads: false, .quantity(reading))
        }
    }

    /// Adds the distances of laps whose points have none: pool swims, treadmills.
    private mutating func addStatedDistances(
        _ survey: TrackSurvey, _ laps: StatedLaps, _ pauses: SessionPauses, _ measured: [Double]
    ) {
        for (index, part) in parts.enumerated() {
            let type = part.activity.distanceType ?? NeutralType.distance
            let end = end(ofPart: index)
            let ofPart = laps.laps.filter { lap in
                let middle = (lap.start + lap.end) / 2
                return middle >= part.start && (middle < end || index + 1 == parts.count)
            }
            .map { lap in
                let surveyed = survey.laps[lap.index]
                return StatedDistance.Lap(
                    start: lap.start, end: lap.end,
                    meters: surveyed.said.distanceInMeters > 0 ? surveyed.said.distanceInMeters : nil,
                    isMeasured: isMeasured(surveyed),
                    onlyCount: distanceSource == .count && surveyed.counts == 1 ? surveyed.lastCount : nil)
            }
            let stated = part.session.distanceInMeters > 0 ? part.session.distanceInMeters : nil
            // The distance between positions is about that of the laps and parts.
            let inLaps = ofPart.filter(\.isMeasured).reduce(0) { $0 + ($1.meters ?? 0) }
            let own: Double =
                switch distanceSource {
                case .count where measured.indices.contains(index): measured[index]
                case .count, .positions:
                    stated == nil && inLaps > 0 ? inLaps : max(inLaps, part.metersBetweenPositions)
                case .laps: 0
                }
            for total in StatedDistance.totals(
                from: part.start, to: end, stated: stated, measured: own, laps: ofPart)
            {
                add(total: total.meters, type, unit: "m", from: total.start, to: total.end, pauses)
            }
        }
    }

    private func isMeasured(_ lap: TrackSurvey.Lap) -> Bool {
        switch distanceSource {
        case .count: lap.counts > 0
        case .positions: lap.positions > 1
        case .laps: false
        }
    }

    static func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

    /// Returns the same ID for the same file, so that reading it twice gives equal recordings.
    private func identifier(_ part: UInt64, _ survey: TrackSurvey) -> UUID {
        UUID(naming: [
            part, start.bitPattern, end.bitPattern, UInt64(points), UInt64(survey.laps.count),
            survey.heartRate.sum.bitPattern,
        ])
    }
}
