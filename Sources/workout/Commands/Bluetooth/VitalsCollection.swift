import Bluetooth
import Foundation
import GATT
import HealthKit
import Reports
import SessionLog
import StoredWorkouts

/// Which values of a device count, and when there are enough. Pure: events carry the time.
struct VitalsCollection {
    /// A value that counts.
    struct Measurement: Equatable {
        var vitals: VitalSigns
        var characteristic: BluetoothUUID
        var bytes: [UInt8]
        var received: Date
    }

    let startedAt: Date
    let timeoutInSeconds: Double
    let durationInSeconds: Double?
    let user: Int?
    private(set) var device: Advertisement?
    private(set) var failure: BluetoothError?
    /// Whether the device sent anything, for any user.
    private(set) var hasResult = false
    private var latest: [BluetoothUUID: Measurement] = [:]
    private var previous: Measurement?
    private var end: Date?

    /// How long after a result another one may follow.
    static let settleInSeconds = 3.0
    /// How long a device that measures all the time is read, without a duration.
    static let continuousInSeconds = 10.0

    init(startedAt: Date, timeoutInSeconds: Double, durationInSeconds: Double?, user: Int?) {
        self.startedAt = startedAt
        self.timeoutInSeconds = timeoutInSeconds
        self.durationInSeconds = durationInSeconds
        self.user = user
    }

    /// - Returns: The measurement that counts from now on.
    mutating func handle(_ event: VitalsLink.Event, at now: Date) -> Measurement? {
        switch event {
        case .found(let found): device = found
        case .linked:
            failure = nil
            if let durationInSeconds, end == nil { end = now + durationInSeconds }
        case .described, .unreadable: break
        case .failed(let error): failure = error
        case .ended:
            // Most devices hang up when they have sent everything.
            if hasResult, durationInSeconds == nil { end = now }
        case .measured(let vitals, let bytes, let characteristic, let date):
            guard !vitals.isEmpty else { return nil }
            let measurement = Measurement(
                vitals: vitals, characteristic: characteristic, bytes: bytes, received: date)
            return take(measurement, at: now)
        }
        return nil
    }

    private mutating func take(_ measurement: Measurement, at now: Date) -> Measurement? {
        switch measurement.vitals.stage {
        case .unfinished: return nil
        case .continuous where durationInSeconds == nil:
            if latest.isEmpty, !hasResult { end = now + Self.continuousInSeconds }
            latest[measurement.characteristic] = measurement
            return nil
        case .continuous, .final:
            // bluetoothd signals a value once for each program that listens.
            if measurement.vitals.stage == .final, let previous, previous.bytes == measurement.bytes,
                previous.characteristic == measurement.characteristic,
                measurement.received.timeIntervalSince(previous.received) < 1
            {
                return nil
            }
            previous = measurement
            hasResult = true
            if durationInSeconds == nil { end = now + Self.settleInSeconds }
            return measurement
        }
    }

    func isOver(at now: Date) -> Bool {
        if let end { return now >= end }
        return now.timeIntervalSince(startedAt) >= timeoutInSeconds
    }

    /// The latest values of a device that measures all the time, once.
    mutating func takeLatest() -> [Measurement] {
        defer { latest = [:] }
        let measurements = latest.values.sorted { $0.characteristic.description < $1.characteristic.description }
        if !measurements.isEmpty { hasResult = true }
        return measurements
    }
}

extension VitalsCollection.Measurement {
    /// The earliest year of a clock that was set: none of these devices is older.
    private static let earliestYear = 2012
    /// How far the clock of a device may be ahead.
    private static let mostAheadInSeconds = 600.0

    /// When it was measured: by the device's clock if that can be right, or else when it arrived.
    func date(in calendar: Calendar) -> Date { ownDate(in: calendar) ?? received }

    private func ownDate(in calendar: Calendar) -> Date? {
        guard let time = vitals.time, time.year >= Self.earliestYear, let date = time.date(in: calendar),
            date.timeIntervalSince(received) < Self.mostAheadInSeconds
        else { return nil }
        return date
    }

    private var site: HKBodyTemperatureSensorLocation? { vitals.temperatureSite.flatMap { .init(rawValue: $0) } }

    /// The samples of HealthKit's types that it makes.
    ///
    /// A device sends what it has kept again and again, so a measurement with a time has the same UUIDs each time.
    func samples(of address: DeviceAddress, _ device: HKDevice?, in calendar: Calendar) throws -> [HKSample] {
        let ownDate = ownDate(in: calendar)
        let date = ownDate ?? received
        func identity(_ type: String, _ metadata: [String: Any]? = nil) throws -> ObjectIdentity {
            guard ownDate != nil else { return try ObjectIdentity(device: device, metadata: metadata) }
            var print = HealthFingerprint()
            for text in ["VitalSigns", address.description, characteristic.description, type] { print.combine(text) }
            for byte in bytes { print.combine(UInt64(byte)) }
            return try ObjectIdentity(uuid: print.uuid, device: device, metadata: metadata)
        }
        func sample(
            _ type: HKQuantityTypeIdentifier, _ value: Double?, _ unit: HKUnit, _ metadata: [String: Any]? = nil
        ) throws -> HKQuantitySample? {
            guard let value else { return nil }
            return try HKQuantitySample.validated(
                try identity(type.rawValue, metadata), type: HKQuantityType(type),
                quantity: HKQuantity(unit: unit, doubleValue: value), start: date, end: date)
        }
        let perMinute = HKUnit.count().unitDivided(by: .minute())
        var samples: [HKSample] = try [
            sample(
                .bodyTemperature, vitals.bodyTemperatureInCelsius, .degreeCelsius(),
                site.map { [HKMetadataKeyBodyTemperatureSensorLocation: $0.rawValue] }),
            sample(.oxygenSaturation, vitals.oxygenSaturationInPercent.map { $0 / 100 }, .percent()),
            sample(.heartRate, vitals.pulsePerMinute, perMinute),
            sample(.bodyMass, vitals.bodyMassInKilograms, .gramUnit(with: .kilo)),
            sample(.bodyMassIndex, vitals.bodyMassIndex, .count()),
            sample(.bodyFatPercentage, vitals.bodyFatInPercent.map { $0 / 100 }, .percent()),
            sample(.leanBodyMass, vitals.leanBodyMassInKilograms, .gramUnit(with: .kilo)),
        ].compactMap { $0 }
        if let pressure = vitals.bloodPressure {
            let parts = try [
                sample(.bloodPressureSystolic, pressure.systolic, .millimeterOfMercury()),
                sample(.bloodPressureDiastolic, pressure.diastolic, .millimeterOfMercury()),
            ].compactMap { $0 }
            let type = HKCorrelationType(.bloodPressure)
            samples.append(
                try HKCorrelation.validated(
                    try identity(type.identifier), type: type, start: date, end: date, objects: Set(parts)))
        }
        return samples
    }

    // MARK: Output

    /// The values for people, such as `120/80 mmHg  64 bpm`.
    var words: String {
        func number(_ value: Double, _ digits: Int = 0) -> String { MetricFormat.fixed(value, digits) }
        var parts = [
            vitals.bodyTemperatureInCelsius.map { number($0, 1) + " °C" },
            site?.words,
            vitals.bloodPressure.map { number($0.systolic) + "/" + number($0.diastolic) + " mmHg" },
            vitals.oxygenSaturationInPercent.map { number($0) + " %" },
            vitals.bodyMassInKilograms.map { number($0, 2) + " kg" },
            vitals.bodyMassIndex.map { localized("BMI %1", number($0, 1)) },
            vitals.bodyFatInPercent.map { localized("%1 % fat", number($0, 1)) },
            vitals.leanBodyMassInKilograms.map { localized("%1 kg lean", number($0, 1)) },
            vitals.pulsePerMinute.map(MetricFormat.heartRate),
        ].compactMap { $0 }
        parts += vitals.remarks.map(\.words)
        return parts.joined(separator: "  ")
    }

    func json(of device: DeviceDescription?, at date: Date, _ outcome: MeasureOutput.Outcome) -> JSONText {
        func number(_ value: Double?) -> JSONText? { value.map { .number($0) } }
        return .object([
            ("date", JSONText.date(date)), ("device", device?.name.map { .string($0) }),
            ("address", device?.localIdentifier.map { .string($0) }),
            ("user", vitals.user.map { .integer($0) }),
            ("bodyTemperature", number(vitals.bodyTemperatureInCelsius)), ("site", site.map { .string("\($0)") }),
            ("systolic", number(vitals.bloodPressure?.systolic)),
            ("diastolic", number(vitals.bloodPressure?.diastolic)),
            ("oxygenSaturation", number(vitals.oxygenSaturationInPercent)),
            ("pulse", number(vitals.pulsePerMinute)), ("bodyMass", number(vitals.bodyMassInKilograms)),
            ("bodyMassIndex", number(vitals.bodyMassIndex)), ("bodyFat", number(vitals.bodyFatInPercent)),
            ("leanBodyMass", number(vitals.leanBodyMassInKilograms)),
            (
                "remarks",
                vitals.remarks.isEmpty ? nil : .array(vitals.remarks.map { .string($0.rawValue) })
            ),
            ("stored", .boolean(outcome == .stored)),
        ])
    }
}

extension HKBodyTemperatureSensorLocation {
    fileprivate var words: String? {
        switch self {
        case .other, .body: nil
        case .armpit: localized("armpit")
        case .ear: localized("ear")
        case .finger: localized("finger")
        case .gastroIntestinal: localized("stomach or bowels")
        case .mouth: localized("mouth")
        case .rectum: localized("rectum")
        case .toe: localized("toe")
        case .earDrum: localized("eardrum")
        case .temporalArtery: localized("temple")
        case .forehead: localized("forehead")
        }
    }
}

extension VitalSigns.Remark {
    fileprivate var words: String {
        switch self {
        case .bodyMoved: localized("you moved")
        case .cuffTooLoose: localized("the cuff was too loose")
        case .pulseIrregular: localized("irregular pulse")
        case .wrongPosition: localized("wrong position")
        case .questionable: localized("questionable")
        }
    }
}
