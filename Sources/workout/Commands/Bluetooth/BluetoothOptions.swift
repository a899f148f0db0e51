import ANT
public import ArgumentParser
public import Bluetooth
import Engine
import Foundation
import GATT
import HealthKit

extension BluetoothTransport: ExpressibleByArgument {}

/// The options of all commands that use Bluetooth.
struct BluetoothOptions: ParsableArguments {
    @Option(help: "How to reach sensors: auto, bluez (through bluetoothd) or l2cap (without bluetoothd).")
    var transport: BluetoothTransport?

    /// The process's environment, with the transport of the option.
    var environment: HealthEnvironment {
        get throws {
            var environment = HealthEnvironment.current
            let variable = ProcessInfo.processInfo.environment["HEALTHKIT_BLUETOOTH"]
            if let transport {
                environment.central = SensorRadios(SystemCentral(transport))
            } else if let variable, BluetoothTransport(rawValue: variable) == nil {
                throw CommandFailure(
                    exitCode: .wrongUsage,
                    message: "HEALTHKIT_BLUETOOTH must be auto, bluez or l2cap, not '\(variable)'")
            }
            return environment
        }
    }
}

extension HealthEnvironment {
    /// The file of paired sensors. Fails if no setting names its place.
    var pairing: PairedSensors {
        get throws {
            guard let configurationFile else {
                throw CommandFailure(
                    exitCode: .wrongUsage,
                    message: "cannot store paired sensors: set HOME or XDG_CONFIG_HOME")
            }
            return PairedSensors(file: configurationFile)
        }
    }

    /// Returns the paired sensors that the file has now.
    func readPairedSensors() throws -> [PairedSensor] {
        let pairing = try pairing
        return try CommandFailure.badInput { try pairing.all() }
    }

    /// Fails if the radio of one of these sensors cannot be used, before anything waits for it.
    func requireRadio(of sensors: [DeviceAddress]) async throws {
        if sensors.contains(where: { $0.ant == nil }) { try await requireBluetooth() }
        guard sensors.contains(where: { $0.ant != nil }) else { return }
        try await CommandFailure.bluetooth { () async throws(BluetoothError) in _ = try await ant.adapters() }
    }

    /// Fails if neither radio can be used.
    func requireAnyRadio() async throws {
        guard (try? await ant.adapters()) == nil else { return }
        try await requireBluetooth()
    }

    /// Bluetooth without ANT+.
    var bluetooth: any Central { central.central(for: DeviceAddress(value: 0)) }

    /// ANT+ without Bluetooth.
    private var ant: any Central { central.central(for: DeviceAddress(ANTDeviceID(.heartRate, number: 1))) }

    /// Fails if no adapter can be used, before anything waits for it.
    func requireBluetooth() async throws {
        try await CommandFailure.bluetooth { () async throws(BluetoothError) in
            let adapters = try await bluetooth.adapters()
            guard !adapters.isEmpty else { throw .noAdapter }
            if adapters.allSatisfy({ $0.power == .blocked }) { throw .blocked }
            // A connection that cannot be ended now does not keep the command from starting.
            try? await bluetooth.releaseLeftovers()
        }
    }
}

extension CommandFailure {
    /// Runs `body` and reports its Bluetooth errors as a missing service.
    static func bluetooth<Result>(_ body: () async throws(BluetoothError) -> Result) async throws -> Result {
        do {
            return try await body()
        } catch {
            throw bluetooth(error)
        }
    }

    static func bluetooth(_ error: BluetoothError) -> CommandFailure {
        CommandFailure(
            exitCode: .serviceMissing,
            message: "\(error)" + (error.isOfMachine ? " (to find out more: workout doctor)" : ""))
    }
}
