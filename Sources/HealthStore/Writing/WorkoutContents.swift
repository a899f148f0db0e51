import Analytics
import SessionLog

/// The content of a workout's log for the store: samples, beats, positions, and references to stored samples.
///
/// A log may be long and in a file. So it is read piece by piece, and samples are passed on in batches.
struct WorkoutContents {
    private static let batchLength = 2_048

    private let log: any SessionEntries
    private var samples: LoggedSamples
    /// The column of the batch for each kind of reading. Nil for a kind that is no sample.
    private var columns = KindCache<Int?>()
    private var positions = PositionColumns()
    private var beats = BeatTrain()
    private var electrocardiograms = Electrocardiograms()
    private var holdEnds = HoldCutoffs()
    private var batch = Batch()
    /// Samples of other kinds, which were stored when the app added them. Complete after ``forEachBatch(_:endHolds:)``, as are the
    /// beats and the positions.
    private(set) var references: Set<UUID> = []
    /// The sensor of each kind of reading so far.
    private(set) var sensors: [StoredSensor] = []
    /// Whether the log has to be read to know its sensors.
    private let findsSensors: Bool

    /// - Parameter workout: The UUID of the workout.
    init(of workout: UUID, log: any SessionEntries) throws {
        self.log = log
        samples = LoggedSamples(of: workout)
        let sensors = try log.sensors
        findsSensors = sensors.isEmpty
        for status in sensors { samples.note(status) }
    }

    /// The devices whose last values are held no longer.
    enum Holder {
        case all
        /// Nil for sensors without a description.
        case device(HKDevice?)
    }

    /// Some of the samples. Each has a place, its order in the log.
    struct Batch {
        /// Sensor readings: a column for each type, unit and device.
        fileprivate(set) var measured: [MeasuredColumn] = []
        /// Samples that the app added, which may be stored already.
        fileprivate(set) var added: [(sample: HKSample, place: Int)] = []
        fileprivate(set) var count = 0

        /// Empties the columns, and keeps them for the next samples.
        fileprivate mutating func removeAll() {
            for place in measured.indices { measured[place].removeAll() }
            added.removeAll(keepingCapacity: true)
            count = 0
        }
    }

    /// Passes on the samples in the order of the log, and between them the ends of holds. Call it once.
    mutating func forEachBatch(
        _ store: (Batch) throws -> Void, endHolds: (_ date: Date, _ holder: Holder) throws -> Void
    ) throws {
        let log = log
        func flush() throws {
            try store(batch)
            batch.removeAll()
        }
        try log.forEachCounted { entry in
            let isLate = holdEnds.openPause != nil && entry.isReading
            let end = holdEnds.end(at: entry)
            if let end, entry.isReading {
                // It ends the holds of earlier values.
                try flush()
                try endHolds(end.date, .all)
            }
            take(entry)
            if let end, !entry.isReading {
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
        if let reading = entry.numbers, let column = columns[reading.kind] {
            return measure(reading, column)
        }
        takeOther(entry)
    }

    // A separate function, so that only such an entry is copied.
    @inline(never)
    private mutating func takeOther(_ entry: SessionEntry) {
        switch entry.content {
        case .sensor(let status):
            if status.presence != .present { beats.sensorLeft(status.id) }
            if findsSensors { samples.note(status) }
        // Beats in a pause are unknown.
        case .state(.paused): beats.interrupt()
        case .quantity(let reading) where reading.origin == nil:
            measure(ReadingNumbers(reading), column(of: reading.kind))
        case .quantity(let reading): if let sample = try? HKQuantitySample.of(reading) { add(sample) }
        case .category(let reading): if let sample = try? HKCategorySample.of(reading) { add(sample) }
        case .beats(let reading): beats.add(reading, at: entry.date)
        case .waveform(let reading): electrocardiograms.add(reading)
        case .position(let reading): positions.append(reading, at: entry.date)
        case .routeDiscarded: positions.removeAdded()
        case .object(let reference): references.insert(reference.id)
        case .header, .state, .collection, .activityBegan, .activityMetadata, .activityEnded, .event, .metadata,
            .notification, .wearer, .zones, .remoteData, .companion, .clockSet:
            break
        }
    }

    private mutating func add(_ sample: HKSample) {
        batch.added.append((sample, batch.count))
        batch.count += 1
    }

    private mutating func measure(_ reading: ReadingNumbers, _ column: Int?) {
        if reading.isHeartRate, electrocardiograms.isOpen { electrocardiograms.add(heartRate: reading.value) }
        guard let column, batch.measured[column].append(reading, of: &samples, at: batch.count) else { return }
        batch.count += 1
    }

    private mutating func column(of kind: ReadingKind) -> Int? {
        if let known = columns[kind] { return known }
        var column: Int?
        if let measured = samples.measuredType(kind) {
            let device = samples.device(of: kind.sensor)
            if let id = kind.sensor, id != SensorStatus.thisMachine {
                sensors.append(StoredSensor(id: id, device: device))
            }
            column = batch.measured.count
            batch.measured.append(MeasuredColumn(measured, device))
        }
        columns.note(column, of: kind)
        return column
    }

    private enum Series {
        case route, heartbeats
        case electrocardiogram(Int)

        var number: UInt64 {
            switch self {
            case .route: 0
            case .heartbeats: 1
            case .electrocardiogram(let index): 2 + UInt64(index)
            }
        }
    }

    private func identity(
        _ series: Series, of workout: HKWorkout, _ device: HKDevice?, _ metadata: [String: Any]? = nil
    ) throws(SampleError) -> ObjectIdentity {
        try ObjectIdentity(uuid: .ofSeries(series.number, in: workout.uuid), device: device, metadata: metadata)
    }

    /// Returns the beats as a series, and removes them. Nil without beats.
    mutating func takeHeartbeats(of workout: HKWorkout) -> (HKHeartbeatSeriesSample, [StoredHeartbeat])? {
        defer { beats = BeatTrain() }
        guard let (start, end, beats) = beats.series else { return nil }
        let sample = try? HKHeartbeatSeriesSample.validated(
            identity(.heartbeats, of: workout, workout.device), count: beats.count, start: start, end: end)
        return sample.map { ($0, beats) }
    }

    /// Returns the electrocardiograms with their voltages in microvolts, and removes them.
    mutating func takeElectrocardiograms(of workout: HKWorkout) -> [(HKElectrocardiogram, [Double])] {
        let all = electrocardiograms
        electrocardiograms = Electrocardiograms()
        return all.spans.all.enumerated().compactMap { number, span in
            let rates = all.heartRates[number]
            let mean = rates.count == 0 ? nil : rates.sum / Double(rates.count)
            let perMinute = HKUnit.count().unitDivided(by: .minute())
            let sample = try? HKElectrocardiogram.validated(
                identity(.electrocardiogram(number), of: workout, samples.device(of: span.sensor)),
                classification: .notSet,
                averageHeartRate: mean.map { HKQuantity(unit: perMinute, doubleValue: $0) },
                samplingFrequency: HKQuantity(unit: .hertz(), doubleValue: span.samplesPerSecond),
                numberOfVoltageMeasurements: span.voltages, start: span.start, end: span.end)
            return sample.map { ($0, all.voltages[number].map(Double.init)) }
        }
    }

    /// Returns the positions as a route in order of time, and removes them. Nil without positions.
    mutating func takeRoute(
        of workout: HKWorkout, _ metadata: [String: Any]?
    ) throws -> (HKWorkoutRoute, PositionColumns)? {
        var positions = PositionColumns()
        swap(&positions, &self.positions)
        try positions.finish()
        guard positions.count > 0 else { return nil }
        let sample = try? HKWorkoutRoute.validated(
            identity(.route, of: workout, workout.device, metadata), count: positions.count,
            start: Date(timeIntervalSinceReferenceDate: positions.firstTime),
            end: Date(timeIntervalSinceReferenceDate: positions.lastTime))
        return sample.map { ($0, positions) }
    }
}

/// The electrocardiograms of a log, with their voltages and the heart rates beside them.
private struct Electrocardiograms {
    private(set) var spans = ElectrocardiogramSpans()
    /// In microvolts, for each span.
    private(set) var voltages: [[Int32]] = []
    private(set) var heartRates: [(sum: Double, count: Int)] = []

    /// Whether heart rates belong to an electrocardiogram now.
    var isOpen: Bool { !voltages.isEmpty }

    mutating func add(heartRate: Double) {
        heartRates[heartRates.count - 1].sum += heartRate
        heartRates[heartRates.count - 1].count += 1
    }

    mutating func add(_ reading: WaveformReading) {
        guard let number = spans.add(reading) else { return }
        if number == voltages.count {
            voltages.append([])
            heartRates.append((0, 0))
        }
        voltages[number] += reading.values
    }
}

/// Turns RR intervals into times of beats. There is a gap if beats were lost: the intervals do not follow each other by
/// ``BeatClock``, or the sensor was away.
///
/// Times are milliseconds since the first beat. Sensors count whole milliseconds or 1/1024 s. A `Double` adds both without
/// rounding, so every interval is the difference of two times. The end of a gap is known only to a fraction of a second, and
/// is rounded to the same grid.
private struct BeatTrain {
    private static let tickInMilliseconds = 1000.0 / 1024
    private var clock = BeatClock()
    /// The sensor of the latest beats.
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

    /// The start, the end, and the beats in seconds since the start. Nil without beats.
    var series: (Date, Date, [StoredHeartbeat])? {
        guard let firstBeat, let last = moments.last else { return nil }
        let start = Date(timeIntervalSinceReferenceDate: firstBeat)
        return (
            start, start + last.milliseconds / 1000,
            moments.map { StoredHeartbeat(secondsSinceStart: $0.milliseconds / 1000, precededByGap: $0.afterGap) }
        )
    }
}
