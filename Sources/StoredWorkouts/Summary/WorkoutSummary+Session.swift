package import Analytics
import CoreLocation
package import Recordings
package import SessionLog

extension WorkoutSummary {
    /// Summarizes a session. Throws if its log cannot be read.
    package init(id: UUID, state: SessionState, log: any SessionEntries) throws {
        // In one pass, because the log may be long and in a file.
        var laps = MeasuredLaps(of: state)
        var track = LoggedRoute()
        var voltages = ElectrocardiogramSpans()
        try log.forEachCounted { entry in
            track.take(entry)
            laps.take(entry)
            voltages.take(entry)
        }
        self.init(id: id, state: state, laps.figures, route: try track.summary(pauses: state.summarizedPauses))
        electrocardiograms = voltages.all.map(Electrocardiogram.init)
    }

    init(id: UUID, state: SessionState, _ lapFigures: [Lap.Figures], route: RouteSummary?) {
        let start = state.workoutStart ?? .distantPast
        let end = max(start, state.workoutEnd ?? start)
        self.init(
            id: id, activity: state.header?.activity.activity ?? "other", start: start, end: end,
            elapsedInSeconds: end.timeIntervalSince(start), durationInSeconds: state.activeSeconds(at: end))
        pauses = state.summarizedPauses
        laps = lapFigures.map { lap in
            Lap(
                lap, durationInSeconds: state.activeSeconds(at: lap.end) - state.activeSeconds(at: lap.start))
        }
        activities = state.activities.map { activity in
            let activityEnd = activity.end ?? end
            return Activity(
                activity: activity.record.activity.activity, start: activity.start, end: activityEnd,
                durationInSeconds: state.activeSeconds(at: activityEnd) - state.activeSeconds(at: activity.start),
                averageHeartRate: activity.quantities[QuantityReading.heartRateType]?.statistics.average)
        }
        events = state.events.map { Event(type: $0.kind.rawValue, start: $0.start, end: $0.end) }
        statistics = state.quantities.compactMap { name, quantity in
            TypeCatalogue.quantityType(named: name).flatMap {
                Statistics(type: $0, unit: quantity.unit, quantity.statistics)
            }
        }.sorted { $0.identifier < $1.identifier }
        beats = state.beats.count > 0 ? BeatSummary(state.beats) : nil
        self.route = route
        // Without a heart rate there are no zones, as for a stored workout.
        if state.quantities[QuantityReading.heartRateType] != nil { setZones(state) }
        sensors = state.sensors.map { Sensor(name: $0.device.name ?? $0.id, kind: $0.kind.rawValue) }
    }
}

extension WorkoutSummary {
    mutating func setZones(_ state: SessionState) {
        zones = state.zones
        belowZonesInSeconds = state.timeInZone.map { $0.belowZones / .seconds(1) }
    }
}

extension SessionState {
    /// The time in each zone, lowest first. Empty if the wearer is unknown.
    package var zones: [WorkoutSummary.Zone] {
        timeInZone.map { time in
            time.inZone.enumerated().map { WorkoutSummary.Zone(zone: $0 + 1, seconds: $1 / .seconds(1)) }
        } ?? []
    }
}

extension SessionState {
    /// The pauses. An open one ends with the workout.
    var summarizedPauses: [WorkoutSummary.Pause] {
        let end = max(workoutStart ?? .distantPast, workoutEnd ?? workoutStart ?? .distantPast)
        return pauses.map { WorkoutSummary.Pause(start: $0.start, end: $0.end ?? end) }
    }
}

/// The figures of each lap of a session, computed entry by entry.
struct MeasuredLaps {
    private(set) var figures: [WorkoutSummary.Lap.Figures]
    private var measured = KindCache<WorkoutSummary.Lap.Figures.Measured>()
    /// Whether no laps overlap, so that a reading is only in consecutive ones.
    private let areApart: Bool

    init(of state: SessionState) {
        let laps = state.events.laps(workoutStart: state.workoutStart)
        figures = WorkoutSummary.Lap.Figures.of(laps, pauses: state.summarizedPauses)
        areApart = zip(laps, laps.dropFirst()).allSatisfy { $0.end <= $1.start }
    }

    mutating func take(_ entry: SessionEntry) {
        if let numbers = entry.numbers, let measured = measured[numbers.kind] {
            add(numbers.value, measured, from: numbers.start, to: numbers.end)
        } else if entry.isReading {
            takeOther(entry)
        }
    }

    // A separate function, so that only such an entry is copied.
    @inline(never)
    private mutating func takeOther(_ entry: SessionEntry) {
        guard case .quantity(let reading) = entry.content else { return }
        let found = WorkoutSummary.Lap.Figures.Measured(reading.kind)
        if reading.origin == nil { measured.note(found, of: reading.kind) }
        add(reading.value, found, from: reading.start, to: reading.end)
    }

    private mutating func add(
        _ value: Double, _ measured: WorkoutSummary.Lap.Figures.Measured, from start: Date, to end: Date
    ) {
        guard measured != .other else { return }
        var index = areApart ? figures.partitioningIndex { $0.holds(start) || $0.end > start } : 0
        while index < figures.count {
            figures[index].add(value, measured, from: start, to: end)
            index += 1
            if areApart, index < figures.count, figures[index].start >= end { break }
        }
    }
}

extension WorkoutSummary.Lap {
    /// The figures of a lap, computed reading by reading.
    ///
    /// A reading at the end of a lap counts for the next one. At the end of the last lap it counts for that.
    struct Figures {
        let start: Date
        let end: Date
        private let isLast: Bool
        private var heartRates = RunningStatistics(.temporal)
        /// The pauses that may end a hold.
        private var pauses: ArraySlice<WorkoutSummary.Pause>
        /// Nil if nothing was measured, or only for several laps together.
        var meters: Double? { isMeasuredWithOthers ? nil : covered }
        private var covered: Double?
        private var isMeasuredWithOthers = false

        private init(start: Date, end: Date, isLast: Bool, pauses: [WorkoutSummary.Pause]) {
            self.start = start
            self.end = end
            self.isLast = isLast
            self.pauses = pauses.filter { $0.start < end && $0.end > start }[...]
        }

        /// Returns the figures of laps, without any reading yet.
        /// - Parameter pauses: The workout's pauses, in order.
        static func of(_ laps: [EventRecord], pauses: [WorkoutSummary.Pause]) -> [Figures] {
            laps.enumerated().map { index, lap in
                Figures(start: lap.start, end: lap.end, isLast: index == laps.count - 1, pauses: pauses)
            }
        }

        /// Whether a reading at this time counts for the lap.
        func holds(_ date: Date) -> Bool { start <= date && (date < end || isLast && date == end) }

        /// The mean heart rate, each value weighted by the time for which it holds, as that of the whole workout.
        var averageHeartRate: Double? {
            var whole = heartRates
            whole.breakHold(at: pauses.first?.start ?? end)
            return whole.average
        }

        var maximumHeartRate: Double? { heartRates.count > 0 ? heartRates.maximum : nil }

        enum Measured {
            case heartRate, distance, other

            init(_ kind: ReadingKind) {
                self = kind.isHeartRate ? .heartRate : kind.type.hasPrefix("distance") ? .distance : .other
            }
        }

        /// Adds a value of the workout: a heart rate if it begins in the lap, a distance by its time in the lap.
        mutating func add(_ value: Double, _ measured: Measured, from begin: Date, to finish: Date) {
            let begins = holds(begin)
            switch measured {
            case .heartRate: if begins { add(value, from: begin, to: finish) }
            case .distance: cover(value, from: begin, to: finish, begins)
            case .other: break
            }
        }

        private mutating func add(_ heartRate: Double, from begin: Date, to finish: Date) {
            while let pause = pauses.first, pause.start <= begin {
                heartRates.breakHold(at: pause.start)
                if begin < pause.end { break }
                pauses.removeFirst()
            }
            heartRates.add(heartRate, start: begin, end: min(finish, end))
        }

        private mutating func cover(_ meters: Double, from begin: Date, to finish: Date, _ begins: Bool) {
            let length = finish.timeIntervalSince(begin)
            guard length > 0 else {
                if begins { covered = (covered ?? 0) + meters }
                return
            }
            let inside = min(finish, end).timeIntervalSince(max(begin, start))
            guard inside > 0 else { return }
            // Its speed is unknown, and so is the distance of a lap that it fills.
            if length > SecondlySeries.longestReadingInSeconds, inside <= length / 2,
                inside > end.timeIntervalSince(start) / 2
            {
                isMeasuredWithOthers = true
            }
            covered = (covered ?? 0) + meters * (inside / length)
        }
    }

    init(_ figures: Figures, durationInSeconds: Double) {
        self.init(
            start: figures.start, end: figures.end, durationInSeconds: durationInSeconds,
            distanceInMeters: figures.meters, averageHeartRate: figures.averageHeartRate,
            maximumHeartRate: figures.maximumHeartRate)
    }
}

extension WorkoutSummary.Statistics {
    /// Nil without values.
    package init?(type: HKQuantityType, unit: String, _ figures: RunningStatistics) {
        guard figures.count > 0 else { return nil }
        self.init(identifier: type.identifier, unit: unit, count: figures.count)
        if type.aggregationStyle == .cumulative {
            sum = figures.sum
        } else {
            minimum = figures.minimum
            average = figures.average
            arithmeticMean = figures.arithmeticMean
            maximum = figures.maximum
            mostRecent = figures.mostRecent?.value
        }
    }
}

extension WorkoutSummary.Electrocardiogram {
    init(_ span: ElectrocardiogramSpans.Span) {
        self.init(start: span.start, end: span.end, samplesPerSecond: span.samplesPerSecond, voltages: span.voltages)
    }
}

extension BeatSummary {
    package init(_ beats: BeatStatistics) {
        self.init(count: beats.count, sdnnInMilliseconds: beats.sdnn, rmssdInMilliseconds: beats.rmssd)
    }
}

extension FileSummary {
    /// Creates it with the file's figures, and the variability of all its intervals, unfiltered.
    package init(_ recording: RecordingSummary) {
        let beats = BeatStatistics(recording.rrIntervalsInMilliseconds)
        self.init(recording, sdnn: beats.sdnn, rmssd: beats.rmssd)
    }
}

extension RouteSummary {
    /// Nil without positions. The distance between two routes does not count.
    init?(_ routes: [StoredRoute], pauses: [WorkoutSummary.Pause]) throws {
        self.init(points: 0, distanceInMeters: 0)
        for var route in routes {
            var way = RouteLength(pauses: pauses)
            while let positions = try route.next() {
                for (date, position) in positions { way.add(CLLocationCoordinate2D(position), at: date) }
                points += positions.count
            }
            distanceInMeters += way.meters
        }
        if points == 0 { return nil }
    }
}

/// The length of the way along positions, in order of time, without pauses.
private struct RouteLength {
    private(set) var meters = 0.0
    private var way = WayAlongPositions()
    private var previous: Date?
    private var pauses: ArraySlice<WorkoutSummary.Pause>

    /// - Parameter pauses: In order of time. The way from the last position before a pause to the first after it does not
    ///   count.
    init(pauses: [WorkoutSummary.Pause]) { self.pauses = pauses[...] }

    mutating func add(_ place: CLLocationCoordinate2D, at date: Date) {
        if let previous {
            pauses = pauses.drop { $0.start < previous }
            if pauses.first.map({ $0.end <= date }) ?? false { way.interrupt() }
        }
        let distance = way.add((place.latitude, place.longitude), at: date.timeIntervalSinceReferenceDate) { from, to in
            Geodesic.distance(
                from: CLLocationCoordinate2D(latitude: from.latitude, longitude: from.longitude),
                to: CLLocationCoordinate2D(latitude: to.latitude, longitude: to.longitude))
        }
        if let distance, distance.isFinite { meters += distance }
        previous = date
    }
}

/// The positions in a session's log, as places and times in packed columns.
package struct LoggedRoute {
    private var positions = PositionColumns()

    package init() {}

    package mutating func take(_ entry: SessionEntry) {
        if case .quantity = entry.content { return }
        takeOther(entry)
    }

    // A separate function, so that only such an entry is copied.
    @inline(never)
    private mutating func takeOther(_ entry: SessionEntry) {
        switch entry.content {
        case .position(let position): positions.appendPlace(of: position, at: entry.date)
        case .routeDiscarded: positions.removeAdded()
        default: break
        }
    }

    /// Nil without positions.
    package func summary(pauses: [WorkoutSummary.Pause]) throws -> RouteSummary? {
        var positions = positions
        try positions.finish()
        guard positions.count > 0 else { return nil }
        var way = RouteLength(pauses: pauses)
        try positions.forEachPlace { date, latitude, longitude in
            way.add(CLLocationCoordinate2D(latitude: latitude, longitude: longitude), at: date)
        }
        return RouteSummary(points: positions.count, distanceInMeters: way.meters)
    }
}

extension CLLocationCoordinate2D {
    fileprivate init(_ position: PositionReading) {
        self.init(latitude: position.latitudeInDegrees, longitude: position.longitudeInDegrees)
    }
}
