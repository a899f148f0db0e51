import Analytics
package import Brokers
package import SessionLog

extension SessionState {
    /// The age up to which a value is current, unless its sensor reports otherwise.
    private static var holdInSeconds: Double { 30 }

    /// The heart rate at this moment, and its sensor. Nil if it is too old or its sensor is away.
    /// - Parameter pulse: The heart rate in a pause or before the start, which is not collected
    ///   (``WorkoutRecorder/pulseInPause``).
    package func presentHeartRate(at now: Date, pulse: QuantityReading? = nil) -> (value: Double, sensor: String?)? {
        if let pulse, phase == .prepared || phase == .paused && pulse.start >= pauses.last?.start ?? now,
            isPresent(pulse.end, pulse.sensor, at: now)
        {
            return (pulse.value, pulse.sensor)
        }
        return present(ReadingKind.heartRateType, of: quantities, at: now)
    }

    private func present(
        _ type: String, of quantities: [String: QuantityState], at now: Date
    ) -> (value: Double, sensor: String?)? {
        guard let quantity = quantities[type], let latest = quantity.statistics.mostRecent,
            isPresent(latest.end, quantity.lastSensor, at: now)
        else { return nil }
        return (latest.value, quantity.lastSensor)
    }

    private func isPresent(_ end: Date, _ sensor: String?, at now: Date) -> Bool {
        now.timeIntervalSince(end) <= Self.holdInSeconds
            && !sensors.contains { $0.presence != .present && $0.id == sensor }
    }

    /// The published figures.
    package func figures(_ id: UUID, at now: Date, pulse: QuantityReading?) -> SessionFigures {
        var figures = SessionFigures(
            id: id, activity: currentActivity?.record.activity.activity ?? header?.activity.activity ?? "other",
            phase: phase, elapsedInSeconds: elapsedSeconds(at: now), durationInSeconds: activeSeconds(at: now),
            sensors: sensors)
        let heartRate = presentHeartRate(at: now, pulse: pulse)
        figures.heartRateInBeatsPerMinute = heartRate?.value
        figures.heartRateSensor = heartRate?.sensor
        if let rate = heartRate?.value, let zones = timeInZone?.zones { figures.zone = zones.zone(of: rate) ?? 0 }
        let quantities = quantities
        func value(_ type: String) -> Double? { present(type, of: quantities, at: now)?.value }
        figures.powerInWatts = value("cyclingPower") ?? value("runningPower")
        figures.cadencePerMinute = value("cyclingCadence")
        let running = value("runningSpeed")
        figures.speedInMetersPerSecond = value("cyclingSpeed") ?? running
        // There is no pace without motion.
        figures.paceInSecondsPerKilometer = running.flatMap { $0 > 0.5 ? 1000 / $0 : nil }
        let distances = quantities.filter { $0.key.hasPrefix("distance") }
        figures.distanceInMeters = distances.isEmpty ? nil : distances.values.reduce(0) { $0 + $1.statistics.sum }
        figures.energyInKilocalories = quantities["activeEnergyBurned"]?.statistics.sum
        return figures
    }

    /// Seconds from the workout's start to `date`, including pauses.
    private func elapsedSeconds(at date: Date) -> Double {
        guard let workoutStart else { return 0 }
        return max(0, (workoutEnd.map { min($0, date) } ?? date).timeIntervalSince(workoutStart))
    }
}
