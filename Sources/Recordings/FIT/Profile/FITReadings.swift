import Foundation
import SessionLog

/// Converts records to readings, one after the other.
struct FITReadings {
    static let depthType = "underwaterDepth"
    static let coreTemperatureType = "bodyTemperature"

    private let heartRate: ReadingKind
    private let respiration = ReadingKind("respiratoryRate", unit: "count/min", sensor: FITDevices.recorder)
    private let rightPedal = ReadingKind(NeutralType.rightPedalShare, unit: "%", sensor: FITDevices.recorder)
    private let onePedal = ReadingKind(NeutralType.pedalShare, unit: "%", sensor: FITDevices.recorder)
    private let depth = ReadingKind(depthType, unit: "m", sensor: FITDevices.recorder)
    private let coreTemperature = ReadingKind(
        coreTemperatureType, unit: "degC", sensor: FITDevices.recorder)
    private let inclination = ReadingKind(NeutralType.inclination, unit: "%", sensor: FITDevices.recorder)
    private let resistance = ReadingKind(NeutralType.resistanceLevel, unit: "count", sensor: FITDevices.recorder)
    private var kinds = MotionKinds()
    /// The kinds of readings of developer fields, by the number of the field.
    private var developerKinds: [ReadingKind] = []
    /// The end of the last reading of each developer field whose values add up.
    private var developerDates: [Int: Date] = [:]
    private let start: Date
    private var resumed: Date
    /// The distance covered so far in cm.
    private var distance: UInt32 = 0
    private var distanceTime: CountedTime
    private var isDistanceOfPositions = false
    private var way = WayAlongPositions()
    /// The last altitude of a record without a position. Some devices write both in separate records.
    private var loneAltitude: (fifthsOfMeter: UInt32, date: Date)?

    private static let longestHoldOfAltitudeInSeconds = 10.0

    init(heartRateSensor: String, start: Date) {
        heartRate = .heartRate(sensor: heartRateSensor)
        distanceTime = CountedTime(from: start)
        resumed = start
        self.start = start
    }

    /// Begins a part of the workout.
    ///
    /// - Parameters:
    ///   - start: The start of the part. Its distance is covered after that.
    ///   - isDistanceOfPositions: Whether the distance comes from the positions, because the device does not count it.
    mutating func begin(_ activity: String, at start: Date, isDistanceOfPositions: Bool) {
        distanceTime.begin(at: start)
        self.isDistanceOfPositions = isDistanceOfPositions
        kinds = MotionKinds(ActivityDescription(activity: activity), sensor: FITDevices.recorder)
    }

    /// Continues after a pause that ended at `date`: nothing that follows was covered in the pause.
    mutating func resume(at date: Date) {
        distanceTime.begin(at: date)
        resumed = max(resumed, date)
        way.interrupt()
    }

    /// Adds the reading of a developer field.
    ///
    /// - Parameter fields: The developer fields of the file that are known so far.
    mutating func append(
        _ value: FITDeveloperValue, of fields: [FITDeveloperFields.Name], at date: Date, place: Date,
        to entries: EntryBuffer
    ) {
        while developerKinds.count < fields.count {
            let field = fields[developerKinds.count]
            developerKinds.append(ReadingKind(field.type, unit: field.unit, sensor: FITDevices.recorder))
        }
        let kind = developerKinds[Int(value.field)]
        var from = date
        if QuantityReading.addsUp(kind.type) {
            from = min(date, max(developerDates[Int(value.field)] ?? start, resumed))
            developerDates[Int(value.field)] = date
        }
        entries.append(.reading(kind, value.value, start: from, end: date, place: place))
    }

    /// Adds the readings of a record.
    ///
    /// - Parameters:
    ///   - record: The record, with the distance since the start of the workout.
    ///   - place: The date of its entries in the log.
    @inline(__always)
    mutating func append(_ record: FITRecord, at date: Date, place: Date, to entries: EntryBuffer) {
        typealias Field = FITProfile.Record
        func add(_ kind: consuming ReadingKind, _ value: Double, from start: Date) {
            entries.append(.reading(kind, value, start: start, end: date, place: place))
        }
        if !record.hasPosition, record.altitude != FITRecord.none { loneAltitude = (record.altitude, date) }
        if record.hasPosition {
            var position = record.position
            if let loneAltitude, record.altitude == FITRecord.none,
                date.timeIntervalSince(loneAltitude.date) <= Self.longestHoldOfAltitudeInSeconds
            {
                position.altitudeInMeters = Field.altitude.value(Int64(loneAltitude.fifthsOfMeter))
            }
            entries.append(SessionEntry(place, .position(position)))
            if isDistanceOfPositions, let kind = kinds.distance,
                let meters = metersFromLastPosition(to: record.position, at: date)
            {
                let start = distanceTime.start(ofCountAt: date)
                if meters > 0 { add(kind, meters, from: start) }
            }
        }
        if record.hasHeartRate { add(heartRate, Double(record.heartRate), from: date) }
        if record.distance != FITRecord.none {
            let start = distanceTime.start(ofCountAt: date)
            if record.distance > distance, let kind = kinds.distance {
                add(kind, Field.distance.value(Int64(record.distance - distance)), from: start)
            }
            distance = record.distance
        }
        if record.speed != FITRecord.none, let kind = kinds.speed {
            add(kind, Field.speed.value(Int64(record.speed)), from: date)
        }
        if record.power != FITRecord.none16, let kind = kinds.power { add(kind, Double(record.power), from: date) }
        if record.cadence != FITRecord.none16, let kind = kinds.cadence {
            add(kind, Double(record.cadence) / 128, from: date)
        }
        // Zero means that there was nothing to measure.
        if record.stanceTime != FITRecord.none16, record.stanceTime > 0, let kind = kinds.groundContactTime {
            add(kind, Field.stanceTime.value(Int64(record.stanceTime)), from: date)
        }
        if record.verticalOscillation != FITRecord.none16, record.verticalOscillation > 0,
            let kind = kinds.verticalOscillation
        {
            add(kind, Field.verticalOscillation.value(Int64(record.verticalOscillation)) / 10, from: date)
        }
        if record.stepLength != FITRecord.none16, record.stepLength > 0, let kind = kinds.strideLength {
            add(kind, Field.stepLength.value(Int64(record.stepLength)) / 1000, from: date)
        }
        if record.temperature != Int8.max, let kind = kinds.temperature {
            add(kind, Double(record.temperature), from: date)
        }
        if record.respiration != FITRecord.none16, record.respiration > 0 {
            add(respiration, Field.enhancedRespirationRate.value(Int64(record.respiration)), from: date)
        }
        // Zero for an unknown pedal means that there was nothing to measure.
        if record.balance != UInt8.max, record.balance != 0, record.balance & 0x7F <= 100 {
            add(record.balance & 0x80 == 0 ? onePedal : rightPedal, Double(record.balance & 0x7F) / 100, from: date)
        }
        if record.grade != Int16.max { add(inclination, Double(record.grade) / 10_000, from: date) }
        if record.resistance != UInt8.max { add(resistance, Double(record.resistance), from: date) }
        if record.depth != FITRecord.none { add(depth, Field.depth.value(Int64(record.depth)), from: date) }
        if record.coreTemperature != FITRecord.none16, record.coreTemperature > 0 {
            add(coreTemperature, Field.coreTemperature.value(Int64(record.coreTemperature)), from: date)
        }
    }

    private mutating func metersFromLastPosition(to position: PositionReading, at date: Date) -> Double? {
        way.add((position.latitudeInDegrees, position.longitudeInDegrees), at: date.timeIntervalSinceReferenceDate)
    }
}

extension FITRecord {
    fileprivate var position: PositionReading {
        // A semicircle is 180° / 2^31.
        let degrees = 180.0 / 0x1p31
        return PositionReading(
            latitudeInDegrees: Double(latitude) * degrees, longitudeInDegrees: Double(longitude) * degrees,
            altitudeInMeters: altitude == Self.none ? nil : FITProfile.Record.altitude.value(Int64(altitude)),
            speedInMetersPerSecond: speed == Self.none ? nil : FITProfile.Record.speed.value(Int64(speed)))
    }
}
