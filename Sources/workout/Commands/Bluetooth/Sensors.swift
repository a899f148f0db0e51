import ArgumentParser
import Bluetooth
import Foundation
import HealthKit

/// `workout sensors`: the paired sensors.
struct Sensors: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sensors",
        abstract: "Lists the paired sensors, and sets which goes first.",
        discussion: """
            Sessions use all of them. Of two that measure the same, the first is listened to, and the next steps in while \
            the first is away.
            """
    )

    @Option(help: "Put this sensor first: its address or name.")
    var first: String?

    @Option(help: "The circumference of the wheel that a speed sensor counts: metres, or millimetres from 100 on.")
    var wheel: Double?

    @Option(help: "Which sensor --wheel is of, where several count a wheel: its address or name.")
    var sensor: String?

    @Flag(help: "Print one JSON object a sensor, one a line.")
    var json = false

    func validate() throws {
        if let wheel, !PairedSensor.circumferencesInMeters.contains(Self.meters(wheel)) {
            throw ValidationError(
                "--wheel cannot be \(wheel): a road bike's is about 2.1 (metres) or 2100 (millimetres)")
        }
        if sensor != nil, wheel == nil { throw ValidationError("--sensor goes with --wheel") }
    }

    private static func meters(_ wheel: Double) -> Double { wheel >= 100 ? wheel / 1000 : wheel }

    func run() throws {
        let environment = HealthEnvironment.current
        let pairing = try environment.pairing
        if first != nil || wheel != nil {
            try CommandFailure.badInput { try pairing.update { try change(&$0) } }
        }
        let sensors = try environment.readPairedSensors()
        if json {
            for sensor in sensors { print(Self.json(sensor).text) }
        } else if sensors.isEmpty {
            print("No sensor is paired: put it on and run 'workout pair'.")
        } else {
            let page = Page.standard(columnsInPipe: 120)
            CommandOutput.standard.print(styled: Self.table(sensors, page).lines(page))
        }
    }

    func change(_ sensors: inout [PairedSensor]) throws {
        if let first {
            let chosen = try SensorArgument.paired(first, among: sensors)
            sensors.removeAll { $0.address == chosen.address }
            sensors.insert(chosen, at: 0)
        }
        if let wheel {
            let counting = sensors.filter(\.countsWheel)
            let chosen: PairedSensor
            if let sensor {
                chosen = try SensorArgument.paired(sensor, among: sensors)
            } else if counting.count == 1 {
                chosen = counting[0]
            } else {
                throw CommandFailure(
                    exitCode: .wrongUsage,
                    message: counting.isEmpty
                        ? "none of the paired sensors is known to count a wheel; say which with --sensor"
                        : "several sensors count a wheel; say which with --sensor")
            }
            for index in sensors.indices where sensors[index].address == chosen.address {
                sensors[index].wheelCircumferenceInMeters = Self.meters(wheel)
            }
        }
    }

    static func table(_ sensors: [PairedSensor], _ page: Page) -> ColumnTable {
        ColumnTable(
            columns: [
                .init(title: "name"), .init(title: "address"), .init(title: "measures"),
                .init(title: "battery", isNumber: true), .init(title: "last seen"), .init(title: "model"),
            ],
            rows: sensors.map { sensor in
                .values([
                    sensor.name ?? "", sensor.address.description,
                    sensor.measurements.compactMap(\.measures).joined(separator: ", "),
                    sensor.batteryPercent.map { "\($0) %" } ?? "", sensor.lastSeen.map { page.minute($0) } ?? "",
                    [sensor.manufacturer, sensor.model].compactMap { $0 }.joined(separator: " "),
                ])
            })
    }

    static func json(_ sensor: PairedSensor) -> JSONText {
        .object([
            ("address", .string(sensor.address.description)), ("name", sensor.name.map { .string($0) }),
            ("measures", .array(sensor.measurements.compactMap(\.measurementName).map { .string($0) })),
            ("manufacturer", sensor.manufacturer.map { .string($0) }), ("model", sensor.model.map { .string($0) }),
            ("hardware", sensor.hardwareVersion.map { .string($0) }),
            ("firmware", sensor.firmwareVersion.map { .string($0) }),
            ("software", sensor.softwareVersion.map { .string($0) }),
            ("battery", sensor.batteryPercent.map { .integer($0) }),
            ("wheelCircumferenceInMeters", .optional(sensor.wheelCircumferenceInMeters)),
            ("lastSeen", sensor.lastSeen.flatMap(JSONText.date)),
        ])
    }
}

extension PairedSensor {
    /// Whether it may count a wheel.
    fileprivate var countsWheel: Bool {
        measurements.contains(.cyclingSpeedAndCadenceMeasurement) || measurements.contains(.cyclingPowerMeasurement)
    }
}
