import Foundation

/// Makes entries of a log of a table's rows.
struct TableReadings {
    /// The one sensor: whatever made the table.
    static let recorder = "recorder"

    private var distanceType: String?
    private var speedType: String?
    private var powerType: String?
    private var isCycling = false
    private var isRunning = false
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

    /// Of a total that the first row begins with, above these only what is added counts: it was covered before.
    private static let firstMeters = 100.0
    private static let firstKilocalories = 20.0

    private let own: [TableLayout.OwnColumn]
    /// Until when they were told, of those that add up.
    private var ownDates: [Date]

    /// - Parameter id: Of the recording.
    init(activity: String, start: Date, id: UUID, own: [TableLayout.OwnColumn]) {
        self.id = id
        self.own = own
        ownDates = own.map { _ in start }
        distanceDate = start
        energyDate = start
        lapStart = start
        begin(activity)
    }

    private mutating func begin(_ activity: String) {
        distanceType = ActivityDescription(activity: activity).distanceType
        speedType = ActivityDescription(activity: activity).speedType
        powerType = ActivityDescription(activity: activity).powerType
        isCycling = activity == "cycling" || activity == "handCycling"
        isRunning = activity == "running"
    }

    mutating func append(_ row: TableRows, at date: Date, to entries: inout [SessionEntry]) {
        defer { hasRows = true }
        if !row.event.isEmpty { take(row.event, at: date, to: &entries) }
        if let number = row.lap, number != lap {
            if lap != nil, date > lapStart { endLap(at: date, &entries) }
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
        let heartRate = row[.heartRate]
        if heartRate > 0 { add("heartRate", heartRate, "count/min", date, &entries) }
        if !row.intervals.isEmpty {
            let beats = BeatReading(intervalsInMilliseconds: row.intervals, sensor: Self.recorder)
            entries.append(SessionEntry(date, .beats(beats)))
        }
        if let distanceType, case let total = row[.distance], !total.isNaN {
            let before = distance ?? (!hasRows && total > Self.firstMeters ? total : 0)
            addTotal(distanceType, "m", from: before, to: total, since: distanceDate, date, &entries)
            distance = total
            distanceDate = date
        }
        if let speedType, !speed.isNaN { add(speedType, speed, "m/s", date, &entries) }
        if let powerType, case let power = row[.power], !power.isNaN { add(powerType, power, "W", date, &entries) }
        if isCycling, case let cadence = row[.cadence], !cadence.isNaN {
            add("cyclingCadence", cadence, "count/min", date, &entries)
        }
        if case let total = row[.energy], !total.isNaN {
            let before = energy ?? (!hasRows && total > Self.firstKilocalories ? total : 0)
            addTotal("activeEnergyBurned", "kcal", from: before, to: total, since: energyDate, date, &entries)
            energy = total
            energyDate = date
        }
        for (column, value) in row.own { addOwn(column, value, date, &entries) }
        guard isRunning else { return }
        // Zero says that there was nothing to measure.
        if row[.groundContactTime] > 0 {
            add("runningGroundContactTime", row[.groundContactTime], "ms", date, &entries)
        }
        if row[.verticalOscillation] > 0 {
            add("runningVerticalOscillation", row[.verticalOscillation], "cm", date, &entries)
        }
        if row[.strideLength] > 0 { add("runningStrideLength", row[.strideLength], "m", date, &entries) }
    }

    private mutating func take(_ event: String, at date: Date, to entries: inout [SessionEntry]) {
        switch event {
        case "pause": entries.append(SessionEntry(date, .state(.paused)))
        case "resume":
            entries.append(SessionEntry(date, .state(.running)))
            distanceDate = date
            energyDate = date
            for column in ownDates.indices { ownDates[column] = date }
        case "lap": if date > lapStart { endLap(at: date, &entries) }
        default:
            guard let activity = TableEvent.part(event) else { return }
            beginPart(activity, at: date, to: &entries)
        }
    }

    mutating func beginPart(_ activity: String, at date: Date, to entries: inout [SessionEntry]) {
        begin(activity)
        parts += 1
        var name = HealthFingerprint()
        name.combine(id.uuidString)
        name.combine(UInt64(parts))
        let record = ActivityRecord(id: name.uuid, activity: ActivityDescription(activity: activity))
        entries.append(SessionEntry(date, .activityBegan(record)))
    }

    /// A lap that ended, and the next that began.
    mutating func endLap(at date: Date, _ entries: inout [SessionEntry]) {
        entries.append(SessionEntry(date, .event(EventRecord(.lap, start: lapStart, end: date))))
        lapStart = date
    }

    /// The last lap of several ends with the workout.
    mutating func finish(at date: Date, to entries: inout [SessionEntry]) {
        if let lap, lap > 0, date > lapStart { endLap(at: date, &entries) }
    }

    private mutating func addOwn(_ column: Int, _ value: Double, _ date: Date, _ entries: inout [SessionEntry]) {
        let adds = QuantityReading.addsUp(own[column].type)
        let reading = QuantityReading(
            own[column].type, value, unit: own[column].unit, start: adds ? min(ownDates[column], date) : date,
            end: date,
            sensor: Self.recorder)
        entries.append(SessionEntry(date, .quantity(reading)))
        ownDates[column] = date
    }

    private func addTotal(
        _ type: String, _ unit: String, from before: Double, to total: Double, since start: Date, _ date: Date,
        _ entries: inout [SessionEntry]
    ) {
        guard total > before else { return }
        let reading = QuantityReading(
            type, total - before, unit: unit, start: min(start, date), end: date, sensor: Self.recorder)
        entries.append(SessionEntry(date, .quantity(reading)))
    }

    @inline(__always)
    private func add(_ type: String, _ value: Double, _ unit: String, _ date: Date, _ entries: inout [SessionEntry]) {
        let reading = QuantityReading(type, value, unit: unit, start: date, end: date, sensor: Self.recorder)
        entries.append(SessionEntry(date, .quantity(reading)))
    }
}
