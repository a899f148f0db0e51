import Foundation

/// Makes readings of records, one after the other.
struct FITReadings {
    private let heartRateSensor: String
    private var isRunning = false
    private var isCycling = false
    private var distanceType: String?
    private var speedType: String?
    private var powerType: String?
    /// The distance covered so far, in cm, and when that was known.
    private var distance: UInt32 = 0
    private var distanceDate: Date
    /// The record of which there are readings left, and these.
    private var record = FITRecord.empty
    private var date = Date.distantPast
    /// Where in the log they are.
    private var place = Date.distantPast
    private var left: Kinds = []

    /// What a record may tell, in the order in which it is handed out.
    private struct Kinds: OptionSet {
        var rawValue: UInt16
        static let position = Kinds(rawValue: 1)
        static let heartRate = Kinds(rawValue: 1 << 1)
        static let distance = Kinds(rawValue: 1 << 2)
        static let speed = Kinds(rawValue: 1 << 3)
        static let power = Kinds(rawValue: 1 << 4)
        static let cadence = Kinds(rawValue: 1 << 5)
        static let stanceTime = Kinds(rawValue: 1 << 6)
        static let verticalOscillation = Kinds(rawValue: 1 << 7)
        static let stepLength = Kinds(rawValue: 1 << 8)
    }

    init(heartRateSensor: String, start: Date) {
        self.heartRateSensor = heartRateSensor
        distanceDate = start
    }

    /// A part of the workout begins.
    mutating func begin(_ activity: String) {
        isRunning = activity == "running"
        isCycling = activity == "cycling" || activity == "handCycling"
        distanceType = ActivityDescription(activity: activity).distanceType
        speedType = ActivityDescription(activity: activity).speedType
        powerType = ActivityDescription(activity: activity).powerType
    }

    /// The timer ran again from there on: what is covered from now on was not covered in the pause.
    mutating func resume(at date: Date) { distanceDate = max(distanceDate, date) }

    /// The next record, whose distance is what was added since the start.
    ///
    /// - Parameter place: The date of its entries in the log.
    @inline(__always)
    mutating func take(_ record: FITRecord, at date: Date, place: Date) {
        self.record = record
        self.date = date
        self.place = place
        var kinds: Kinds = []
        if record.hasPosition { kinds.insert(.position) }
        if record.hasHeartRate { kinds.insert(.heartRate) }
        if record.distance != FITRecord.none { kinds.insert(.distance) }
        if record.speed != FITRecord.none, speedType != nil { kinds.insert(.speed) }
        if record.power != FITRecord.none16, powerType != nil { kinds.insert(.power) }
        if record.cadence != FITRecord.none16, isCycling { kinds.insert(.cadence) }
        if isRunning {
            // Zero says that there was nothing to measure.
            if record.stanceTime != FITRecord.none16, record.stanceTime > 0 { kinds.insert(.stanceTime) }
            if record.verticalOscillation != FITRecord.none16, record.verticalOscillation > 0 {
                kinds.insert(.verticalOscillation)
            }
            if record.stepLength != FITRecord.none16, record.stepLength > 0 { kinds.insert(.stepLength) }
        }
        left = kinds
    }

    /// The next reading of the record; nil where there is none left.
    mutating func next() -> SessionEntry? {
        while !left.isEmpty {
            let kind = Kinds(rawValue: left.rawValue & ~(left.rawValue &- 1))
            left.rawValue &= left.rawValue &- 1
            switch kind {
            case .position: return SessionEntry(place, .position(position))
            case .heartRate:
                return reading(
                    QuantityReading.heartRateType, Double(record.heartRate), "count/min", of: heartRateSensor)
            case .distance: if let entry = addDistance() { return entry }
            case .speed: return reading(speedType, FITProfile.Record.speed.value(Int64(record.speed)), "m/s")
            case .power: return reading(powerType, Double(record.power), "W")
            case .cadence: return reading("cyclingCadence", Double(record.cadence) / 128, "count/min")
            case .stanceTime:
                let value = FITProfile.Record.stanceTime.value(Int64(record.stanceTime))
                return reading("runningGroundContactTime", value, "ms")
            case .verticalOscillation:
                let value = FITProfile.Record.verticalOscillation.value(Int64(record.verticalOscillation)) / 10
                return reading("runningVerticalOscillation", value, "cm")
            default:
                let value = FITProfile.Record.stepLength.value(Int64(record.stepLength)) / 1000
                return reading("runningStrideLength", value, "m")
            }
        }
        return nil
    }

    /// What was added since the last record that told.
    private mutating func addDistance() -> SessionEntry? {
        defer {
            distance = record.distance
            distanceDate = date
        }
        guard record.distance > distance, let distanceType else { return nil }
        return SessionEntry(
            place,
            .quantity(
                QuantityReading(
                    distanceType, FITProfile.Record.distance.value(Int64(record.distance - distance)), unit: "m",
                    start: min(distanceDate, date), end: date, sensor: FITDevices.recorder)))
    }

    @inline(__always)
    private func reading(
        _ type: String?, _ value: Double, _ unit: String, of sensor: String = FITDevices.recorder
    ) -> SessionEntry {
        SessionEntry(
            place, .quantity(QuantityReading(type ?? "", value, unit: unit, start: date, end: date, sensor: sensor)))
    }

    private var position: PositionReading {
        // A semicircle is 180° / 2^31.
        let degrees = 180.0 / 0x1p31
        return PositionReading(
            latitudeInDegrees: Double(record.latitude) * degrees,
            longitudeInDegrees: Double(record.longitude) * degrees,
            altitudeInMeters: record.altitude == FITRecord.none
                ? nil : FITProfile.Record.altitude.value(Int64(record.altitude)),
            speedInMetersPerSecond: record.speed == FITRecord.none
                ? nil : FITProfile.Record.speed.value(Int64(record.speed)))
    }
}
