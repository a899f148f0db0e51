import Analytics
package import SessionLog

extension WorkoutSummary {
    /// Summarizes a stored workout.
    /// - Parameter wearer: The wearer, whose zones count. Without a profile or heart rates there are no zones.
    package init(_ workout: HKWorkout, in database: any HealthDatabase, wearer: WearerProfile?) throws {
        let events = workout.workoutEvents ?? []
        let pauses = WorkoutPauses(of: events, start: workout.startDate, end: workout.endDate)
        let lapEvents = events.filter { $0.type == .lap }.map(\.dateInterval)
            .map { EventRecord(.lap, start: $0.start, end: $0.end) }
        let members = try WorkoutMembers(workout, lapEvents.laps(workoutStart: workout.startDate), pauses, database)
        self.init(
            id: workout.uuid, activity: workout.workoutActivityType.caseName, start: workout.startDate,
            end: workout.endDate, elapsedInSeconds: workout.endDate.timeIntervalSince(workout.startDate),
            durationInSeconds: workout.duration)
        self.pauses = pauses.summarized
        laps = members.laps.map { lap in
            Lap(lap, durationInSeconds: pauses.activeSeconds(from: lap.start, to: lap.end))
        }
        activities = workout.namedActivities.map { activity in
            Activity(
                activity: activity.workoutConfiguration.activityType.caseName, start: activity.startDate,
                end: activity.endDate ?? workout.endDate, durationInSeconds: activity.duration,
                averageHeartRate: activity.statistics(for: HKQuantityType(.heartRate))?.total.average)
        }
        self.events = events.map {
            Event(type: $0.type.caseName, start: $0.dateInterval.start, end: $0.dateInterval.end)
        }
        statistics = Self.statistics(of: workout)
        beats = members.beats.count > 0 ? BeatSummary(members.beats) : nil
        route = members.route
        electrocardiograms = try database.electrocardiograms(ofWorkout: workout.uuid).map { sample in
            Electrocardiogram(
                start: sample.startDate, end: sample.endDate,
                samplesPerSecond: sample.samplingFrequency?.doubleValue(for: .hertz()) ?? 0,
                voltages: sample.numberOfVoltageMeasurements)
        }
        if let state = try Self.zoneState(of: workout, in: database, wearer) { setZones(state) }
        // This machine, which estimates the energy, is not a sensor.
        sensors = members.devices.filter { $0 != HKDevice.local() }.map { Sensor(name: $0.bestName) }
        var labels = workout.labels
        labels.effort = try WorkoutEffort.said(of: workout, in: database)
        self.labels = labels
        timeZone = workout.timeZone
        let revision = workout.sourceRevision
        source = [revision.source.name, revision.version].compactMap { $0 }.joined(separator: " ")
    }

    /// The statistics of what was measured, and the totals that the workout states beside them.
    private static func statistics(of workout: HKWorkout) -> [Statistics] {
        let measured = workout.allStatistics.filter { !WorkoutEffort.types.contains($0.key) }
        var statistics = measured.values.compactMap(Statistics.init(stated:))
        for case (let type?, let total?) in workout.statedTotals where workout.allStatistics[type] == nil {
            let unit = type.recordingUnit
            statistics.append(
                Statistics(identifier: type.identifier, unit: unit.unitString, sum: total.doubleValue(for: unit)))
        }
        return statistics.sorted { $0.identifier < $1.identifier }
    }

    /// Counts the zones of stored heart rates with the fold of a session, so that they are those of a live one.
    private static func zoneState(
        of workout: HKWorkout, in database: any HealthDatabase, _ wearer: WearerProfile?
    ) throws -> SessionState? {
        guard let wearer else { return nil }
        let heartRate = HKQuantityType(.heartRate)
        let entries = try StoredWorkoutEntries(workout, in: database, only: [heartRate])
        var state = SessionState()
        state.apply(SessionEntry(workout.startDate, .wearer(wearer)))
        for entry in entries { state.apply(entry) }
        if let failure = entries.failure { throw failure }
        return state.quantities[QuantityReading.heartRateType] == nil ? nil : state
    }
}

/// The parts of a stored workout that a summary needs. Measurements and positions are read piece by piece, so that memory does
/// not grow with the workout.
private struct WorkoutMembers {
    private(set) var laps: [WorkoutSummary.Lap.Figures]
    private(set) var beats = BeatStatistics()
    private(set) var route: RouteSummary?
    /// The devices, each once.
    private(set) var devices: [HKDevice] = []

    init(
        _ workout: HKWorkout, _ laps: [EventRecord], _ pauses: WorkoutPauses, _ database: any HealthDatabase
    ) throws {
        self.laps = WorkoutSummary.Lap.Figures.of(laps, pauses: pauses.summarized)
        if !laps.isEmpty { try measureLaps(of: workout, database) }
        let own = SampleFilter.workout(workout.uuid)
        note(workout.device)
        let measured = try database.sampledTypes(ofWorkout: workout.uuid).filter { $0.type is HKQuantityType }
        let devices = Dictionary(grouping: measured, by: \.type.swiftName).mapValues { $0.map(\.device) }
        devices[QuantityReading.heartRateType]?.forEach { note($0) }
        for (_, devices) in devices.sorted(by: { $0.key < $1.key }) { devices.forEach { note($0) } }
        for series in try database.heartbeatSeries(ofWorkout: workout.uuid) {
            note(series.sample.device)
            add(series.beats)
        }
        let routes = try database.samples(
            [SampleSelection(HKSeriesType.workoutRoute(), own)], sortedBy: [SampleSort(.startDate)], limit: nil)
        route = try RouteSummary(
            routes.map { StoredRoute($0.uuid, in: database) },
            pauses: pauses.summarized)
    }

    private mutating func measureLaps(of workout: HKWorkout, _ database: any HealthDatabase) throws {
        let types = TypeCatalogue.quantityTypes.filter {
            $0 == HKQuantityType(.heartRate) || $0.swiftName.hasPrefix("distance")
        }
        var measurements = try StoredMeasurements(ofWorkout: workout.uuid, Set(types), in: database)
        while let found = try measurements.next() {
            let piece = found.sorted { ($0.start, $0.sequence) < ($1.start, $1.sequence) }
            guard let first = piece.first?.start, let last = piece.lazy.map(\.end).max() else { continue }
            let near = laps.indices.filter {
                laps[$0].start.timeIntervalSinceReferenceDate <= last
                    && laps[$0].end.timeIntervalSinceReferenceDate >= first
            }
            guard !near.isEmpty else { continue }
            for measurement in piece {
                let measured = WorkoutSummary.Lap.Figures.Measured(measurement.shared.kind)
                let start = Date(timeIntervalSinceReferenceDate: measurement.start)
                let end = Date(timeIntervalSinceReferenceDate: measurement.end)
                for index in near { laps[index].add(measurement.value, measured, from: start, to: end) }
            }
        }
    }

    private mutating func note(_ device: HKDevice?) {
        guard let device, !devices.contains(device) else { return }
        devices.append(device)
    }

    /// The intervals in order, as the session counted them. A gap is not an interval.
    private mutating func add(_ heartbeats: [StoredHeartbeat]) {
        for interval in heartbeats.stretches.flatMap(\.intervalsInMilliseconds) { beats.add(interval) }
        beats.breakSequence()
    }
}

extension WorkoutPauses {
    fileprivate var summarized: [WorkoutSummary.Pause] {
        intervals.map { WorkoutSummary.Pause(start: $0.start, end: $0.end) }
    }
}

extension HKWorkout {
    /// The totals that a workout can state beside its statistics, each with its type. A distance may be the sum of several
    /// types, so it only counts without their statistics.
    var statedTotals: [(type: HKQuantityType?, total: HKQuantity?)] {
        let hasDistances = allStatistics.keys.contains { $0.swiftName.hasPrefix("distance") }
        return [
            (hasDistances ? nil : workoutActivityType.distanceType, totalDistance),
            (HKQuantityType(.activeEnergyBurned), totalEnergyBurned),
            (HKQuantityType(.swimmingStrokeCount), totalSwimmingStrokeCount),
            (HKQuantityType(.flightsClimbed), totalFlightsClimbed),
        ]
    }
}

extension WorkoutSummary.Statistics {
    /// Figures that came without their readings have no latest value and no count.
    fileprivate init?(stated statistics: HKStatistics) {
        self.init(type: statistics.quantityType, unit: statistics.unit.unitString, statistics.total)
        guard !statistics.options.contains(.mostRecent) else { return }
        count = nil
        arithmeticMean = nil
        mostRecent = nil
        if !statistics.options.contains(.discreteAverage) { average = nil }
        if !statistics.options.contains(.discreteMin) { minimum = nil }
        if !statistics.options.contains(.discreteMax) { maximum = nil }
    }
}

extension HKDevice {
    /// The name for people.
    package var bestName: String { name ?? model ?? manufacturer ?? localIdentifier ?? "unnamed device" }
}
