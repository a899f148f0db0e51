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
    private let legStarts: [Date: LegStart]
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
        legStarts = LegStart.all(of: workout)
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

    package func makeIterator() -> Iterator { Iterator(self) }

    package struct Iterator: IteratorProtocol {
        private let entries: StoredWorkoutEntries
        private var opening: ArraySlice<SessionEntry>
        private var measurements: StoredMeasurements?
        /// The measurements of the piece. Nothing else of the piece is behind ``limit``.
        private var piece = MeasurementQueue()
        private var limit = EntryPlace(date: .distantPast, rank: 0)
        /// The end of the piece.
        private var end: Date?
        private var isLast = false
        private var isOver = false
        private var kinds: Kinds = [:]
        /// Categories, marks and beats, each in order.
        private var queues: [ArraySlice<PlacedEntry>] = []
        private var routes: [RouteReading] = []
        /// The place of the first entry in the queues and routes, and which of them it is in.
        private var other: (place: EntryPlace, number: Int)?

        fileprivate init(_ entries: StoredWorkoutEntries) {
            self.entries = entries
            opening = entries.opening[...]
            do {
                let quantities = Set(entries.devices.types.compactMap { $0 as? HKQuantityType })
                measurements = try StoredMeasurements(
                    ofWorkout: entries.workout.uuid, quantities, in: entries.database)
                queues = [
                    try entries.categories()[...], entries.marks[...],
                    entries.heartbeats.map { date, reading in
                        PlacedEntry(entries.place(date, entries.rank(EntryPlace.beats, at: date)), .beats(reading))
                    }.inOrder()[...],
                    try entries.electrocardiograms().map {
                        PlacedEntry(entries.place($0.end, EntryPlace.beats), .waveform($0))
                    }.inOrder()[...],
                ]
                routes = try entries.routes.map { try RouteReading(StoredRoute($0, in: entries.database)) }
                findOther()
            } catch { fail(error) }
        }

        package mutating func next() -> SessionEntry? {
            if let entry = opening.popFirst() { return entry }
            do {
                while !isOver {
                    if let entry = try nextOfPiece() { return entry }
                    guard isLast else {
                        try readPiece()
                        continue
                    }
                    isOver = true
                    return SessionEntry(entries.workout.endDate, .state(.stopped))
                }
            } catch { fail(error) }
            return nil
        }

        private mutating func fail(_ error: any Error) {
            entries.fault.error.withLock { $0 = $0 ?? error }
            isOver = true
        }

        /// At the same place, measurements come first.
        private mutating func nextOfPiece() throws -> SessionEntry? {
            if let other, other.place < piece.firstPlace ?? limit { return try removeOther(other.place, other.number) }
            return piece.popFirst()
        }

        private mutating func removeOther(_ place: EntryPlace, _ number: Int) throws -> SessionEntry? {
            defer { findOther() }
            if number < queues.count { return queues[number].popFirst().map { SessionEntry(place.date, $0.content) } }
            let route = number - queues.count
            guard let position = routes[route].first?.position else { return nil }
            try routes[route].removeFirst()
            return SessionEntry(place.date, .position(position))
        }

        /// At the same place, the queues come first, in their order.
        private mutating func findOther() {
            other = nil
            for number in queues.indices {
                guard let place = queues[number].first?.place else { continue }
                if other.map({ place < $0.place }) ?? true { other = (place, number) }
            }
            for number in routes.indices {
                guard let date = routes[number].first?.date else { continue }
                let place = entries.place(date, entries.rank(EntryPlace.position, at: date))
                if other.map({ place < $0.place }) ?? true { other = (place, queues.count + number) }
            }
        }

        private mutating func readPiece() throws {
            let to = entries.endOfWindow(after: end ?? entries.workout.startDate)
            end = to
            isLast = to >= entries.workout.endDate
            limit = EntryPlace(date: isLast ? .distantFuture : to, rank: .max)
            let found = try measurements?.next(until: isLast ? nil : to) ?? []
            // The queue must not be changed by what holds all of this.
            let entries = entries
            var known = kinds
            piece.fill(found, kind: { entries.kind(of: $0, &known) }, place: { entries.place(of: $0) })
            kinds = known
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
        for group in (workout.zoneGroupsByType ?? [:]).inOrder {
            entries.append(SessionEntry(start, .zones(group.configuration.record)))
        }
        return entries + devices.sensors.map { SessionEntry(start, .sensor($0)) }
    }

    /// The electrocardiograms in pieces of a second. With identities there are none: they are samples that keep their own.
    private func electrocardiograms() throws -> [WaveformReading] {
        guard types == nil, !keepsIdentities else { return [] }
        return try database.electrocardiograms(ofWorkout: workout.uuid).flatMap { sample -> [WaveformReading] in
            guard let rate = sample.samplingFrequency?.doubleValue(for: .hertz()), rate > 0 else { return [] }
            let voltages = try database.voltages(sample.uuid).map { Int32(exactly: $0.rounded()) ?? 0 }
            let length = Swift.max(1, Int(rate))
            return stride(from: 0, to: voltages.count, by: length).map { place in
                WaveformReading(
                    .electrocardiogram, Array(voltages[place...].prefix(length)),
                    samplesPerSecond: rate, start: sample.startDate + Double(place) / rate,
                    sensor: sample.device.flatMap { devices.id(of: $0) })
            }
        }
    }

    /// The pauses, legs and laps, and totals without samples.
    private var marks: [PlacedEntry] {
        var marks: [PlacedEntry] = []
        for pause in pauses.intervals {
            marks.append(PlacedEntry(date: pause.start, rank: EntryPlace.pause, content: .state(.paused)))
            let isOpen =
                pause.end >= workout.endDate
                && !(workout.workoutEvents ?? []).contains {
                    $0.type == .resume && $0.dateInterval.start >= pause.end
                }
            if !isOpen {
                marks.append(PlacedEntry(date: pause.end, rank: EntryPlace.resume, content: .state(.running)))
            }
        }
        let parts = workout.namedActivities
        for (number, part) in parts.enumerated() {
            let record = ActivityRecord(
                id: part.uuid, activity: part.workoutConfiguration.activityDescription,
                metadata: (try? MetadataCoding.neutral(part.metadata)) ?? [:])
            marks.append(PlacedEntry(date: part.startDate, rank: EntryPlace.part, content: .activityBegan(record)))
            // The next leg, and the end of the workout, end a leg by themselves.
            let next = number + 1 < parts.count ? parts[number + 1].startDate : workout.endDate
            if let end = part.endDate, end < next {
                marks.append(PlacedEntry(date: end, rank: EntryPlace.partEnd, content: .activityEnded))
            }
        }
        for event in workout.workoutEvents ?? [] where event.type != .pause && event.type != .resume {
            guard let record = try? event.record() else { continue }
            let lap = legStarts[record.end] == nil ? EntryPlace.lap : EntryPlace.lapUntilPart
            let rank = event.type == .lap ? lap : EntryPlace.event
            marks.append(PlacedEntry(date: record.end, rank: rank, content: .event(record)))
        }
        for absence in absences.all {
            guard var sensor = devices.sensor(of: absence.device) else { continue }
            sensor.presence = .away
            marks.append(PlacedEntry(date: absence.start, rank: EntryPlace.absence, content: .sensor(sensor)))
            sensor.presence = .present
            if let end = absence.end {
                marks.append(PlacedEntry(date: end, rank: EntryPlace.part, content: .sensor(sensor)))
            }
        }
        for reading in statedTotals {
            marks.append(PlacedEntry(date: reading.end, rank: EntryPlace.quantity, content: .quantity(reading)))
        }
        // Entries with the same date and rank stay in the order of the workout.
        return marks.inOrder()
    }

    /// The averages that the workout states without readings, in words. No entry can hold them.
    package var averagesWithoutReadings: [String] {
        workout.allStatistics.keys
            .filter { $0.aggregationStyle != .cumulative && !WorkoutEffort.types.contains($0) && isWithoutReadings($0) }
            .map { "the average \(NeutralType.words($0.swiftName)), which has no readings" }.sorted()
    }

    /// Whether a type is wanted, and the workout can only state it.
    private func isWithoutReadings(_ type: HKQuantityType) -> Bool {
        types?.contains(type) ?? true && !devices.measured.contains(type)
    }

    private var statedTotals: [QuantityReading] {
        var totals = workout.statedTotals
        let named = Set(totals.compactMap(\.type))
        for (type, stated) in workout.allStatistics.sorted(by: { $0.key.identifier < $1.key.identifier })
        where !named.contains(type) {
            if let sum = stated.sumQuantity() { totals.append((type, sum)) }
        }
        return totals.enumerated().compactMap { number, stated in
            let (type, total) = stated
            guard let type, let total, isWithoutReadings(type) else { return nil }
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

    /// Returns the place of an entry with this date.
    private func place(_ date: Date, _ rank: Int) -> EntryPlace {
        if let pause = pause(around: date) {
            return EntryPlace(date: pause.start, rank: EntryPlace.inPause, own: date)
        }
        return EntryPlace(date: Swift.min(Swift.max(date, workout.startDate), workout.endDate), rank: rank)
    }

    /// Returns the rank of beats or of a position at a date. At the start of a leg, they belong to the leg of the heart rate.
    private func rank(_ rank: Int, at date: Date) -> Int {
        legStarts[date] != nil && absences.partsBehindValues.contains(date) ? EntryPlace.untilPart : rank
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

    private func categories() throws -> [PlacedEntry] {
        let selections = devices.types.filter { !($0 is HKQuantityType) }
            .map { SampleSelection($0, .workout(workout.uuid)) }
        guard !selections.isEmpty else { return [] }
        return try database.samples(selections, sortedBy: [SampleSort(.startDate)], limit: nil).compactMap { sample in
            guard let sample = sample as? HKCategorySample, let content = try? sample.logContent() else { return nil }
            return PlacedEntry(place(sample.endDate, EntryPlace.quantity), content)
        }.inOrder()
    }

    /// Returns the place of a measurement, and whether its entry contains the UUID of its sample.
    private func place(of measurement: StoredMeasurement) -> (EntryPlace, hasOrigin: Bool) {
        let start = Date(timeIntervalSinceReferenceDate: measurement.start)
        let end = Date(timeIntervalSinceReferenceDate: measurement.end)
        var hasOrigin = false
        // A reading that spans a whole pause still counts.
        if start < end, !pauses.intervals.isEmpty,
            let pause = pauses.intervals.dropFirst(pauses.intervals.partitioningIndex { $0.end > start }).first,
            end > pause.start
        {
            hasOrigin = true
        }
        let shared = measurement.shared
        if keepsIdentities, shared.hasMetadata || shared.source != workout.sourceRevision.source { hasOrigin = true }
        var place = place(end, EntryPlace.quantity)
        if let leg = legStarts[end], place.rank == EntryPlace.quantity,
            start < end || leg.isAfter(shared.kind.type) ?? absences.partsBehindValues.contains(end)
        {
            place.rank = EntryPlace.untilPart
        }
        return (place, hasOrigin)
    }
}

/// The start of a leg.
private struct LegStart {
    /// The types that only one of the leg and the leg before it measures.
    private var ofEarlier: Set<String>
    private var ofLater: Set<String>

    static func all(of workout: HKWorkout) -> [Date: LegStart] {
        var starts: [Date: LegStart] = [:]
        var earlier: Set<String> = []
        for leg in workout.namedActivities {
            let types = MotionKinds(leg.workoutConfiguration.activityDescription, sensor: "").types
            starts[leg.startDate] = LegStart(
                ofEarlier: earlier.subtracting(types), ofLater: types.subtracting(earlier))
            earlier = types
        }
        return starts
    }

    /// Returns whether the leg begins after a reading of this moment. Nil if its type does not show that.
    func isAfter(_ type: String) -> Bool? { ofEarlier.contains(type) ? true : ofLater.contains(type) ? false : nil }
}

extension QuantityReading {
    /// Creates a reading in the type's recording unit.
    init(_ measurement: StoredMeasurement) {
        self.init(
            measurement.shared.kind, measurement.value,
            start: Date(timeIntervalSinceReferenceDate: measurement.start),
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
