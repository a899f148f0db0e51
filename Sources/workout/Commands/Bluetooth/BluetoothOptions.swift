public import ArgumentParser
public import Bluetooth
import Foundation
import HealthKit

extension BluetoothTransport: ExpressibleByArgument {}

/// What all commands that use Bluetooth can be told.
struct BluetoothOptions: ParsableArguments {
    @Option(help: "How to reach sensors: auto, bluez (through bluetoothd) or l2cap (without bluetoothd).")
    var transport: BluetoothTransport?

    /// The process's environment, with the transport that was asked for.
    var environment: HealthEnvironment {
        get throws {
            var environment = HealthEnvironment.current
            let variable = ProcessInfo.processInfo.environment["HEALTHKIT_BLUETOOTH"]
            if let transport {
                environment.central = SystemCentral(transport)
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
    /// The paired sensors' file; fails where nothing says where that is.
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

    /// As the file has them now.
    func readPairedSensors() throws -> [PairedSensor] {
        let pairing = try pairing
        return try CommandFailure.badInput { try pairing.all() }
    }

    /// Fails where no radio can be used, before anything waits for it.
    func requireBluetooth() async throws {
        try await CommandFailure.bluetooth { () async throws(BluetoothError) in
            let adapters = try await central.adapters()
            guard !adapters.isEmpty else { throw .noAdapter }
            if adapters.allSatisfy({ $0.power == .blocked }) { throw .blocked }
            // What cannot be ended now is no reason not to begin.
            try? await central.releaseLeftovers()
        }
    }
}

extension CommandFailure {
    /// What fails about Bluetooth is a missing service.
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

extension BluetoothError {
    /// Whether it concerns this machine's Bluetooth, and not one device.
    fileprivate var isOfMachine: Bool {
        switch self {
        case .unavailable, .serviceStopped, .serviceSilent, .notPermitted, .noAdapter, .poweredOff, .blocked: true
        case .notFound, .connectionFailed, .busy, .linkLost, .pairingRequired, .pairingFailed, .noCharacteristic,
            .attribute, .failed:
            false
        }
    }
}
