import Analytics
package import SessionLog
import Synchronization

/// A stored workout as the entries of a session log, read from the store piece by piece. Exports write them to files.
///
/// Everything that belongs to the workout counts, as in `workout show`. Entries dated within a pause therefore come
/// before that pause in the log, as in the logs of devices. A reading that spans a whole pause is a sample that an app
/// added. A total that the workout states without samples becomes one reading of its whole length.
package struct StoredWorkoutEntries: Sequence, Sendable {
    private let workout: HKWorkout
    private let database: any HealthDatabase
    private let pauses: WorkoutPauses
    private let devices: WorkoutDevices
    private let types: Set<HKSampleType>?
    private let keepsIdentities: Bool
    private let absences: SensorGaps
    private let heartbeats: [(date: Date, reading: BeatReading)]
    private let routes: [UUID]
    private let partStarts: Set<Date>
    private let fault = Fault()

    /// The length of a piece in seconds. A workout has at most some ten thousand samples in that time.
    private static let secondsAtOnce = 1800.0

    /// - Parameters:
    ///   - types: The types to read. Nil means all of them, with beats and positions.
    ///   - withRoutes: Whether to read positions in addition to those types.
    ///   - keepsIdentities: Whether readings with more than numbers, because another app saved them or they have
    ///     metadata, contain the UUIDs of their samples.
    package init(
        _ workout: HKWorkout, in database: any HealthDatabase, only types: Set<HKSampleType>? = nil,
        withRoutes: Bool = false, keepingIdentities keepsIdentities: Bool = false
    ) throws {
        self.keepsIdentities = keepsIdentities
        self.workout = workout
        self.database = database
        self.types = types
        pauses = WorkoutPauses(
            of: workout.workoutEvents ?? [], start: workout.startDate, end: workout.endDate)
        let devices = try WorkoutDevices(of: workout, in: database, only: types)
        self.devices = devices
        partStarts = Set(workout.namedActivities.map(\.startDate))
        absences = try SensorGaps(of: workout, pauses: pauses, in: database)
        heartbeats =
            types != nil
            ? []
            : try database.heartbeatSeries(ofWorkout: workout.uuid).flatMap { series in
                BeatReading.readings(of: series.beats, from: series.sample.startDate, sensor: devices.heartRateSensor)
            }
        guard types == nil || withRoutes else {
            routes = []
            return
        }
        routes = try database.samples(
            [SampleSelection(HKSeriesType.workoutRoute(), .workout(workout.uuid))], sortedBy: [SampleSort(.startDate)],
            limit: nil
        ).map(\.uuid)
    }

    /// The reason why an iteration ended before the workout. Nil if none did.
    package var failure: (any Error)? { fault.error.withLock { $0 } }

    private final class Fault: Sendable {
        let error = Mutex<(any Error)?>(nil)
    }

    package func makeIterator() -> AnyIterator<SessionEntry> {
        var reading = Reading(self)
        return AnyIterator { reading.next() }
    }

    /// An iteration over the entries.
    private struct Reading {
        private let entries: StoredWorkoutEntries
        private var ready: [PlacedEntry]
        private var handedOut = 0
        /// The end of the last piece: everything up to it was returned.
        private var place: Date?
        private var isOver = false
        private var measurements: StoredMeasurements?
        private var kinds: Kinds = [:]
        /// Categories, marks and beats, each in order.
        private var queues: [ArraySlice<PlacedEntry>] = []
        private var routes: [RouteReading]

        init(_ entries: StoredWorkoutEntries) {
            self.entries = entries
            ready = entries.opening.map { PlacedEntry(date: $0.date, rank: 0, content: $0.content) }
            routes = entries.routes.map { RouteReading(StoredRoute($0, in: entries.database)) }
            do {
                let quantities = Set(entries.devices.types.compactMap { $0 as? HKQuantityType })
                measurements = try StoredMeasurements(
                    ofWorkout: entries.workout.uuid, quantities, in: entries.database)
                queues = [
                    try entries.categories()[...], entries.marks[...],
                    entries.heartbeats.map { entries.placed($0.date, .beats($0.reading)) }.sorted()[...],
                ]
            } catch { fail(error) }
        }

        mutating func next() -> SessionEntry? {
            while handedOut == ready.count {
                ready.removeAll(keepingCapacity: true)
                handedOut = 0
                guard !isOver else { return nil }
                do { try read() } catch { fail(error) }
            }
            handedOut += 1
            return SessionEntry(ready[handedOut - 1].date, ready[handedOut - 1].content)
        }

        private mutating func fail(_ error: any Error) {
            entries.fault.error.withLock { $0 = $0 ?? error }
            isOver = true
        }

        private mutating func read() throws {
            let workout = entries.workout
            let from = place ?? workout.startDate
            let to = entries.endOfWindow(after: from)
            let isLast = to >= workout.endDate
            let limit = PlacedEntry(date: isLast ? .distantFuture : to, rank: .max, content: .activityEnded)
            var found = entries.placed(try measurements?.next(until: isLast ? nil : to) ?? [], &kinds)
            for number in queues.indices {
                let end = queues[number].firstIndex { !($0 < limit) } ?? queues[number].endIndex
                found = found.merged(with: queues[number][..<end])
                queues[number] = queues[number][end...]
            }
            for number in routes.indices {
                found = found.merged(with: try routes[number].positions(before: limit, entries.placed)[...])
            }
            ready = found
            place = to
            guard isLast else { return }
            isOver = true
            ready.append(PlacedEntry(date: workout.endDate, rank: .max, content: .state(.stopped)))
        }
    }
}

extension StoredWorkoutEntries {
    private var opening: [SessionEntry] {
        let start = workout.startDate
        let configuration =
            workout.workoutActivities.count == 1 && workout.namedActivities.isEmpty
            ? workout.workoutActivities[0].workoutConfiguration.activityDescription
            : ActivityDescription(activity: workout.workoutActivityType.caseName)
        var entries = [
            SessionEntry(start, .header(SessionHeader(id: workout.uuid, activity: configuration))),
            SessionEntry(start, .state(.running)),
        ]
        if let metadata = try? MetadataCoding.neutral(workout.metadata), !metadata.isEmpty {
            entries.append(SessionEntry(start, .metadata(metadata)))
        }
        return entries + devices.sensors.map { SessionEntry(start, .sensor($0)) }
    }

    /// The pauses, legs and laps, and totals without samples.
    private var marks: [PlacedEntry] {
        var marks: [PlacedEntry] = []
        for pause in pauses.intervals {
            marks.append(PlacedEntry(date: pause.start, rank: PlacedEntry.pause, content: .state(.paused)))
            let isOpen =
                pause.end >= workout.endDate
                && !(workout.workoutEvents ?? []).contains {
                    $0.type == .resume && $0.dateInterval.start >= pause.end
                }
            if !isOpen {
                marks.append(PlacedEntry(date: pause.end, rank: PlacedEntry.resume, content: .state(.running)))
            }
        }
        for part in workout.namedActivities {
            let record = ActivityRecord(
                id: part.uuid, activity: part.workoutConfiguration.activityDescription,
                metadata: (try? MetadataCoding.neutral(part.metadata)) ?? [:])
            marks.append(PlacedEntry(date: part.startDate, rank: PlacedEntry.part, content: .activityBegan(record)))
        }
        for event in workout.workoutEvents ?? [] where event.type != .pause && event.type != .resume {
            guard let record = try? event.record() else { continue }
            let rank = event.type == .lap ? PlacedEntry.lap : PlacedEntry.event
            marks.append(PlacedEntry(date: record.end, rank: rank, content: .event(record)))
        }
        for absence in absences.all {
            guard var sensor = devices.sensor(of: absence.device) else { continue }
            sensor.presence = .away
            marks.append(PlacedEntry(date: absence.start, rank: PlacedEntry.absence, content: .sensor(sensor)))
            sensor.presence = .present
            if let end = absence.end {
                marks.append(PlacedEntry(date: end, rank: PlacedEntry.part, content: .sensor(sensor)))
            }
        }
        for reading in statedTotals {
            marks.append(PlacedEntry(date: reading.end, rank: PlacedEntry.quantity, content: .quantity(reading)))
        }
        // A stable sort: entries with the same date and rank stay in the order of the workout.
        return marks.enumerated().sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }.map(\.element)
    }

    private var statedTotals: [QuantityReading] {
        let totals: [(HKQuantityType?, HKQuantity?)] = [
            (workout.workoutActivityType.distanceType, workout.totalDistance),
            (HKQuantityType(.activeEnergyBurned), workout.totalEnergyBurned),
            (HKQuantityType(.swimmingStrokeCount), workout.totalSwimmingStrokeCount),
            (HKQuantityType(.flightsClimbed), workout.totalFlightsClimbed),
        ]
        return totals.enumerated().compactMap { number, stated in
            let (type, total) = stated
            guard let type, let total, types?.contains(type) ?? true, !devices.measured.contains(type) else {
                return nil
            }
            let unit = type.recordingUnit
            return QuantityReading(
                type.swiftName, total.doubleValue(for: unit), unit: unit.unitString, start: workout.startDate,
                end: workout.endDate, origin: SampleOrigin(id: .ofSample(UInt64.max - UInt64(number), in: workout.uuid))
            )
        }
    }

    /// Returns the end of a piece, which is never within a pause, because entries dated there belong before it.
    private func endOfWindow(after date: Date) -> Date {
        let end = date + Self.secondsAtOnce
        return pause(around: end)?.end ?? end
    }

    /// Returns the pause around a moment. Its two ends are outside of it.
    private func pause(around date: Date) -> DateInterval? {
        let next = pauses.intervals.partitioningIndex { $0.end > date }
        return next < pauses.intervals.count && pauses.intervals[next].start < date ? pauses.intervals[next] : nil
    }

    private func placed(_ date: Date, _ content: SessionEntry.Content) -> PlacedEntry {
        let rank: Int =
            switch content {
            case .beats: PlacedEntry.beats
            case .position: PlacedEntry.position
            default: PlacedEntry.quantity
            }
        if let pause = pause(around: date) {
            return PlacedEntry(date: pause.start, rank: PlacedEntry.inPause, content: content, own: date)
        }
        return PlacedEntry(
            date: Swift.min(Swift.max(date, workout.startDate), workout.endDate), rank: rank, content: content)
    }

    /// The reading kinds found so far in an iteration, by type and device.
    private typealias Kinds = [HKQuantityType: [String?: ReadingKind]]

    private func kind(of shared: StoredMeasurement.Shared, _ kinds: inout Kinds) -> ReadingKind {
        let sensor = shared.device.flatMap { devices.id(of: $0) }
        if let known = kinds[shared.type]?[sensor] { return known }
        let kind = ReadingKind(shared.kind.type, unit: shared.kind.unit, sensor: sensor)
        kinds[shared.type, default: [:]][sensor] = kind
        return kind
    }

    /// Returns measurements as entries in order.
    private func placed(_ measurements: [StoredMeasurement], _ kinds: inout Kinds) -> [PlacedEntry] {
        var found: [PlacedEntry] = []
        var order: [MeasurementOrder] = []
        found.reserveCapacity(measurements.count)
        order.reserveCapacity(measurements.count)
        var first = 0
        while first < measurements.count {
            let shared = measurements[first].shared
            let kind = kind(of: shared, &kinds)
            var next = first
            while next < measurements.count, measurements[next].shared === shared {
                found.append(entry(of: measurements[next], kind))
                order.append(MeasurementOrder(found[next], measurements[next], next))
                next += 1
            }
            first = next
        }
        order.sort()
        return order.map { found[$0.number] }
    }

    private func categories() throws -> [PlacedEntry] {
        let selections = devices.types.filter { !($0 is HKQuantityType) }
            .map { SampleSelection($0, .workout(workout.uuid)) }
        guard !selections.isEmpty else { return [] }
        return try database.samples(selections, sortedBy: [SampleSort(.startDate)], limit: nil).compactMap { sample in
            guard let sample = sample as? HKCategorySample, let content = try? sample.logContent() else { return nil }
            return placed(sample.endDate, content)
        }.sorted()
    }

    private func entry(of measurement: StoredMeasurement, _ kind: ReadingKind) -> PlacedEntry {
        var reading = QuantityReading(measurement, kind)
        let (start, end) = (reading.start, reading.end)
        // A reading that spans a whole pause still counts.
        if start < end,
            let pause = pauses.intervals.dropFirst(pauses.intervals.partitioningIndex { $0.end > start }).first,
            end > pause.start
        {
            reading.origin = SampleOrigin(id: measurement.sample)
        }
        let shared = measurement.shared
        if keepsIdentities, shared.hasMetadata || shared.source != workout.sourceRevision.source {
            reading.origin = SampleOrigin(id: measurement.sample)
        }
        var place = placed(end, .quantity(reading))
        if !partStarts.isEmpty, place.rank == PlacedEntry.quantity, partStarts.contains(end) {
            let isOfEarlierPart =
                start < end
                || shared.type == HKQuantityType(.heartRate) && absences.partsBehindValues.contains(end)
            if isOfEarlierPart { place.rank = PlacedEntry.untilPart }
        }
        return place
    }
}

extension QuantityReading {
    /// Creates a reading in the type's recording unit.
    init(_ measurement: StoredMeasurement) { self.init(measurement, measurement.shared.kind) }

    /// - Parameter kind: The kind of the measurement, with its sensor.
    fileprivate init(_ measurement: StoredMeasurement, _ kind: ReadingKind) {
        self.init(
            kind, measurement.value, start: Date(timeIntervalSinceReferenceDate: measurement.start),
            end: Date(timeIntervalSinceReferenceDate: measurement.end))
    }
}

extension BeatReading {
    /// Groups the intervals of a stored series by the second, as a strap sends them. Intervals after a gap are marked.
    fileprivate static func readings(
        of beats: [StoredHeartbeat], from start: Date, sensor: String?
    ) -> [(date: Date, reading: BeatReading)] {
        var readings: [(date: Date, reading: BeatReading)] = []
        var previous: Double?
        var second = -Double.infinity
        for beat in beats {
            defer { previous = beat.secondsSinceStart }
            guard let last = previous, !beat.precededByGap else {
                second = -.infinity
                continue
            }
            // The rounding error of a `Double` in differences is far below the 1/1024 s that sensors count in.
            let interval = ((beat.secondsSinceStart - last) * 1e10).rounded() / 1e7
            guard interval > 0 else { continue }
            let date = start + beat.secondsSinceStart
            if beat.secondsSinceStart.rounded(.down) == second {
                readings[readings.count - 1].reading.intervalsInMilliseconds.append(interval)
                readings[readings.count - 1].date = date
            } else {
                second = beat.secondsSinceStart.rounded(.down)
                readings.append((date, BeatReading(intervalsInMilliseconds: [interval], sensor: sensor)))
            }
        }
        return readings
    }
}

extension HKWorkout {
    /// The named legs. Empty if the only leg is the workout itself.
    package var namedActivities: [HKWorkoutActivity] {
        guard workoutActivities.count == 1, let only = workoutActivities.first else { return workoutActivities }
        let isWhole =
            only.startDate == startDate && only.endDate == endDate
            && only.workoutConfiguration.activityType == workoutActivityType
        return isWhole ? [] : workoutActivities
    }
}
