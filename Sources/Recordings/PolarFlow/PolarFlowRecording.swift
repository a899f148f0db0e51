import Foundation

/// Makes a recording of a session: its exercises one after the other, the parts of one workout.
struct PolarFlowRecording {
    private let session: PolarFlowSession
    private let zone: TimeZone
    private var entries: [SessionEntry] = []
    private var summary = RecordingSummary(format: "polar-flow")
    private var print = HealthFingerprint()

    private static let recorder = "recorder"

    init(_ session: PolarFlowSession, _ zone: TimeZone) {
        self.session = session
        self.zone = zone
    }

    private struct Part {
        var exercise: PolarFlowSession.Exercise
        var start: Date
        var end: Date
        var offset: Double
        var activity: String
    }

    consuming func recording() -> Recording {
        let parts = (session.exercises ?? []).compactMap(part).sorted { $0.start < $1.start }
        summary.sessions = parts.count
        guard let first = parts.first else {
            summary.warnings.append(RecordingWarning(byte: 0, message: "the session holds no exercise with a time"))
            return Recording(entries: [], file: summary)
        }
        for part in parts { add(part, isOneOfSeveral: parts.count > 1) }
        var end = parts.map(\.end).max() ?? first.end
        end = max(end, entries.map(\.date).max() ?? end)
        for entry in entries { print.combine(entry.date) }
        // Of one instant in the order in which they were made.
        let sorted = entries.enumerated().sorted { ($0.element.date, $0.offset) < ($1.element.date, $1.offset) }
        let start = min(first.start, sorted.first?.element.date ?? first.start)
        let activity =
            parts.count == 1
            ? description(first) : ActivityDescription.whole(of: parts.map(description))
        let device = DeviceDescription(
            name: "Polar \(session.deviceId ?? "device")", manufacturer: "Polar", localIdentifier: session.deviceId)
        let opening = [
            SessionEntry(start, .header(SessionHeader(id: print.uuid, activity: activity))),
            SessionEntry(start, .state(.running)),
            SessionEntry(
                start, .sensor(SensorStatus(id: Self.recorder, kind: .replay, presence: .present, device: device))),
        ]
        return Recording(
            entries: opening + sorted.map(\.element) + [SessionEntry(end, .state(.stopped))], file: summary)
    }

    private func part(_ exercise: PolarFlowSession.Exercise) -> Part? {
        guard let local = exercise.startTime?.tableMoment() else { return nil }
        let offset =
            exercise.timezoneOffset.map { $0 * 60 }
            ?? Double(zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: local.seconds)))
        let start = Date(timeIntervalSinceReferenceDate: local.hasZone ? local.seconds : local.seconds - offset)
        let end = exercise.stopTime.flatMap { date($0, offset) } ?? start
        return Part(
            exercise: exercise, start: start, end: max(start, end), offset: offset,
            activity: exercise.sport.flatMap(TableSport.activity) ?? "other")
    }

    private func date(_ text: String, _ offset: Double) -> Date? {
        text.tableMoment().map {
            Date(timeIntervalSinceReferenceDate: $0.hasZone ? $0.seconds : $0.seconds - offset)
        }
    }

    private func description(_ part: Part) -> ActivityDescription {
        let isOutside = !(part.exercise.samples?.recordedRoute ?? []).isEmpty
        return ActivityDescription(activity: part.activity, location: isOutside ? .outdoor : .unknown)
    }

    // MARK: An exercise

    private mutating func add(_ part: Part, isOneOfSeveral: Bool) {
        if isOneOfSeveral {
            var id = HealthFingerprint()
            id.combine("PolarFlow")
            id.combine(part.start)
            let record = ActivityRecord(id: id.uuid, activity: description(part))
            entries.append(SessionEntry(part.start, .activityBegan(record)))
        }
        guard let samples = part.exercise.samples else { return addTotals(part) }
        addPositions(samples, part)
        for (date, value) in values(samples.heartRate, part) where value > 0 {
            summary.heartRate.add(value)
            add("heartRate", value, "count/min", date)
        }
        summary.records += samples.heartRate?.count ?? samples.recordedRoute?.count ?? 0
        addDistance(samples, part)
        if let type = ActivityDescription(activity: part.activity).speedType {
            for (date, value) in values(samples.speed, part) where value >= 0 { add(type, value / 3.6, "m/s", date) }
        }
        if part.activity == "cycling" {
            for (date, value) in values(samples.cadence, part) where value >= 0 {
                add("cyclingCadence", value, "count/min", date)
            }
        }
        addPower(samples, part)
        addBeats(samples, part)
        addLaps(part)
        addTotals(part)
    }

    private func values(_ list: [PolarFlowSession.Sample]?, _ part: Part) -> [(Date, Double)] {
        (list ?? []).compactMap { sample in
            guard let value = sample.value, value.isFinite, let date = date(sample.dateTime, part.offset) else {
                return nil
            }
            return (date, value)
        }
    }

    private mutating func add(_ type: String, _ value: Double, _ unit: String, _ date: Date) {
        let reading = QuantityReading(type, value, unit: unit, start: date, end: date, sensor: Self.recorder)
        entries.append(SessionEntry(date, .quantity(reading)))
    }

    private mutating func addPositions(_ samples: PolarFlowSession.Samples, _ part: Part) {
        for point in samples.recordedRoute ?? [] {
            guard let latitude = point.latitude, let longitude = point.longitude, abs(latitude) <= 90,
                abs(longitude) <= 180, latitude != 0 || longitude != 0, let date = date(point.dateTime, part.offset)
            else { continue }
            let position = PositionReading(
                latitudeInDegrees: latitude, longitudeInDegrees: longitude, altitudeInMeters: point.altitude)
            entries.append(SessionEntry(date, .position(position)))
        }
    }

    /// Totals become what was added.
    private mutating func addDistance(_ samples: PolarFlowSession.Samples, _ part: Part) {
        guard let type = ActivityDescription(activity: part.activity).distanceType else { return }
        var last = (date: part.start, total: 0.0)
        for (date, total) in values(samples.distance, part) {
            if total > last.total {
                let reading = QuantityReading(
                    type, total - last.total, unit: "m", start: min(last.date, date), end: date, sensor: Self.recorder)
                entries.append(SessionEntry(date, .quantity(reading)))
            }
            last = (date, total)
        }
    }

    /// What both pedals give together.
    private mutating func addPower(_ samples: PolarFlowSession.Samples, _ part: Part) {
        guard let type = ActivityDescription(activity: part.activity).powerType else { return }
        var sums: [Date: Double] = [:]
        for side in [samples.leftPedalCrankBasedPower, samples.rightPedalCrankBasedPower] {
            for sample in side ?? [] {
                guard let power = sample.currentPower, power.isFinite, let date = date(sample.dateTime, part.offset)
                else { continue }
                sums[date, default: 0] += power
            }
        }
        for (date, power) in sums.sorted(by: { $0.key < $1.key }) { add(type, power, "W", date) }
    }

    /// Beats have no times but their own: one follows the other.
    private mutating func addBeats(_ samples: PolarFlowSession.Samples, _ part: Part) {
        var date = part.start
        for interval in samples.rr ?? [] {
            guard let seconds = interval.duration.flatMap(Self.seconds), seconds > 0, seconds < 1000 else { continue }
            let milliseconds = (seconds * 1e6).rounded() / 1000
            date += milliseconds / 1000
            summary.rrIntervalsInMilliseconds.append(milliseconds)
            let beats = BeatReading(intervalsInMilliseconds: [milliseconds], sensor: Self.recorder)
            entries.append(SessionEntry(date, .beats(beats)))
        }
    }

    private mutating func addLaps(_ part: Part) {
        let laps = part.exercise.laps ?? part.exercise.autoLaps ?? []
        var start = part.start
        for end in laps.compactMap({ $0.splitTime.flatMap(Self.seconds) }).map({ part.start + $0 }).sorted() {
            let end = min(end, part.end)
            guard end > start else { continue }
            entries.append(SessionEntry(end, .event(EventRecord(.lap, start: start, end: end))))
            summary.laps += 1
            start = end
        }
    }

    /// What is said of the exercise as a whole, and in no sample.
    private mutating func addTotals(_ part: Part) {
        func add(_ type: String, _ value: Double, _ unit: String) {
            let reading = QuantityReading(
                type, value, unit: unit, start: part.start, end: part.end, sensor: Self.recorder)
            entries.append(SessionEntry(part.end, .quantity(reading)))
        }
        if let energy = part.exercise.kiloCalories, energy > 0, energy < 1e6 {
            add("activeEnergyBurned", energy, "kcal")
        }
        if part.exercise.samples?.distance?.isEmpty ?? true, let meters = part.exercise.distance, meters > 0,
            meters < 1e7,
            let type = ActivityDescription(activity: part.activity).distanceType
        {
            add(type, meters, "m")
        }
    }

    /// `PT1H2M3.5S`.
    static func seconds(_ text: String) -> Double? {
        guard let match = text.wholeMatch(of: #/PT(?:([0-9.]+)H)?(?:([0-9.]+)M)?(?:([0-9.]+)S)?/#) else { return nil }
        func number(_ part: Substring?) -> Double { part.flatMap { Double($0) } ?? 0 }
        return number(match.1) * 3600 + number(match.2) * 60 + number(match.3)
    }
}
