import Foundation
import SessionLog

/// Converts the rows of a table to entries of a log.
struct TableReadings {
    /// The ID of the only sensor: the device that made the table.
    static let recorder = "recorder"

    private let heartRateKind = ReadingKind.heartRate(sensor: recorder)
    private let energyKind = ReadingKind("activeEnergyBurned", unit: "kcal", sensor: recorder)
    private var kinds: MotionKinds
    private let workout: TableWorkout
    private var part = 0
    private var counted: CountedDistance
    /// The distance of the part so far, in m.
    private var distance = 0.0
    private var distanceTime: CountedTime
    private var way = WayAlongPositions()
    private var energy: Double?
    private var energyDate: Date

    /// Whether there was a row before. If so, a total that begins now counts from 0.
    private var hasRows = false

    /// If the total in the first row is above this, it was burnt before the recording, and only what is added to it
    /// counts.
    private static let firstKilocalories = 20.0

    /// The columns of the table that are named as in session logs.
    private let own: [(kind: ReadingKind, adds: Bool)]
    /// The end of the last reading of each of these columns.
    private var ownDates: [Date]

    init(_ workout: TableWorkout) {
        self.workout = workout
        own = workout.layout.own.map {
            (ReadingKind($0.type, unit: $0.unit, sensor: Self.recorder), QuantityReading.addsUp($0.type))
        }
        let start = Date(timeIntervalSinceReferenceDate: workout.start)
        ownDates = own.map { _ in start }
        distanceTime = CountedTime(from: start)
        energyDate = start
        counted = CountedDistance(workout.parts[0].distance)
        kinds = MotionKinds(ActivityDescription(activity: workout.parts[0].activity), sensor: Self.recorder)
    }

    /// Continues after a pause: distance and energy until `date` do not count.
    mutating func resume(at date: Date) {
        distanceTime.begin(at: date)
        energyDate = max(energyDate, date)
        way.interrupt()
        for column in ownDates.indices { ownDates[column] = max(ownDates[column], date) }
    }

    mutating func append(_ row: TableRows, at date: Date, to entries: EntryBuffer) {
        defer { hasRows = true }
        if !row.event.isEmpty, part + 1 < workout.parts.count, TableEvent.part(row.event) != nil {
            beginPart(at: date, to: entries)
        }
        let speed = row[.speed]
        let latitude = row[.latitude]
        let longitude = row[.longitude]
        // Devices write zeros without a position fix.
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
        if let added = addedMeters(row, at: date) {
            let start = distanceTime.start(ofCountAt: date)
            if added > 0, let kind = kinds.distance { add(kind, added, from: start) }
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
        // Zero means that there was nothing to measure.
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

    /// Returns the metres since the last row with a distance, or nil if this one has none.
    private mutating func addedMeters(_ row: TableRows, at date: Date) -> Double? {
        if workout.isDistanceCounted {
            guard case let count = row[.distance], !count.isNaN else { return nil }
            let total = counted.add(count)
            defer { distance = total }
            return total - distance
        }
        var point = TrackPoint()
        (point.latitude, point.longitude) = (row[.latitude], row[.longitude])
        guard point.hasPosition else { return nil }
        return way.add(point.coordinates, at: date.timeIntervalSinceReferenceDate)
    }

    private mutating func beginPart(at date: Date, to entries: EntryBuffer) {
        part += 1
        kinds = MotionKinds(ActivityDescription(activity: workout.parts[part].activity), sensor: Self.recorder)
        counted = CountedDistance(workout.parts[part].distance)
        distance = 0
        distanceTime.begin(at: date)
        entries.append(SessionEntry(date, .activityBegan(workout.record(ofPart: part))))
    }
}
