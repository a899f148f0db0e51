package import Analytics
package import SessionLog

/// The training figures of a workout: a pure fold over the entries of its log.
///
/// The same entries give the same figures in a live session, a replay, the store and a mirrored session. Pauses do not count, and
/// no figure spans one. Memory is bounded, however long the log is.
package struct WorkoutAnalysis: Sendable {
    package let athlete: Athlete
    package private(set) var beats = BeatSegments()
    package private(set) var alpha1: Alpha1Timeline
    package private(set) var load: HeartRateLoad
    package private(set) var recovery = RecoveryReadings()
    package private(set) var heartRates: MeanMaximalCurve
    package private(set) var powers: MeanMaximalCurve
    /// In metres per second, from distances; see ``speeds``.
    private var coveredSpeeds: MeanMaximalCurve
    private var measuredSpeeds: MeanMaximalCurve
    private let purpose: Purpose
    package private(set) var power = NormalizedPower()
    private var zones: (power: SecondsInZone?, covered: SecondsInZone?, measured: SecondsInZone?)
    private var decouplings = (power: AerobicDecoupling(), covered: AerobicDecoupling(), measured: AerobicDecoupling())

    private var pauses = SessionPauses()
    private var start: Date?
    /// That of the first part of the workout.
    private var sport: String?
    private var hasSeveralSports = false
    private var isOver = false
    private var pausedSeconds = 0.0
    private var series = (
        heartRate: SecondlySeries(), power: SecondlySeries(), covered: SecondlySeries(), measured: SecondlySeries()
    )
    /// The sensors of the latest heart rate and of the latest beats.
    private var sensors: (heartRate: String?, beats: String?)
    /// The kind of the latest heart rate.
    private var heartRateKind: ReadingKind?
    /// The kind of distance that counts, because the sum of several would be too much. Another kind takes over if it is silent.
    private var distance: (kind: ReadingKind, end: Double)?
    /// The role of each kind of reading. Kinds that must be converted are not noted.
    private var measures = KindCache<Measure>()

    private enum Measure { case heartRate, power, distance, speed, other }
    private static let silenceInSeconds = 5.0

    /// What the formulas need to know of the wearer.
    package struct Athlete: Sendable, Equatable {
        package var wearer: WearerProfile?
        package var thresholdPowerInWatts: Double?
        package var ventilatoryThresholds: HeartRateZones?
        /// The user's own zones in this sport: lower edges in watts, and in metres per second.
        package var powerZones: [Double]?
        package var speedZones: [Double]?

        package init(
            wearer: WearerProfile? = nil, thresholdPowerInWatts: Double? = nil,
            ventilatoryThresholds: HeartRateZones? = nil, powerZones: [Double]? = nil, speedZones: [Double]? = nil
        ) {
            self.wearer = wearer
            self.thresholdPowerInWatts = thresholdPowerInWatts
            self.ventilatoryThresholds = ventilatoryThresholds
            self.powerZones = powerZones
            self.speedZones = speedZones
        }
    }

    /// What the analysis is for.
    package enum Purpose: Sendable {
        /// Only ``WorkoutAnalysis/load``, since years have thousands of workouts.
        case load
        /// Only ``WorkoutAnalysis/powers`` and ``WorkoutAnalysis/speeds``.
        case efforts
        case figures
        /// The figures, and the windows of ``WorkoutAnalysis/alpha1``, which a page draws.
        case pictures
    }

    package init(_ athlete: Athlete, for purpose: Purpose = .figures) {
        self.athlete = athlete
        self.purpose = purpose
        alpha1 = Alpha1Timeline(keepsPoints: purpose == .pictures)
        let durations = purpose == .load ? [] : MeanMaximalCurve.usualDurationsInSeconds
        heartRates = MeanMaximalCurve(durationsInSeconds: durations)
        powers = heartRates
        coveredSpeeds = heartRates
        measuredSpeeds = heartRates
        let wearer = athlete.wearer
        let speeds = athlete.speedZones.flatMap { SecondsInZone(lowerBounds: $0) }
        zones = (athlete.powerZones.flatMap { SecondsInZone(lowerBounds: $0) }, speeds, speeds)
        load = HeartRateLoad(
            sex: wearer?.sex.flatMap { Analytics.Sex(rawValue: $0.rawValue) },
            restingHeartRate: wearer?.restingHeartRate, maximumHeartRate: wearer?.effectiveMaximumHeartRate,
            ventilatoryThresholds: athlete.ventilatoryThresholds)
    }

    /// Adds the next entry of the log. After the end, only recovery counts.
    package mutating func take(_ entry: SessionEntry) {
        if let reading = entry.numbers, let measure = measures[reading.kind], take(reading, as: measure) { return }
        takeOther(entry)
    }

    /// Adds a reading that counts as a whole and has the kind of the latest one of its measure. Returns false for any other, and adds
    /// nothing.
    private mutating func take(_ reading: ReadingNumbers, as measure: Measure) -> Bool {
        if measure == .other { return true }
        guard start != nil, reading.start <= reading.end, reading.value >= 0, reading.value.isFinite,
            pauses.countsWhole(from: reading.start, to: reading.end)
        else { return false }
        if isOver, measure != .heartRate { return true }
        let from = activeSeconds(at: reading.start)
        let to = from + reading.end.timeIntervalSince(reading.start)
        switch measure {
        case .heartRate:
            guard reading.value > 0, let kind = heartRateKind, ObjectIdentifier(kind) == reading.kind else {
                return false
            }
            recovery.measured(reading.value, at: elapsedSeconds(at: reading.end))
            if isOver { return true }
            addHeartRates { $0.add(reading.value, from: from, to: to, $1) }
        case .power: addPowers { $0.add(reading.value, from: from, to: to, $1) }
        case .distance:
            guard let kind = distance?.kind, ObjectIdentifier(kind) == reading.kind else { return false }
            cover(reading.value, kind, from: from, to: to)
        case .speed: addMeasuredSpeeds { $0.add(reading.value, from: from, to: to, $1) }
        case .other: break
        }
        return true
    }

    // A separate function, so that only such an entry is copied.
    @inline(never)
    private mutating func takeOther(_ entry: SessionEntry) {
        let wasPaused = pauses.open
        let share = pauses.take(entry)
        noteHeartRateForRecovery(entry)
        if isOver { return }
        switch (share, entry.content) {
        case (.nothing, _): break
        case (.parts(let readings), _): for reading in readings { take(reading) }
        case (.all, .quantity(let reading)): take(reading)
        case (.all, .beats(let reading)): take(reading, at: entry.date)
        case (.all, .state(let phase)): change(to: phase, at: entry.date, wasPausedSince: wasPaused)
        case (.all, .sensor(let status)) where status.presence != .present: sensorLeft(status.id, at: entry.date)
        case (.all, .activityBegan(let record)):
            sport = sport ?? record.activity.activity
            hasSeveralSports = hasSeveralSports || record.activity.activity != sport
            // The next sport has its own speed and power.
            cutMotion(at: activeSeconds(at: entry.date))
            distance = nil
        default: break
        }
    }

    /// Adds the beats of a stored workout, with their gaps.
    /// - Parameter offset: The seconds from the start of the workout to that of the series.
    mutating func take(_ heartbeats: [StoredHeartbeat], from offset: Double) {
        for stretch in heartbeats.stretches {
            interruptBeats()
            let intervals = stretch.intervalsInMilliseconds
            let seconds = offset + stretch.startInSeconds + intervals.reduce(0, +) / 1000
            beats.add(intervals, at: seconds)
            alpha1.add(intervals, at: seconds)
        }
        interruptBeats()
    }

    // MARK: Time

    private func elapsedSeconds(at date: Date) -> Double { start.map { date.timeIntervalSince($0) } ?? 0 }

    private func activeSeconds(at date: Date) -> Double {
        let date = pauses.open.map { min($0, date) } ?? date
        return max(0, elapsedSeconds(at: date) - pausedSeconds)
    }

    private mutating func change(to phase: SessionPhase, at date: Date, wasPausedSince pause: Date?) {
        switch phase {
        case .running where start == nil: start = date
        case .running:
            guard let pause, pauses.open == nil else { return }
            pausedSeconds += max(0, date.timeIntervalSince(pause))
            recovery.resumed()
        case .paused:
            guard pause == nil, let open = pauses.open else { return }
            interrupt(at: activeSeconds(at: open))
            recovery.ended(at: elapsedSeconds(at: open))
        case .stopped, .ended:
            guard start != nil else { return }
            interrupt(at: activeSeconds(at: date))
            // The effort of a session that ends in a pause ended with the pause.
            if pause == nil { recovery.ended(at: elapsedSeconds(at: date)) }
            isOver = true
        case .notStarted, .prepared: break
        }
    }

    private mutating func interrupt(at seconds: Double) {
        interruptHeartRate(at: seconds)
        interruptMotion(at: seconds)
        interruptBeats()
    }

    private mutating func interruptBeats() {
        beats.interrupt()
        alpha1.interrupt()
    }

    private mutating func sensorLeft(_ id: String, at date: Date) {
        if sensors.heartRate == id { interruptHeartRate(at: activeSeconds(at: date)) }
        if sensors.beats == id { interruptBeats() }
    }

    // MARK: Readings

    private mutating func noteHeartRateForRecovery(_ entry: SessionEntry) {
        guard case .quantity(let reading) = entry.content, reading.isHeartRate, start != nil else { return }
        recovery.measured(reading.value, at: elapsedSeconds(at: reading.end))
    }

    private mutating func take(_ reading: QuantityReading) {
        if measures[reading.kind] == nil { note(reading.kind) }
        guard start != nil, reading.start <= reading.end else { return }
        let from = activeSeconds(at: reading.start)
        let to = from + reading.end.timeIntervalSince(reading.start)
        if reading.isHeartRate {
            guard let value = reading.value(in: "count/min"), value > 0 else { return }
            sensors.heartRate = reading.sensor
            heartRateKind = reading.kind
            addHeartRates { $0.add(value, from: from, to: to, $1) }
        } else if reading.type.hasSuffix("Power") {
            guard let watts = reading.value(in: "W"), watts >= 0 else { return }
            addPowers { $0.add(watts, from: from, to: to, $1) }
        } else if reading.type.hasPrefix("distance") {
            if let distance, distance.kind.type != reading.type, from < distance.end + Self.silenceInSeconds { return }
            if let meters = reading.value(in: "m") { cover(meters, reading.kind, from: from, to: to) }
        } else if reading.type.hasSuffix("Speed") {
            guard let speed = reading.value(in: "m/s"), speed >= 0 else { return }
            addMeasuredSpeeds { $0.add(speed, from: from, to: to, $1) }
        }
    }

    private mutating func note(_ kind: ReadingKind) {
        let (measure, unit): (Measure, String?) =
            if kind.isHeartRate {
                purpose == .efforts ? (.other, nil) : (.heartRate, "count/min")
            } else if kind.type.hasSuffix("Power") {
                (.power, "W")
            } else if kind.type.hasPrefix("distance") {
                (.distance, "m")
            } else if kind.type.hasSuffix("Speed") {
                (.speed, "m/s")
            } else {
                (.other, nil)
            }
        if unit == nil || unit == kind.unit { measures.note(measure, of: kind) }
    }

    private mutating func cover(_ meters: Double, _ kind: ReadingKind, from: Double, to: Double) {
        guard to > from else { return }
        distance = (kind, to)
        addCoveredSpeeds { $0.add(meters / (to - from), from: from, to: to, $1) }
    }

    private mutating func take(_ reading: BeatReading, at date: Date) {
        guard start != nil else { return }
        sensors.beats = reading.sensor
        let seconds = elapsedSeconds(at: date)
        beats.add(reading.intervalsInMilliseconds, at: seconds)
        alpha1.add(reading.intervalsInMilliseconds, at: seconds)
    }

    private typealias Visit = (inout SecondlySeries, (SecondlySeries.Step) -> Void) -> Void

    private mutating func addHeartRates(_ visit: Visit) {
        var series = series.heartRate
        visit(&series) { step in
            load.add(step)
            if purpose == .load { return }
            heartRates.add(step)
            decouplings.power.takeHeartRate(step)
            decouplings.covered.takeHeartRate(step)
            decouplings.measured.takeHeartRate(step)
        }
        self.series.heartRate = series
    }

    private mutating func addPowers(_ visit: Visit) {
        var series = series.power
        visit(&series) { step in
            powers.add(step)
            if purpose == .efforts { return }
            power.add(step)
            zones.power?.add(step)
            decouplings.power.takeOutput(step)
        }
        self.series.power = series
    }

    private mutating func addCoveredSpeeds(_ visit: Visit) {
        var series = series.covered
        visit(&series) { step in
            coveredSpeeds.add(step)
            if purpose == .efforts { return }
            zones.covered?.add(step)
            decouplings.covered.takeOutput(step)
        }
        self.series.covered = series
    }

    private mutating func addMeasuredSpeeds(_ visit: Visit) {
        // Speeds from distances are used once there are any.
        guard coveredSpeeds.isEmpty else { return }
        var series = series.measured
        visit(&series) { step in
            measuredSpeeds.add(step)
            if purpose == .efforts { return }
            zones.measured?.add(step)
            decouplings.measured.takeOutput(step)
        }
        self.series.measured = series
    }

    private mutating func interruptHeartRate(at seconds: Double) {
        addHeartRates { $0.interrupt(at: seconds, $1) }
    }

    private mutating func cutMotion(at seconds: Double) {
        addPowers { $0.cut(at: seconds, $1) }
        addCoveredSpeeds { $0.cut(at: seconds, $1) }
        addMeasuredSpeeds { $0.cut(at: seconds, $1) }
    }

    private mutating func interruptMotion(at seconds: Double) {
        addPowers { $0.interrupt(at: seconds, $1) }
        addCoveredSpeeds { $0.interrupt(at: seconds, $1) }
        addMeasuredSpeeds { $0.interrupt(at: seconds, $1) }
    }
}

extension WorkoutAnalysis {
    /// In metres per second: from distances, as `workout show` adds them up, or else from a sensor.
    package var speeds: MeanMaximalCurve { coveredSpeeds.isEmpty ? measuredSpeeds : coveredSpeeds }

    /// Without pauses and gaps.
    package var timeInPowerZones: Figure<SecondsInZone> {
        guard power.seconds > 0 else { return .failure(.notMeasured(.power)) }
        return zones.power.map(Figure.success) ?? .failure(.notKnown(.powerZones))
    }

    /// Without pauses and gaps, from the same ``speeds``.
    package var timeInSpeedZones: Figure<SecondsInZone> {
        guard !speeds.isEmpty else { return .failure(.notMeasured(.speed)) }
        let found = coveredSpeeds.isEmpty ? zones.measured : zones.covered
        return found.map(Figure.success) ?? .failure(.notKnown(.paceZones))
    }

    /// In percent, against power, or against speed if there is no power. The speeds of several sports cannot be
    /// compared.
    package var decoupling: Figure<Double> {
        if hasSeveralSports { return .failure(.severalSports) }
        if power.seconds > 0 { return decouplings.power.percent(of: .power) }
        return coveredSpeeds.isEmpty
            ? decouplings.measured.percent(of: .speed) : decouplings.covered.percent(of: .speed)
    }

    /// The end of the effort: that of the workout, or the start of a pause that lasted to the end.
    package var effortEnd: Date? { start.flatMap { start in recovery.endInSeconds.map { start + $0 } } }

    /// In ml/(kg·min), from the maximum and the resting heart rate.
    package var maximumOxygenUptake: Figure<Double> {
        guard let maximum = load.maximumHeartRate else { return .failure(.notKnown(.maximumHeartRate)) }
        guard let resting = load.restingHeartRate else { return .failure(.notKnown(.restingHeartRate)) }
        guard let sex = load.sex else { return .failure(.notKnown(.sex)) }
        let estimate = MaximumOxygenUptake.estimate(maximumHeartRate: maximum, restingHeartRate: resting, sex: sex)
        return estimate.map(Figure.success) ?? .failure(.noVariation)
    }
}
