import ArgumentParser
import Bluetooth
import Foundation
import HealthKit
import Synchronization

/// `workout monitor`: readings without a session.
struct Monitor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "monitor",
        abstract: "Print live readings without a session, until Ctrl-C.",
        discussion: """
            Waits for sensors that are away and reports what happens. Without SENSOR, uses those of HEALTHKIT_SENSORS, or all \
            paired sensors. With --json, each line has a "type": "heartRate" and the other measurements, "state", "battery", \
            "device", "contact", "missed", "unreadable".

            Example:
              workout monitor --duration 5m --json
            """
    )

    @Argument(help: SensorArgument.help, completion: StoredCompletion.sensors)
    var sensor: [String] = []

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @Flag(help: "Add the raw bytes that the sensor sent.")
    var raw = false

    @Flag(help: "Reset the sensor's energy counter to 0.")
    var resetEnergy = false

    @Option(help: "How long: seconds, or with units: 90s, 5m, 1h30m (366 days at most). Default: until Ctrl-C.")
    var duration: DurationArgument?

    @OptionGroup var bluetooth: BluetoothOptions

    func run() async throws {
        let environment = try bluetooth.environment
        let sensors = try SensorArgument.sensors(sensor, in: environment)
        try await environment.requireBluetooth()
        let output = MonitorOutput(
            MonitorReport(
                json: json, raw: raw, namesSensors: sensors.count > 1, page: Page.standard(columnsInPipe: .max)),
            sensors)
        let known = Set(sensors.map(\.address))
        let work = Task { [resetEnergy] in
            await withTaskGroup(of: Void.self) { group in
                for sensor in sensors {
                    var link = SensorLink(
                        sensor.address, kind: sensor.addressKind, name: sensor.name, central: environment.central)
                    link.others = known.subtracting([sensor.address])
                    link.resetsEnergy = resetEnergy
                    group.addTask { [link] in await link.run { output.happened($0, sensor) } }
                }
            }
        }
        let timer = duration.map { duration in
            Task {
                try await Task.sleep(for: .seconds(duration.seconds))
                work.cancel()
            }
        }
        defer { timer?.cancel() }
        let interrupted = try await Interruption.calling(endsWithOutput: true, { work.cancel() }) { await work.value }
        await environment.central.close()
        if let pairing = try? environment.pairing { output.learn(pairing) }
        if interrupted { throw ExitCode.interrupted }
    }
}

/// Prints the lines of several links as they come, and keeps what was learnt.
private final class MonitorOutput: Sendable {
    private let state: Mutex<State>

    private struct State {
        var report: MonitorReport
        var sensors: [BluetoothAddress: PairedSensor]
    }

    init(_ report: MonitorReport, _ sensors: [PairedSensor]) {
        let known = Dictionary(sensors.map { ($0.address, $0) }) { first, _ in first }
        state = Mutex(State(report: report, sensors: known))
    }

    func happened(_ event: SensorLinkEvent, _ sensor: PairedSensor) {
        state.withLock { state in
            state.sensors[sensor.address]?.take(event)
            for line in state.report.lines(for: event, of: sensor, at: Date()) { print(line) }
            CommandOutput.standard.flush()
        }
        // The sensor measures, and has said what it is: what follows is more of the same.
        if case .details = event { StartupPages.giveBack() }
    }

    /// Battery, model and when it was last seen. Not worth failing for.
    func learn(_ pairing: PairedSensors) {
        for sensor in state.withLock({ Array($0.sensors.values) }) { try? pairing.note(sensor) }
    }
}
