import Bluetooth
import Engine
import Foundation
import GATT
import HealthKit
import Reports
import SessionLog
import StoredWorkouts

/// The events on a monitor's links as lines. Pure.
struct MonitorReport: Sendable {
    var json: Bool
    /// Adds the bytes to each line.
    var raw: Bool
    /// Whether each line names its sensor, because there are several.
    var namesSensors: Bool
    var page = Page()

    private var lastLine: [DeviceAddress: String] = [:]
    private var entries: [DeviceAddress: SensorEntries] = [:]

    init(json: Bool, raw: Bool = false, namesSensors: Bool = false, page: Page = Page()) {
        self.json = json
        self.raw = raw
        self.namesSensors = namesSensors
        self.page = page
    }

    mutating func lines(for event: SensorLinkEvent, of sensor: PairedSensor, at now: Date) -> [String] {
        switch event {
        case .value(let notification):
            return value(notification, of: sensor)
        case .changed(let phase, let reason, let date):
            if json {
                return line(
                    "state", sensor, date, [("state", .string(phase.rawValue)), ("reason", .string("\(reason)"))])
            }
            // Intermediate steps matter only if they bring something new.
            let text = "\(reason)"
            guard lastLine[sensor.address] != text else { return [] }
            lastLine[sensor.address] = text
            return plain(text, sensor, date)
        case .battery(let percent, let date):
            let isLow = percent <= BatteryLevel.lowPercent
            if json {
                return line(
                    "battery", sensor, date, [("percent", .integer(percent)), ("low", .boolean(isLow))])
            }
            return plain(
                localized("battery %1 %", "\(percent)") + (isLow ? ": " + localized("low, replace it soon") : ""),
                sensor, date)
        case .missed(let count, let date):
            if json { return line("missed", sensor, date, [("count", .integer(count))]) }
            return plain(LiveNotices.missed(count), sensor, date)
        case .details(let details):
            return self.details(details, sensor, now)
        case .contact(let touches, let date):
            if json { return line("contact", sensor, date, [("contact", .boolean(touches))]) }
            return plain(touches ? "on the skin" : "off the skin", sensor, date)
        case .energyReset(let failure):
            if json {
                return line(
                    "energyReset", sensor, now,
                    [("done", .boolean(failure == nil)), ("reason", failure.map { .string("\($0)") })])
            }
            return plain(failure.map { "the energy count was not reset: \($0)" } ?? "energy count reset", sensor, now)
        // Nobody asks for them here.
        case .streamed, .stream: return []
        case .lookalike(let address, let date):
            if json { return line("lookalike", sensor, date, [("address", .string("\(address)"))]) }
            return plain(LiveNotices.lookalike(address, of: sensor), sensor, date)
        }
    }

    private mutating func value(_ notification: SensorNotification, of sensor: PairedSensor) -> [String] {
        let (characteristic, date) = (notification.characteristic, notification.date)
        var hex: String { notification.bytes.hex }
        lastLine[sensor.address] = nil
        let rawMember: [(String, JSONText?)] = raw ? [("hex", .string(hex))] : []
        let rawText = raw ? "  [\(hex)]" : ""
        if characteristic == .heartRateMeasurement {
            guard let packet = notification.heartRate else { return unreadable(characteristic, hex, sensor, date) }
            if json { return line("heartRate", sensor, date, packet.members + rawMember) }
            return plain(packet.text + rawText, sensor, date)
        }
        let readings = entries[
            sensor.address, default: SensorEntries(sensor, activity: ActivityDescription(), keepsNotifications: false)
        ]
        .entries(for: .value(notification)).compactMap { entry -> QuantityReading? in
            if case .quantity(let reading) = entry.content { reading } else { nil }
        }
        let name = characteristic.measurementName ?? characteristic.description
        if json {
            let members = readings.map {
                ($0.type, JSONText.object([("value", .optional($0.value)), ("unit", .string($0.unit))]))
            }
            return line(name, sensor, date, members.map { ($0.0, Optional($0.1)) } + rawMember)
        }
        let text = readings.map {
            "\(QuantityLabel.of($0.type).lowercased()) \(MetricFormat.fixed($0.value, 2)) \($0.unit)"
        }
        return plain((text.isEmpty ? name : text.joined(separator: "  ")) + rawText, sensor, date)
    }

    private func unreadable(
        _ characteristic: BluetoothUUID, _ hex: String, _ sensor: PairedSensor, _ date: Date
    ) -> [String] {
        if json {
            return line(
                "unreadable", sensor, date,
                [("characteristic", .string(characteristic.description)), ("hex", .string(hex))])
        }
        return plain("unreadable value of \(characteristic): [\(hex)]", sensor, date)
    }

    private func details(_ details: SensorDetails, _ sensor: PairedSensor, _ date: Date) -> [String] {
        let information = details.information
        if json {
            func text(_ field: DeviceInformation.Field) -> JSONText? { information[field].map { .string($0) } }
            return line(
                "device", sensor, date,
                [
                    ("manufacturer", text(.manufacturerName)), ("model", text(.modelNumber)),
                    ("serial", text(.serialNumber)), ("hardware", text(.hardwareRevision)),
                    ("firmware", text(.firmwareRevision)), ("software", text(.softwareRevision)),
                    ("location", details.location.map { .string($0.name) }),
                    ("measures", .array(details.measurements.compactMap(\.measurementName).map { .string($0) })),
                ])
        }
        let parts = [
            information[.manufacturerName], information[.modelNumber],
            information[.firmwareRevision].map { localized("firmware %1", $0) },
            details.location.map { localized("worn on the %1", Language.current.text($0.name)) },
        ].compactMap { $0 }
        return parts.isEmpty ? [] : plain(parts.joined(separator: ", "), sensor, date)
    }

    private func line(
        _ type: String, _ sensor: PairedSensor, _ date: Date, _ members: [(String, JSONText?)]
    ) -> [String] {
        let head: [(String, JSONText?)] = [
            ("type", .string(type)), ("date", JSONText.date(date)),
            ("sensor", .string(sensor.address.description)), ("name", sensor.name.map { .string($0) }),
        ]
        return [JSONText.object(head + members).text]
    }

    private func plain(_ text: String, _ sensor: PairedSensor, _ date: Date) -> [String] {
        let name = namesSensors ? sensor.title + "  " : ""
        return [DisplayWidth.printable("\(page.clock(date))  \(name)\(Language.current.message(text))")]
    }
}

extension HeartRateMeasurement {
    fileprivate var intervals: [Double] { beatsInMilliseconds }

    fileprivate var members: [(String, JSONText?)] {
        let contact: JSONText? =
            switch sensorContact {
            case .notSupported: nil
            case .notDetected: .boolean(false)
            case .detected: .boolean(true)
            }
        return [
            ("heartRate", heartRate.map { .integer($0) }), ("contact", contact),
            ("rr", intervals.isEmpty ? nil : .array(intervals.map { .number($0) })),
            ("energyInKilojoules", energyExpendedInKilojoules.map { .integer(Int($0)) }),
        ]
    }

    fileprivate var text: String {
        var parts = [
            heartRate.map { "\($0) bpm" }
                ?? (hasSignal
                    ? localized("%1 bpm is implausible and ignored", "\(rawHeartRate)")
                    : sensorContact == .notDetected ? localized("off the skin") : localized("no heart rate"))
        ]
        if !intervals.isEmpty {
            parts.append("RR " + intervals.map { String(Int($0.rounded())) }.joined(separator: " ") + " ms")
        }
        if let energy = energyExpendedInKilojoules { parts.append("\(energy) kJ") }
        return parts.joined(separator: "  ")
    }
}

extension [UInt8] {
    /// Two digits for each byte, in lower case.
    var hex: String { map { String(format: "%02x", $0) }.joined() }
}
