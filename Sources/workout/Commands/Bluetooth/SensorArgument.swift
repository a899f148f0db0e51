import ArgumentParser
import Engine
import Foundation
import GATT
import HealthKit

/// A sensor on the command line: an address, or the name of a paired one.
enum SensorArgument {
    static let help: ArgumentHelp = "The address of a sensor, or the name of a paired one."

    /// Returns the address that a text is. Nil for a name.
    /// - Throws: ``CommandFailure`` for what begins like an ANT+ address and is none.
    static func address(_ text: String) throws -> DeviceAddress? {
        if text.lowercased().hasPrefix("ant:") {
            _ = try CommandFailure.badInput { try SensorSpecification(parsing: text.lowercased()) }
        }
        return DeviceAddress(text)
    }

    /// Returns the sensor. An address need not be paired.
    static func sensor(_ text: String, among paired: [PairedSensor]) throws -> PairedSensor {
        if let address = try address(text) {
            return paired.first { $0.address == address } ?? PairedSensor(address: address)
        }
        return try self.paired(text, among: paired)
    }

    /// - Throws: ``CommandFailure`` if there is no such sensor, or several.
    static func paired(_ text: String, among paired: [PairedSensor]) throws -> PairedSensor {
        let wanted = text.lowercased()
        let address = DeviceAddress(text)
        let exact = paired.filter { $0.address == address || $0.name?.lowercased() == wanted }
        let found = exact.isEmpty ? paired.filter { $0.name?.lowercased().hasPrefix(wanted) ?? false } : exact
        switch found.count {
        case 1: return found[0]
        case 0:
            let names = paired.map(\.title)
            throw CommandFailure(
                exitCode: .badInput,
                message: "no paired sensor '\(text)'"
                    + (names.isEmpty ? "; to pair one: workout pair" : "; paired: \(names.joined(separator: ", "))"))
        default:
            let all = found.map { "\($0.title) (\($0.address))" }.joined(separator: ", ")
            throw CommandFailure(
                exitCode: .badInput, message: "'\(text)' is ambiguous: \(all); write more of the name, or the address")
        }
    }

    /// Returns the sensors of the arguments, or else those of HEALTHKIT_SENSORS, or else all paired ones.
    static func sensors(_ texts: [String], in environment: HealthEnvironment) throws -> [PairedSensor] {
        let paired = try environment.readPairedSensors()
        return texts.isEmpty && environment.hasChosenSensors
            ? try chosen(in: environment, among: paired) : try sensors(texts, among: paired)
    }

    /// Returns the named sensors, or all paired ones.
    static func sensors(_ texts: [String], among paired: [PairedSensor]) throws -> [PairedSensor] {
        if !texts.isEmpty { return try texts.map { try sensor($0, among: paired) } }
        guard !paired.isEmpty else {
            throw CommandFailure(
                exitCode: .serviceMissing, message: "no sensor is paired: put one on, then run: workout pair")
        }
        return paired
    }

    private static func chosen(
        in environment: HealthEnvironment, among paired: [PairedSensor]
    ) throws -> [PairedSensor] {
        let sensors = try CommandFailure.badInput { try environment.sensors.get() }.compactMap { sensor in
            try sensor.deviceAddressText.map { try Self.sensor($0, among: paired) }
        }
        guard !sensors.isEmpty else {
            throw CommandFailure(
                exitCode: .badInput,
                message: "HEALTHKIT_SENSORS has no Bluetooth or ANT+ sensor; unset it, or give the address of a sensor")
        }
        return sensors
    }
}
