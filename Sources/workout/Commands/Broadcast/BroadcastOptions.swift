import ArgumentParser
import Bluetooth
import Foundation
import GATT

/// How a broadcast presents itself.
struct BroadcastSettings: Sendable, Equatable {
    static let defaultName = "OpenHealthKit"

    var name = defaultName
    /// The file of faults.
    var faults: String?
    var adapter: DeviceAddress?

    /// - Throws: ``CommandFailure`` for a file of faults that cannot be read.
    func plan() throws -> BroadcastFaultPlan? {
        try faults.map { path in
            let data = try CommandFailure.badInput { try Data(contentsOf: URL(fileURLWithPath: path)) }
            do {
                return try BroadcastFaultPlan(json: data)
            } catch {
                throw CommandFailure(exitCode: .badInput, message: "cannot use the faults in \(path): \(error)")
            }
        }
    }

    static func name(_ text: String) throws -> String {
        guard (1...BroadcastError.longestName).contains(text.utf8.count) else {
            throw ValidationError("the name must have 1 to \(BroadcastError.longestName) bytes, not \(text.utf8.count)")
        }
        return text
    }

    static func adapter(_ text: String) throws -> DeviceAddress {
        guard let address = DeviceAddress(text) else {
            throw ValidationError("the adapter must be an address such as 00:1A:7D:DA:71:10, not '\(text)'")
        }
        return address
    }
}

/// The options of 'workout broadcast'.
struct BroadcastSettingsOptions: ParsableArguments {
    @Option(
        help: "The name that other devices show, at most 25 bytes.", transform: BroadcastSettings.name)
    var name = BroadcastSettings.defaultName

    @Option(
        help: "Make the faults in this JSON file, to test what listens: see 'Broadcasting' in the documentation.",
        completion: .file())
    var faults: String?

    @Option(
        help: ArgumentHelp(
            "Broadcast with this adapter. Default: one that is on and can be a peripheral.", valueName: "ADDRESS"),
        transform: BroadcastSettings.adapter)
    var adapter: DeviceAddress?

    var settings: BroadcastSettings { BroadcastSettings(name: name, faults: faults, adapter: adapter) }

    /// The options of another command that mean the same.
    var asSessionArguments: [String] {
        ["--broadcast", "--broadcast-name=\(name)"] + (faults.map { ["--broadcast-faults=\($0)"] } ?? [])
            + (adapter.map { ["--broadcast-adapter=\($0)"] } ?? [])
    }
}

/// The broadcast options of commands that run a session.
struct BroadcastOptions: ParsableArguments {
    @Flag(help: "Also be a Bluetooth sensor: other devices receive the heart rate and what else is measured.")
    var broadcast = false

    @Option(help: "With --broadcast: the name that other devices show.", transform: BroadcastSettings.name)
    var broadcastName = BroadcastSettings.defaultName

    @Option(help: "With --broadcast: make the faults in this JSON file.", completion: .file())
    var broadcastFaults: String?

    @Option(
        help: ArgumentHelp("With --broadcast: use this adapter.", valueName: "ADDRESS"),
        transform: BroadcastSettings.adapter)
    var broadcastAdapter: DeviceAddress?

    /// Starts to broadcast. Nil if the user did not ask for it.
    func open(
        _ offer: @autoclosure () -> BroadcastOffer, sparing sources: Set<DeviceAddress> = [],
        report: @escaping @Sendable (String) -> Void
    ) async throws -> RunningBroadcast? {
        guard broadcast else { return nil }
        let settings = BroadcastSettings(name: broadcastName, faults: broadcastFaults, adapter: broadcastAdapter)
        return try await RunningBroadcast(offer(), settings, sparing: sources) { event in
            if let line = event.line { report(line) }
        }
    }
}
