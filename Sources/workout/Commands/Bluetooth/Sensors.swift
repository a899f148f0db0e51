import ArgumentParser
import Engine
import Foundation
import GATT
import HealthKit
import StoredWorkouts

/// `workout sensors`: lists and changes the paired sensors.
struct Sensors: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sensors",
        abstract: "List paired sensors, and choose which is preferred.",
        discussion: """
            Sessions use all paired sensors. If two measure the same thing, the first is used and the next takes over while \
            it is away.

            Example:
              workout sensors --first "Polar H10"
            """
    )

    @Option(help: "Prefer this sensor: its address or name.")
    var first: String?

    @Option(help: "Wheel circumference for a speed sensor: metres, or millimetres from 100 up.")
    var wheel: Double?

    @Option(help: "The sensor that --wheel applies to, if several have a wheel: its address or name.")
    var sensor: String?

    @Flag(help: "Print one JSON object per sensor, one per line.")
    var json = false

    func validate() throws {
        if let wheel, !PairedSensor.circumferencesInMeters.contains(Self.meters(wheel)) {
            throw ValidationError(
                "--wheel must be a circumference in metres or millimetres (about 2.1 or 2100 for a road bike), not \(wheel)"
            )
        }
        if sensor != nil, wheel == nil { throw ValidationError("--sensor needs --wheel") }
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
            print("No sensor is paired. Put one on, then run: workout pair")
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
                        ? "no paired sensor is known to measure a wheel; choose one with --sensor"
                        : "several sensors measure a wheel; choose one with --sensor")
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
    /// Whether the sensor may count a wheel's turns.
    fileprivate var countsWheel: Bool {
        measurements.contains(.cyclingSpeedAndCadenceMeasurement) || measurements.contains(.cyclingPowerMeasurement)
    }
}
