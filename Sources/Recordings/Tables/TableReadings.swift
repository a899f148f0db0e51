import Foundation

/// Makes entries of a log of a table's rows.
struct TableReadings {
    /// The one sensor: whatever made the table.
    static let recorder = "recorder"

    private let heartRateKind = ReadingKind.heartRate(sensor: recorder)
    private let energyKind = ReadingKind("activeEnergyBurned", unit: "kcal", sensor: recorder)
    private var kinds: MotionKinds
    private let id: UUID
    private var parts = 0
    private var distance: Double?
    private var distanceDate: Date
    private var energy: Double?
    private var energyDate: Date
    private var lap: Int?
    private var lapStart: Date

    /// Whether a row came before, so that a total that begins now was counted from the beginning.
    private var hasRows = false

    /// Of a total that the first row begins with, above these only what is added counts: it was covered before. The same holds
    /// for a first distance that nobody covers since the start.
    private static let firstMeters = 100.0
    private static let fastestInMetersPerSecond = 50.0
    private static let firstKilocalories = 20.0

    /// Of the table's own columns.
    private let own: [(kind: ReadingKind, adds: Bool)]
    /// Until when they were told, of those that add up.
    private var ownDates: [Date]

    /// - Parameter id: Of the recording.
    init(activity: String, start: Date, id: UUID, own: [TableLayout.NativeColumn]) {
        self.id = id
        self.own = own.map {
            (ReadingKind($0.type, unit: $0.unit, sensor: Self.recorder), QuantityReading.addsUp($0.type))
        }
        ownDates = own.map { _ in start }
        distanceDate = start
        energyDate = start
        lapStart = start
        kinds = MotionKinds(ActivityDescription(activity: activity), sensor: Self.recorder)
    }

    mutating func append(_ row: TableRows, at date: Date, to entries: EntryBuffer) {
        defer { hasRows = true }
        if !row.event.isEmpty { take(row.event, at: date, to: entries) }
        if let number = row.lap, number != lap {
            if lap != nil, date > lapStart { endLap(at: date, entries) }
            lap = number
        }
        let speed = row[.speed]
        let latitude = row[.latitude]
        let longitude = row[.longitude]
        // Where there was no fix, zeros stand.
        if !latitude.isNaN, !longitude.isNaN, latitude != 0 || longitude != 0 {
            let altitude = row[.altitude]
            let position = PositionReading(
                latitudeInDegrees: latitude, longitudeInDegrees: longitude,
                altitudeInMeters: altitude.isNaN ? nil : altitude, speedInMetersPerSecond: speed.isNaN ? nil : speed)
            entries.append(SessionEntry(date, .position(position)))
        }
        func add(_ kind: consuming ReadingKind, _ value: Double, from start: Date) {
            entries.append(SessionEntry(date, .quantity(QuantityReading(kind, value, start: start, end: date))))
        }
        let heartRate = row[.heartRate]
        if heartRate > 0 { add(heartRateKind, heartRate, from: date) }
        if !row.intervals.isEmpty {
            let beats = BeatReading(intervalsInMilliseconds: row.intervals, sensor: Self.recorder)
            entries.append(SessionEntry(date, .beats(beats)))
        }
        if let kind = kinds.distance, case let total = row[.distance], !total.isNaN {
            let before = distance ?? (wasCovered(total, at: date) ? total : 0)
            if total > before { add(kind, total - before, from: min(distanceDate, date)) }
            distance = total
            distanceDate = date
        }
        if let kind = kinds.speed, !speed.isNaN { add(kind, speed, from: date) }
        if let kind = kinds.power, case let power = row[.power], !power.isNaN { add(kind, power, from: date) }
        if let kind = kinds.cadence, case let cadence = row[.cadence], !cadence.isNaN { add(kind, cadence, from: date) }
        if let kind = kinds.temperature, case let degrees = row[.temperature], !degrees.isNaN {
            add(kind, degrees, from: date)
        }
        if case let total = row[.energy], !total.isNaN {
            let before = energy ?? (!hasRows && total > Self.firstKilocalories ? total : 0)
            if total > before { add(energyKind, total - before, from: min(energyDate, date)) }
            energy = total
            energyDate = date
        }
        for (column, value) in row.own {
            add(own[column].kind, value, from: own[column].adds ? min(ownDates[column], date) : date)
            ownDates[column] = date
        }
        // Zero says that there was nothing to measure.
        if let kind = kinds.groundContactTime, case let time = row[.groundContactTime], time > 0 {
            add(kind, time, from: date)
        }
        if let kind = kinds.verticalOscillation, case let oscillation = row[.verticalOscillation], oscillation > 0 {
            add(kind, oscillation, from: date)
        }
        if let kind = kinds.strideLength, case let length = row[.strideLength], length > 0 {
            add(kind, length, from: date)
        }
    }

    private func wasCovered(_ meters: Double, at date: Date) -> Bool {
        guard meters > Self.firstMeters else { return false }
        let seconds = max(date.timeIntervalSince(distanceDate), 1)
        return !hasRows || meters > seconds * Self.fastestInMetersPerSecond
    }

    private mutating func take(_ event: String, at date: Date, to entries: EntryBuffer) {
        switch event {
        case "pause": entries.append(SessionEntry(date, .state(.paused)))
        case "resume":
            entries.append(SessionEntry(date, .state(.running)))
            distanceDate = date
            energyDate = date
            for column in ownDates.indices { ownDates[column] = date }
        case "lap": endLap(at: date, entries)
        default:
            guard let activity = TableEvent.part(event) else { return }
            beginPart(activity, at: date, to: entries)
        }
    }

    mutating func beginPart(_ activity: String, at date: Date, to entries: EntryBuffer) {
        kinds = MotionKinds(ActivityDescription(activity: activity), sensor: Self.recorder)
        parts += 1
        var name = HealthFingerprint()
        name.combine(id.uuidString)
        name.combine(UInt64(parts))
        let record = ActivityRecord(id: name.uuid, activity: ActivityDescription(activity: activity))
        entries.append(SessionEntry(date, .activityBegan(record)))
    }

    /// A lap that ended, and the next that began.
    mutating func endLap(at date: Date, _ entries: EntryBuffer) {
        entries.append(SessionEntry(date, .event(EventRecord(.lap, start: lapStart, end: date))))
        lapStart = date
    }

    /// The last lap of several ends with the workout.
    mutating func finish(at date: Date, to entries: EntryBuffer) {
        if let lap, lap > 0, date > lapStart { endLap(at: date, entries) }
    }
}
