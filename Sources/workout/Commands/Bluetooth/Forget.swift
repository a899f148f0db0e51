import ArgumentParser
import Bluetooth
import Engine
import Foundation
import HealthKit

/// `workout forget`: forgets a sensor that is no longer used.
struct Forget: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Forget a paired sensor (and its Bluetooth bond, if any).",
        discussion: """
            Example:
              workout forget "Polar H10"
            """)

    @Argument(help: "The address of a sensor, or the name of a paired one.", completion: StoredCompletion.sensors)
    var sensor: String

    @OptionGroup var bluetooth: BluetoothOptions

    func run() async throws {
        let environment = try bluetooth.environment
        let paired = try environment.readPairedSensors()
        let chosen = try SensorArgument.sensor(sensor, among: paired)
        let wasPaired = paired.contains { $0.address == chosen.address }
        let pairing = try environment.pairing
        try CommandFailure.badInput { try pairing.update { $0.removeAll { $0.address == chosen.address } } }
        var failure: BluetoothError?
        do throws(BluetoothError) { try await environment.central.forget(chosen.address) } catch { failure = error }
        await environment.central.close()
        if let failure {
            let done = wasPaired ? "\(chosen.title) is no longer paired, but its Bluetooth bond may remain: " : ""
            throw CommandFailure(exitCode: .serviceMissing, message: "\(done)\(failure)")
        }
        print("forgotten: \(chosen.title)\(wasPaired ? "" : " (it was not paired)")")
    }
}
