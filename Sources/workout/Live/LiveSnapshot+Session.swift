import Analytics
import Engine
import Foundation
import HealthKit
import Reports
import SessionLog
import StoredWorkouts

extension LiveSnapshot {
    /// The least number of beats for a variability. That of fewer is chance.
    private static let fewestBeats = 10

    /// Creates the snapshot of a running workout.
    /// - Parameters:
    ///   - speed: The speed of a replay. Nil for a live session.
    ///   - course: The timeline of the session so far, if it is drawn.
    init(_ run: WorkoutRun, speed: Double?, _ course: LiveTimeline? = nil) {
        let now = run.session.recorder.now
        let state = run.session.recorder.state
        self.init(state, at: now)
        phase = run.phase
        if let course { take(course) }
        // A replay shows the time of its recording.
        timeOfDay = Self.timeOfDay(speed == nil ? Date() : now)
        heartRateInBeatsPerMinute = state.presentHeartRate(at: now, pulse: run.session.recorder.pulseInPause)?.value
        messages = run.notices.messages
        warnings = run.notices.warnings
        companions = run.session.companionStandings
        plan = run.plan?.position(at: state.activeSeconds(at: now))
        guard let speed else { return }
        let fraction = run.plannedSeconds.map { planned in
            planned > 0 ? min(1, now.timeIntervalSince(state.startDate ?? now) / planned) : 1
        }
        replay = ReplayProgress(fraction: fraction, speed: speed.isInfinite ? nil : speed)
    }

    /// Creates the snapshot from the state of a session's log.
    init(_ state: SessionState, at now: Date) {
        self.init()
        take(state, at: now)
    }

    /// Creates the snapshot of a session that runs on another machine.
    init(mirrored session: HKWorkoutSession, _ course: LiveTimeline? = nil) {
        let state = session.recorder.state
        let now = session.recorder.now
        self.init()
        isMirrored = true
        take(state, at: now)
        if let course { take(course) }
        timeOfDay = Self.timeOfDay(Date())
    }

    static func timeOfDay(_ date: Date) -> String {
        let parts = Calendar.gregorian(.autoupdatingCurrent).dateComponents([.hour, .minute], from: date)
        return Language.current.clock(hour: parts.hour ?? 0, minute: parts.minute ?? 0)
    }

    private mutating func take(_ course: LiveTimeline) {
        heartRates = course.heartRate
        powerZones = course.athlete.powerZones
        speedZones = course.athlete.speedZones
        let found = course.alpha1
        if case .failure(.notMeasured) = found.latest { return }
        alpha1 = Alpha1(
            latest: found.latest,
            firstThreshold: try? found.heartRate(atAlpha1: Alpha1Thresholds.first).get(),
            secondThreshold: try? found.heartRate(atAlpha1: Alpha1Thresholds.second).get())
    }

    private mutating func take(_ state: SessionState, at now: Date) {
        if let activity = state.header?.activity {
            self.activity = ActivityTitle.of(activity.activity, location: activity.location)
        }
        zones = state.timeInZone?.zones
        zoneShares = WorkoutSummary.shares(
            of: state.zones, below: state.timeInZone.map { $0.belowZones / .seconds(1) })
        setLaps(state, at: now)
        setValues(state)
        setSpeed(state, at: now)
        sensors = state.sensors.map {
            Sensor(
                name: $0.device.name ?? $0.id, kind: $0.kind, presence: $0.presence, batteryPercent: $0.batteryPercent)
        }
        phase = state.phase
        durationInSeconds = state.activeSeconds(at: now)
        elapsedInSeconds =
            state.workoutStart.map {
                max(0, (state.workoutEnd.map { min($0, now) } ?? now).timeIntervalSince($0))
            } ?? 0
        let rates = state.quantities[QuantityReading.heartRateType]?.statistics
        averageHeartRate = rates?.average
        maximumHeartRate = rates?.maximum
        heartRateInBeatsPerMinute = state.presentHeartRate(at: now)?.value
    }

    private mutating func setLaps(_ state: SessionState, at now: Date) {
        let laps = state.events.laps(workoutStart: state.workoutStart)
        completedLapsInSeconds = laps.map { state.activeSeconds(at: $0.end) - state.activeSeconds(at: $0.start) }
        // The end of the workout ends its last lap, and begins none.
        lapNumber = state.phase.isOver ? max(1, laps.count) : laps.count + 1
        let lapStart = laps.last?.end ?? state.workoutStart ?? now
        lapElapsedInSeconds = max(0, state.activeSeconds(at: now) - state.activeSeconds(at: lapStart))
    }

    private mutating func setValues(_ state: SessionState) {
        let distances = state.quantities.filter { $0.key.hasPrefix("distance") }
        distanceInMeters = distances.isEmpty ? nil : distances.values.reduce(0) { $0 + $1.statistics.sum }
        powerInWatts = state.latest("cyclingPower")?.value ?? state.latest("runningPower")?.value
        cadencePerMinute = state.latest("cyclingCadence")?.value
        energyInKilocalories = state.quantities["activeEnergyBurned"]?.statistics.sum
        rmssdInMilliseconds = state.beats.count >= Self.fewestBeats ? state.beats.rmssd : nil
    }

    /// Sets the speed in the form of the present leg's sport. Values of another leg do not count.
    private mutating func setSpeed(_ state: SessionState, at now: Date) {
        let part = state.activities.last { $0.end == nil }
        let quantities = part?.quantities ?? state.quantities
        func latest(_ type: String) -> Double? { quantities[type]?.statistics.mostRecent?.value }
        let form = SpeedForm(part?.record.activity.activity ?? state.header?.activity.activity ?? "")
        if form == .swimPace {
            let meters = quantities["distanceSwimming"]?.statistics.sum ?? 0
            let start = part.map { state.activeSeconds(at: $0.start) } ?? 0
            if meters > 0 { swimPaceInSecondsPerMeter = (state.activeSeconds(at: now) - start) / meters }
        } else if form == .pace, let running = latest("runningSpeed") {
            paceInSecondsPerKilometer = running > 0.5 ? 1000 / running : nil
        } else {
            // Some recordings of rides name their speed as that of a run.
            speedInMetersPerSecond = latest("cyclingSpeed") ?? latest("runningSpeed")
        }
    }
}

extension SessionState {
    fileprivate func latest(_ type: String) -> TimedValue? { quantities[type]?.statistics.mostRecent }
}
