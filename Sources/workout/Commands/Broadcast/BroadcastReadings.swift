import Bluetooth
import Engine
import Foundation
import GATT
import HealthKit
import Recordings
import SessionLog

/// What entries of a session and events of a sensor's link mean for a broadcast. Pure.
struct BroadcastReadings: Sendable {
    /// Another sensor's packets are passed on only after this silence of the first.
    static let silenceInSeconds = 10.0

    private var heartRateSensor: String?
    private var senders: [BluetoothUUID: (sensor: String?, date: Date)] = [:]

    mutating func readings(of entry: SessionEntry) -> [BroadcastReading] {
        switch entry.content {
        case .quantity(let reading): return readings(of: reading)
        case .beats(let beats): return [.beats(beats.intervalsInMilliseconds)]
        case .notification(let packet):
            let characteristic = BluetoothUUID(packet.characteristic)
            guard isFirst(packet.sensor, of: characteristic, at: entry.date) else { return [] }
            return [.packet(characteristic, Array(packet.bytes))]
        case .sensor(let status):
            var readings: [BroadcastReading] = []
            if let percent = status.batteryPercent { readings.append(.battery(percent: percent)) }
            if status.id == heartRateSensor { readings.append(.contact(status.presence == .present)) }
            return readings
        default: return []
        }
    }

    private mutating func readings(of reading: QuantityReading) -> [BroadcastReading] {
        // What an app adds is not measured now.
        guard reading.origin == nil else { return [] }
        switch (reading.type, reading.unit) {
        case (QuantityReading.heartRateType, "count/min"):
            heartRateSensor = reading.sensor ?? heartRateSensor
            return [.heartRate(reading.value)]
        case ("runningSpeed", "m/s"), ("walkingSpeed", "m/s"), ("cyclingSpeed", "m/s"), (NeutralType.speed, "m/s"):
            return [.speed(metersPerSecond: reading.value)]
        case ("cyclingCadence", "count/min"), (NeutralType.cadence, "count/min"):
            return [.cadence(perMinute: reading.value)]
        case ("stepCount", "count"):
            let seconds = reading.end.timeIntervalSince(reading.start)
            // A pod counts the steps of one foot.
            return seconds > 0 ? [.cadence(perMinute: reading.value / seconds * 30)] : []
        case ("cyclingPower", "W"), ("runningPower", "W"), (NeutralType.power, "W"):
            return [.power(watts: reading.value)]
        case ("distanceCycling", "m"), ("distanceWalkingRunning", "m"), (NeutralType.distance, "m"):
            return [.distance(meters: reading.value)]
        case ("activeEnergyBurned", "kcal"): return [.energy(kilojoules: reading.value * 4.184)]
        default: return []
        }
    }

    private mutating func isFirst(_ sensor: String?, of characteristic: BluetoothUUID, at date: Date) -> Bool {
        if let known = senders[characteristic], known.sensor != sensor,
            date.timeIntervalSince(known.date) < Self.silenceInSeconds
        {
            return false
        }
        senders[characteristic] = (sensor, date)
        return true
    }

    /// What a sensor's link reports. Packets are passed on as they came.
    mutating func readings(of event: SensorLinkEvent, from sensor: DeviceAddress) -> [BroadcastReading] {
        switch event {
        case .value(let notification):
            guard isFirst(sensor.description, of: notification.characteristic, at: notification.date) else { return [] }
            return [.packet(notification.characteristic, notification.bytes)]
        case .battery(let percent, _): return [.battery(percent: percent)]
        case .changed, .missed, .details, .contact, .energyReset, .streamed, .stream, .lookalike: return []
        }
    }
}

extension BroadcastOffer {
    /// What the readings of these types can be broadcast as.
    init(types: Set<String>, activity: String, batteryPercent: Int? = nil) {
        let runs = ["running", "walking", "hiking"].contains(activity)
        let hasSpeed = !types.isDisjoint(with: ["runningSpeed", "walkingSpeed", "cyclingSpeed", NeutralType.speed])
        let hasCadence = !types.isDisjoint(with: ["cyclingCadence", NeutralType.cadence])
        let hasPower = !types.isDisjoint(with: ["cyclingPower", "runningPower", NeutralType.power])
        var measurements: Set<BluetoothUUID> = [.heartRateMeasurement]
        if runs, hasSpeed { measurements.insert(.runningSpeedAndCadenceMeasurement) }
        if !runs, hasSpeed || hasCadence { measurements.insert(.cyclingSpeedAndCadenceMeasurement) }
        if hasPower { measurements.insert(.cyclingPowerMeasurement) }
        if !runs, hasSpeed || hasCadence || hasPower { measurements.insert(.indoorBikeData) }
        self.init(
            measurements: measurements, hasEnergy: types.contains("activeEnergyBurned"),
            batteryPercent: batteryPercent, information: .ofThisProgram, location: .chest)
    }

    /// What the entries of a recording can be broadcast as.
    init(_ entries: some Sequence<SessionEntry>, activity: String) {
        var types: Set<String> = []
        var battery: Int?
        for entry in entries {
            switch entry.content {
            case .quantity(let reading): types.insert(reading.type)
            case .sensor(let status): battery = battery ?? status.batteryPercent
            default: break
            }
        }
        self.init(types: types, activity: activity, batteryPercent: battery)
    }

    /// For a session of which nothing is known before it begins.
    static let ofAnySession = BroadcastOffer(
        measurements: Set(measurementsInOrder), hasEnergy: true, information: .ofThisProgram, location: .chest)

    /// What sensors can be broadcast as. One that was never connected counts as a heart-rate strap.
    init(_ sensors: [PairedSensor]) {
        let measurements = Set(sensors.flatMap { $0.measurements.isEmpty ? [.heartRateMeasurement] : $0.measurements })
        self.init(
            measurements: measurements.intersection(BroadcastOffer.measurementsInOrder),
            batteryPercent: sensors.lazy.compactMap(\.batteryPercent).first, information: .ofThisProgram,
            location: measurements.contains(.heartRateMeasurement) ? .chest : nil)
    }
}

extension DeviceInformation {
    fileprivate static var ofThisProgram: DeviceInformation {
        var information = DeviceInformation()
        information[.manufacturerName] = "OpenHealthKit"
        information[.modelNumber] = "workout broadcast"
        information[.softwareRevision] = Version.number
        return information
    }
}
