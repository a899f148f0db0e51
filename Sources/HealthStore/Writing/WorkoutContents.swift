import Analytics
import SessionLog

/// What the log of a workout holds for the store: samples, beats, positions, and what is stored already.
///
/// A log may be long and stand in a file, so it is read as often as something is asked for, and its samples are handed on by
/// the thousand.
struct WorkoutContents {
    private static let batchLength = 2_048

    private let workout: HKWorkout
    private let log: any SessionEntries
    private let routeMetadata: [String: Any]?
    private var samples: LoggedSamples
    /// Which column of the batch the readings of a kind are in; nil for a kind that no sample can be made of.
    private var columns = KindCache<Int?>()
    private var positions = PositionColumns()
    private var beats = BeatTrain()
    private var holdEnds = HoldCutoffs()
    private var batch = Batch()
    /// Samples of other kinds, which were stored when the app added them. Known once the samples were handed on, as are the
    /// beats and the positions.
    private(set) var references: Set<UUID> = []

    init(_ workout: HKWorkout, log: any SessionEntries, adding added: AddedSeries = AddedSeries()) throws {
        self.workout = workout
        self.log = log
        routeMetadata = added.routeMetadata
        samples = LoggedSamples(of: workout.uuid)
        for status in try log.sensors { samples.note(status) }
    }

    /// Whose values are held no more.
    enum Holder {
        case all
        /// Nil for those of sensors that never said what they are.
        case device(HKDevice?)
    }

    /// Some of the samples. Each has a place: the order in which they stand in the log.
    struct Batch {
        /// What sensors measured: a column for each type, unit and device.
        fileprivate(set) var measured: [MeasuredColumn] = []
        /// What the app added, which may be in the store already.
        fileprivate(set) var added: [(sample: HKSample, place: Int)] = []
        fileprivate(set) var count = 0

        /// The columns stay, for what comes next.
        fileprivate mutating func removeAll() {
            for place in measured.indices { measured[place].removeAll() }
            added.removeAll(keepingCapacity: true)
            count = 0
        }
    }

    /// Hands on the samples, in the order of the log, and between them until when those before are held. Once.
    mutating func forEachBatch(
        _ store: (Batch) throws -> Void, endHolds: (_ date: Date, _ holder: Holder) throws -> Void
    ) throws {
        let log = log
        func flush() throws {
            try store(batch)
            batch.removeAll()
        }
        try log.forEachCounted { entry in
            let isLate = holdEnds.openPause != nil && entry.numbers != nil
            take(entry)
            if let end = holdEnds.end(at: entry) {
                try flush()
                try endHolds(end.date, end.sensor.map { Holder.device(samples.device(of: $0)) } ?? .all)
            } else if isLate, let pause = holdEnds.openPause {
                try flush()
                try endHolds(pause, .all)
            } else if batch.count >= Self.batchLength {
                try flush()
            }
        }
        try flush()
    }

    private mutating func take(_ entry: SessionEntry) {
        if let reading = entry.numbers, !reading.isAdded, let column = columns[reading.kind] {
            return measure(reading, column)
        }
        takeOther(entry)
    }

    // Apart, so that only such an entry is copied.
    @inline(never)
    private mutating func takeOther(_ entry: SessionEntry) {
        switch entry.content {
        case .sensor(let status):
            if status.presence != .present { beats.sensorLeft(status.id) }
        // In a pause nobody counted the beats.
        case .state(.paused): beats.interrupt()
        case .quantity(let reading) where reading.origin == nil:
            measure(ReadingNumbers(reading), column(of: reading.kind))
        case .quantity(let reading): if let sample = try? HKQuantitySample.of(reading) { add(sample) }
        case .category(let reading): if let sample = try? HKCategorySample.of(reading) { add(sample) }
        case .beats(let reading): beats.add(reading, at: entry.date)
        case .position(let reading): positions.append(reading, at: entry.date)
        case .routeDiscarded: positions.removeAdded()
        case .object(let reference): references.insert(reference.id)
        case .header, .state, .collection, .activityBegan, .activityMetadata, .activityEnded, .event, .metadata,
            .notification, .wearer, .remoteData, .companion, .clockSet:
            break
        }
    }

    private mutating func add(_ sample: HKSample) {
        batch.added.append((sample, batch.count))
        batch.count += 1
    }

    private mutating func measure(_ reading: ReadingNumbers, _ column: Int?) {
        guard let column, batch.measured[column].append(reading, of: &samples, at: batch.count) else { return }
        batch.count += 1
    }

    private mutating func column(of kind: ReadingKind) -> Int? {
        if let known = columns[kind] { return known }
        var column: Int?
        if let measured = samples.measuredType(kind) {
            column = batch.measured.count
            batch.measured.append(MeasuredColumn(measured, samples.device(of: kind.sensor)))
        }
        columns.note(column, of: kind)
        return column
    }

    /// The beats as a series, and gives them out of hand: nil without beats, and the second time.
    mutating func takeHeartbeats() -> (HKHeartbeatSeriesSample, [StoredHeartbeat])? {
        defer { beats = BeatTrain() }
        guard let (start, end, beats) = beats.series else { return nil }
        let sample = try? HKHeartbeatSeriesSample.validated(
            ObjectIdentity(device: workout.device), count: beats.count, start: start, end: end)
        return sample.map { ($0, beats) }
    }

    /// The positions as a route, in order of time, and gives them out of hand: nil without positions, and the second time.
    mutating func takeRoute() throws -> (HKWorkoutRoute, PositionColumns)? {
        var positions = PositionColumns()
        swap(&positions, &self.positions)
        try positions.finish()
        guard positions.count > 0 else { return nil }
        let sample = try? HKWorkoutRoute.validated(
            ObjectIdentity(device: workout.device, metadata: routeMetadata), count: positions.count,
            start: Date(timeIntervalSinceReferenceDate: positions.firstTime),
            end: Date(timeIntervalSinceReferenceDate: positions.lastTime))
        return sample.map { ($0, positions) }
    }
}

/// RR intervals as moments of beats. Where ``BeatClock`` says that they do not follow each other, as for the figures of a log,
/// or the sensor was away, beats were lost: a gap.
///
/// Moments are added up in milliseconds since the first beat. Sensors count in whole milliseconds or in 1/1024 s, and a
/// `Double` adds either without rounding, so that every interval is the difference of two moments. Where a gap ends is
/// only known to a fraction of a second: it is put on the same grid.
private struct BeatTrain {
    private static let tickInMilliseconds = 1000.0 / 1024
    private var clock = BeatClock()
    /// Of the latest beats.
    private var sensor: String?
    private var firstBeat: Double?
    private var moments: [(milliseconds: Double, afterGap: Bool)] = []

    mutating func interrupt() { clock.interrupt() }

    mutating func sensorLeft(_ id: String) {
        if sensor == id { interrupt() }
    }

    mutating func add(_ reading: BeatReading, at date: Date) {
        let intervals = reading.intervalsInMilliseconds.filter { $0.isFinite && $0 > 0 }
        guard !intervals.isEmpty else { return }
        sensor = reading.sensor
        let sum = intervals.reduce(0, +)
        let first = firstBeat ?? date.timeIntervalSinceReferenceDate - sum / 1000
        firstBeat = first
        let (start, isContinued) = clock.add(
            sumInMilliseconds: sum, at: date.timeIntervalSinceReferenceDate - first)
        let previous = moments.last?.milliseconds
        var latest: Double
        if isContinued, let previous {
            latest = previous
        } else {
            let grid = intervals.allSatisfy { $0 == $0.rounded() } ? 1 : Self.tickInMilliseconds
            latest = max(previous ?? 0, (start * 1000 / grid).rounded() * grid)
            moments.append((latest, previous != nil))
        }
        for interval in intervals {
            latest += interval
            moments.append((latest, false))
        }
    }

    /// Start, end and the beats in seconds since the start; nil without beats.
    var series: (Date, Date, [StoredHeartbeat])? {
        guard let firstBeat, let last = moments.last else { return nil }
        let start = Date(timeIntervalSinceReferenceDate: firstBeat)
        return (
            start, start + last.milliseconds / 1000,
            moments.map { StoredHeartbeat(secondsSinceStart: $0.milliseconds / 1000, precededByGap: $0.afterGap) }
        )
    }
}
