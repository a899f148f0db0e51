import ArgumentParser
import Bluetooth
import Engine
import Foundation
import GATT
import HealthKit
import StoredWorkouts

/// `workout pair`: pairs a sensor that sessions use from now on.
struct Pair: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair",
        abstract: "Connect to a sensor, show its first reading and remember it.",
        discussion: """
            SENSOR is an address or (the start of) a name; an ANT+ sensor's number will do. Without it, the only sensor nearby is used; if there are several, \
            you choose. Put the sensor on first, otherwise it is silent.

            Most sensors need no Bluetooth bonding. Those that do may ask for a six-digit code.

            Examples:
              workout pair
              workout pair "Polar H10"
              workout pair ant:hr:25170
            """
    )

    @Argument(help: "The address or the name of a sensor nearby.")
    var sensor: String?

    @Option(help: "Wheel circumference for a speed sensor: metres, or millimetres from 100 up.")
    var wheel: Double?

    @Option(
        help: """
            How long to search, and to wait for the first reading: seconds, or with units: 90s, 5m, 1h30m (0.1 s to 366 \
            days).
            """
    )
    var timeout = DurationArgument(seconds: 60)

    @Flag(help: "Turn the Bluetooth adapter on if it is off, without asking.")
    var powerOn = false

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var bluetooth: BluetoothOptions

    func validate() throws {
        if let wheel, !PairedSensor.circumferencesInMeters.contains(wheel >= 100 ? wheel / 1000 : wheel) {
            throw ValidationError(
                "--wheel must be a circumference in metres or millimetres (about 2.1 or 2100 for a road bike), not \(wheel)"
            )
        }
    }

    func run() async throws {
        let environment = try bluetooth.environment
        let pairing = try environment.pairing
        _ = try environment.readPairedSensors()
        let search = PairingSearch(sensor: sensor, timeout: timeout, powerOn: powerOn, isQuiet: json)
        var result = try await search.pair(environment)
        if let wheel { result.sensor.wheelCircumferenceInMeters = wheel >= 100 ? wheel / 1000 : wheel }
        let paired = result.sensor
        try CommandFailure.badInput {
            try pairing.update { sensors in
                if let index = sensors.firstIndex(where: { $0.address == paired.address }) {
                    var updated = paired
                    updated.wheelCircumferenceInMeters =
                        paired.wheelCircumferenceInMeters ?? sensors[index].wheelCircumferenceInMeters
                    sensors[index] = updated
                } else {
                    sensors.append(paired)
                }
            }
        }
        guard !json else { return print(result.json.text) }
        for line in result.lines { print(line) }
        print("to record a workout: workout record")
    }

}

// MARK: - Result

/// A sensor that answered, and its first data.
struct PairingResult: Sendable {
    var sensor: PairedSensor
    /// Nil for a sensor of another kind, and for one that is not worn.
    var heartRate: Int?
    var location: BodySensorLocation?
    /// Whether it measured anything.
    var measures: Bool

    var json: JSONText {
        guard case .object(let members) = Sensors.json(sensor) else { return Sensors.json(sensor) }
        return .object(
            members + [
                ("location", location.map { .string($0.name) }), ("heartRate", heartRate.map { .integer($0) }),
                ("measuring", .boolean(measures)),
            ])
    }

    var lines: [String] {
        let kinds = sensor.measurements.compactMap(\.measures).joined(separator: ", ")
        let maker = [sensor.manufacturer, sensor.model].compactMap { $0 }.joined(separator: " ")
        var lines = [
            "paired: \(sensor.title)" + (kinds.isEmpty ? "" : "  \(kinds)") + (maker.isEmpty ? "" : "  \(maker)")
        ]
        if let heartRate {
            lines.append("heart rate: \(heartRate) bpm")
        } else if !measures {
            lines.append("no reading yet: wear it (moistened)")
        }
        if let battery = sensor.batteryPercent {
            lines.append("battery: \(battery) %" + (battery <= BatteryLevel.lowPercent ? ", replace it soon" : ""))
        }
        return lines.map(DisplayWidth.printable)
    }
}

/// Asks the user at the terminal what a sensor wants to know during pairing.
struct TerminalPairingAgent: PairingAgent {
    /// Whether somebody can answer.
    let isInteractive: Bool

    init(isInteractive: Bool = Question.canBeAsked) {
        self.isInteractive = isInteractive
    }

    var capability: PairingCapability { isInteractive ? .keyboardDisplay : .noInputNoOutput }

    func passkey(for device: DeviceAddress) async -> UInt32? {
        guard let line = await ask("Six-digit code shown by \(device): ") else { return nil }
        return UInt32(line.filter { !$0.isWhitespace }).flatMap { $0 <= 999_999 ? $0 : nil }
    }

    func show(passkey: UInt32, for device: DeviceAddress) async {
        CommandOutput.error.print("Type on \(device): \(Self.digits(passkey))")
    }

    func confirms(passkey: UInt32, for device: DeviceAddress) async -> Bool {
        guard isInteractive else { return false }
        return await Question.isConfirmed("Does \(device) show \(Self.digits(passkey))? [y/N] ")
    }

    func allowsJustWorks(for device: DeviceAddress) async -> Bool { true }

    /// Asks the question. Returns nil if nobody can answer or the input ends.
    private func ask(_ question: String) async -> String? {
        guard isInteractive else { return nil }
        return await Question.ask(question)
    }

    static func digits(_ passkey: UInt32) -> String {
        let text = String(passkey)
        return String(repeating: "0", count: max(0, 6 - text.count)) + text
    }
}
