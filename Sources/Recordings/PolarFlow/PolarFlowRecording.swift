import Foundation
import SessionLog

/// Converts a session to the steps of a track. Its exercises become the parts of one workout.
struct PolarFlowRecording {
    private let session: PolarFlowSession
    private let zone: TimeZone

    init(_ session: PolarFlowSession, _ zone: TimeZone) {
        self.session = session
        self.zone = zone
    }

    private struct Part {
        var exercise: PolarFlowSession.Exercise
        /// The start in seconds since 2001.
        var start: Double
        /// Seconds east of UTC.
        var offset: Double
    }

    func recording(_ format: PolarFlowFormat) -> Recording {
        let parts = (session.exercises ?? []).compactMap(part).sorted { $0.start < $1.start }
        guard !parts.isEmpty else {
            return Recording(format: format.name, warning: "the session holds no exercise with a time")
        }
        let device = TrackDevice(name: "Polar \(session.deviceId ?? "device")", unit: session.deviceId ?? "")
        let steps: [TrackStep] = [.workout(byte: 0, goesOn: false)] + parts.flatMap(steps) + [.device(device)]
        return StoredTrackSteps.recording(steps, leftOut: [], format: format, activity: nil)
            .inTimeZone(secondsFromGMT: parts[0].exercise.timezoneOffset.map { $0 * 60 })
    }

    private func part(_ exercise: PolarFlowSession.Exercise) -> Part? {
        guard let local = exercise.startTime?.tableMoment() else { return nil }
        let offset =
            exercise.timezoneOffset.map { $0 * 60 }
            ?? Double(zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: local.seconds)))
        return Part(exercise: exercise, start: local.hasZone ? local.seconds : local.seconds - offset, offset: offset)
    }

    private func time(_ text: String, _ part: Part) -> Double? {
        text.tableMoment().map { $0.hasZone ? $0.seconds : $0.seconds - part.offset }
    }

    // MARK: An exercise

    private func steps(_ part: Part) -> [TrackStep] {
        let exercise = part.exercise
        let duration = exercise.duration.flatMap(Self.seconds)
        let elapsed = exercise.stopTime.flatMap { time($0, part) }.map { max(0, $0 - part.start) } ?? duration ?? 0
        var said = TrackSession(start: part.start, seconds: elapsed)
        if let duration { said.activeSeconds = duration }
        if let energy = exercise.kiloCalories, energy < 1e6 { said.kilocalories = energy }
        if let meters = exercise.distance, meters < 1e7 { said.distanceInMeters = meters }
        return [.part, .sport(exercise.sport.flatMap(TableSport.activity) ?? "other"), .session(said)]
            + laps(part) + points(part).map { .point($0) } + beats(part)
    }

    /// Returns the laps. Each starts when the one before ends, which depends on the pauses.
    private func laps(_ part: Part) -> [TrackStep] {
        let splits = (part.exercise.laps ?? part.exercise.autoLaps ?? []).compactMap {
            $0.splitTime.flatMap(Self.seconds)
        }
        var last = 0.0
        return splits.sorted().flatMap { split -> [TrackStep] in
            guard split > last else { return [] }
            defer { last = split }
            return [
                .lapBegan(start: last == 0 ? part.start : .nan), .lapEnded(TrackLap(seconds: split - last)),
            ]
        }
    }

    /// Returns the values of all series by time. The power is the sum of both pedals.
    private func points(_ part: Part) -> [TrackPoint] {
        guard let samples = part.exercise.samples else { return [] }
        var points = MergedTrackPoints()
        func add(_ text: String, _ set: (inout TrackPoint) -> Void) {
            if let time = time(text, part) { points.update(at: time, set) }
        }
        func add(_ list: [PolarFlowSession.Sample]?, _ key: WritableKeyPath<TrackPoint, Double>, scale: Double = 1) {
            for sample in list ?? [] {
                if let value = sample.value { add(sample.dateTime) { $0[keyPath: key] = value * scale } }
            }
        }
        add(samples.heartRate, \.heartRate)
        add(samples.distance, \.distance)
        add(samples.speed, \.speed, scale: 1 / 3.6)
        add(samples.cadence, \.cadence)
        for side in [samples.leftPedalCrankBasedPower, samples.rightPedalCrankBasedPower] {
            for sample in side ?? [] {
                guard let power = sample.currentPower else { continue }
                add(sample.dateTime) { $0.power = power + ($0.power.isNaN ? 0 : $0.power) }
            }
        }
        for place in samples.recordedRoute ?? [] {
            add(place.dateTime) { point in
                point.latitude = place.latitude ?? .nan
                point.longitude = place.longitude ?? .nan
                point.altitude = place.altitude ?? .nan
            }
        }
        return points.ordered
    }

    /// Returns the beats. They have no times, so each begins where the last one ended.
    private func beats(_ part: Part) -> [TrackStep] {
        var time = part.start
        return (part.exercise.samples?.rr ?? []).compactMap { interval in
            guard let seconds = interval.duration.flatMap(Self.seconds), seconds > 0, seconds < 1000 else { return nil }
            let milliseconds = (seconds * 1e6).rounded() / 1000
            time += milliseconds / 1000
            return .beats(TrackBeats(time: time, intervalsInMilliseconds: [milliseconds]))
        }
    }

    /// Returns the seconds of a duration such as `PT1H2M3.5S`.
    static func seconds(_ text: String) -> Double? {
        guard let match = text.wholeMatch(of: #/PT(?:([0-9.]+)H)?(?:([0-9.]+)M)?(?:([0-9.]+)S)?/#) else { return nil }
        func number(_ part: Substring?) -> Double { part.flatMap { Double($0) } ?? 0 }
        return number(match.1) * 3600 + number(match.2) * 60 + number(match.3)
    }
}
