import Foundation

/// Makes readings of records.
struct FITReadings {
    private let heartRateSensor: String
    private var isRunning: Bool
    private var isCycling: Bool
    private var distanceType: String?
    private var speedType: String?
    private var powerType: String?
    /// The distance covered so far, in cm, and when that was known.
    private var distance: UInt32 = 0
    private var distanceDate: Date

    init(activity: String, heartRateSensor: String, start: Date) {
        self.heartRateSensor = heartRateSensor
        distanceDate = start
        isRunning = false
        isCycling = false
        begin(activity)
    }

    /// Another part of the workout begins.
    mutating func begin(_ activity: String) {
        isRunning = activity == "running"
        isCycling = activity == "cycling" || activity == "handCycling"
        distanceType = FITSport.distanceType(of: activity)
        speedType = FITSport.speedType(of: activity)
        powerType = FITSport.powerType(of: activity)
    }

    /// The timer ran again from there on: what is covered from now on was not covered in the pause.
    mutating func resume(at date: Date) { distanceDate = max(distanceDate, date) }

    mutating func append(_ record: FITRecord, at date: Date, to entries: inout [SessionEntry]) {
        if record.hasPosition { entries.append(SessionEntry(date, .position(Self.position(record)))) }
        if record.hasHeartRate {
            add("heartRate", Double(record.heartRate), "count/min", date, &entries, sensor: heartRateSensor)
        }
        if record.distance != FITRecord.none { addDistance(record.distance, date, &entries) }
        if let speedType, record.speed != FITRecord.none {
            add(speedType, FITProfile.Record.speed.value(Int64(record.speed)), "m/s", date, &entries)
        }
        if let powerType, record.power != FITRecord.none16 {
            add(powerType, Double(record.power), "W", date, &entries)
        }
        if isCycling, record.cadence != FITRecord.none16 {
            add("cyclingCadence", Double(record.cadence) / 128, "count/min", date, &entries)
        }
        guard isRunning else { return }
        // Zero says that there was nothing to measure.
        if record.stanceTime != FITRecord.none16, record.stanceTime > 0 {
            let value = FITProfile.Record.stanceTime.value(Int64(record.stanceTime))
            add("runningGroundContactTime", value, "ms", date, &entries)
        }
        if record.verticalOscillation != FITRecord.none16, record.verticalOscillation > 0 {
            let value = FITProfile.Record.verticalOscillation.value(Int64(record.verticalOscillation)) / 10
            add("runningVerticalOscillation", value, "cm", date, &entries)
        }
        if record.stepLength != FITRecord.none16, record.stepLength > 0 {
            let value = FITProfile.Record.stepLength.value(Int64(record.stepLength)) / 1000
            add("runningStrideLength", value, "m", date, &entries)
        }
    }

    /// What was added since the last record that told. `total` is what `FITDistance` made of the device's count.
    private mutating func addDistance(_ total: UInt32, _ date: Date, _ entries: inout [SessionEntry]) {
        if total > distance, let distanceType {
            let reading = QuantityReading(
                distanceType, FITProfile.Record.distance.value(Int64(total - distance)), unit: "m",
                start: min(distanceDate, date), end: date, sensor: FITDevices.recorder)
            entries.append(SessionEntry(date, .quantity(reading)))
        }
        distance = total
        distanceDate = date
    }

    @inline(__always)
    private func add(
        _ type: String, _ value: Double, _ unit: String, _ date: Date, _ entries: inout [SessionEntry],
        sensor: String = FITDevices.recorder
    ) {
        let reading = QuantityReading(type, value, unit: unit, start: date, end: date, sensor: sensor)
        entries.append(SessionEntry(date, .quantity(reading)))
    }

    private static func position(_ record: FITRecord) -> PositionReading {
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
