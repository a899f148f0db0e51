import ArgumentParser
import Bluetooth
import Engine
import Foundation
import GATT
import HealthKit
import StoredWorkouts

/// `workout scan`: lists nearby sensors.
struct Scan: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "List nearby sensors.",
        discussion: """
            Lists Bluetooth sensors, and those of ANT+ if a stick is plugged in. Sensors advertise only while they are worn and nothing else is connected to them. Some do not advertise what they \
            measure: --all lists every device. Scales, thermometers and the like are for 'workout measure'; what nothing reads \
            is marked as not supported. On a terminal the table updates live; if output is piped, or with --json, each \
            device is one line.

            Example:
              workout scan --all --duration 30s
            """
    )

    @Flag(help: "List every Bluetooth Low Energy device, not only sensors.")
    var all = false

    @Option(help: "How long: seconds, or with units: 90s, 5m, 1h30m (0.1 s to 366 days).")
    var duration = DurationArgument(seconds: 10)

    @Flag(help: "Print one JSON object per device, one per line.")
    var json = false

    @OptionGroup var bluetooth: BluetoothOptions

    func run() async throws {
        let environment = try bluetooth.environment
        try await environment.requireAnyRadio()
        let paired = Set(((try? environment.readPairedSensors()) ?? []).map(\.address))
        let services = all ? [] : Set(BluetoothUUID.sensorServices + BluetoothUUID.otherSensorServices.map(\.service))
        let output = ScanOutput(paired: paired, json: json)
        let work = Task {
            let heard = environment.central.advertisements(of: services) { CommandOutput.error.print("note: \($0)") }
            for try await advertisement in heard { output.received(advertisement) }
        }
        let interrupted: Bool
        do {
            interrupted = try await Interruption.calling(
                endsWithOutput: true, after: duration.seconds, { work.cancel() }
            ) {
                do { try await work.value } catch is CancellationError {}
            }
        } catch let error as BluetoothError {
            await environment.central.close()
            throw CommandFailure.bluetooth(error)
        }
        output.end(hint: !all)
        await environment.central.close()
        if interrupted { throw ExitCode.interrupted }
    }
}

/// The devices of a scan, as they become known.
struct ScanReport: Sendable {
    var paired: Set<DeviceAddress>
    private(set) var devices: [Advertisement] = []
    private var printed: Set<DeviceAddress> = []

    init(paired: Set<DeviceAddress>) {
        self.paired = paired
    }

    /// Adds an advertisement. Returns the device once, when it has a name.
    mutating func add(_ heard: Advertisement) -> Advertisement? {
        guard let index = devices.firstIndex(where: { $0.address == heard.address }) else {
            devices.append(heard)
            return notify(heard)
        }
        var merged = heard
        merged.name = heard.name ?? devices[index].name
        merged.services.formUnion(devices[index].services)
        merged.signalInDecibelMilliwatts = heard.signalInDecibelMilliwatts ?? devices[index].signalInDecibelMilliwatts
        merged.manufacturerData.merge(devices[index].manufacturerData) { new, _ in new }
        devices[index] = merged
        return notify(merged)
    }

    private mutating func notify(_ device: Advertisement) -> Advertisement? {
        guard device.name != nil, printed.insert(device.address).inserted else { return nil }
        return device
    }

    /// The devices that were never shown, since they have no name.
    var nameless: [Advertisement] { devices.filter { !printed.contains($0.address) } }

    /// The devices, nearest first.
    var byDistance: [Advertisement] {
        devices.sorted {
            ($0.signalInDecibelMilliwatts ?? -128, $1.address.value) > (
                $1.signalInDecibelMilliwatts ?? -128, $0.address.value
            )
        }
    }

    func json(_ device: Advertisement) -> JSONText {
        let others = Self.others(device)
        let unsupported = others.filter { !$0.isRead }
        return .object([
            ("address", .string(device.address.description)), ("addressKind", .string(device.addressKind.rawValue)),
            ("name", device.name.map { .string($0) }),
            ("signal", device.signalInDecibelMilliwatts.map { .integer($0) }),
            ("services", .array(device.services.map(\.description).sorted().map { .string($0) })),
            (
                "measures",
                .array(
                    BluetoothUUID.sensorServices.filter(device.services.contains).compactMap(\.measurementName).map {
                        .string($0)
                    })
            ),
            (
                "forMeasure",
                others.count == unsupported.count
                    ? nil : .array(others.filter(\.isRead).map { .string($0.measures) })
            ), ("unsupported", unsupported.isEmpty ? nil : .array(unsupported.map { .string($0.measures) })),
            ("paired", .boolean(paired.contains(device.address))), ("connected", .boolean(device.isConnected)),
            ("bonded", .boolean(device.isBonded)), ("date", JSONText.date(device.date)),
        ])
    }

    private static func others(_ device: Advertisement) -> [(service: BluetoothUUID, measures: String, isRead: Bool)] {
        BluetoothUUID.otherSensorServices.filter { device.services.contains($0.service) }
    }

    static let columns: [ColumnTable.Column] = [
        .init(title: "address", minimumWidth: 17), .init(title: "name", minimumWidth: 16),
        .init(title: "signal", isNumber: true, minimumWidth: 7), .init(title: "measures", minimumWidth: 10),
        .init(title: ""),
    ]

    func row(_ device: Advertisement) -> ColumnTable.Row {
        let kinds =
            BluetoothUUID.sensorServices.filter(device.services.contains).compactMap(\.measures)
            + Self.others(device).map { $0.isRead ? $0.measures : "\($0.measures) (not supported)" }
        let state = (paired.contains(device.address) ? ["paired"] : []) + (device.isConnected ? ["connected"] : [])
        return .values([
            device.address.description, device.name ?? "", device.signalInDecibelMilliwatts.map { "\($0) dBm" } ?? "",
            kinds.joined(separator: ", "), state.joined(separator: ", "),
        ])
    }
}

/// The output of a scan on a terminal, in a pipe or as JSON.
// Sendable holds: tasks use it one after the other, never two at once.
private final class ScanOutput: @unchecked Sendable {
    private var report: ScanReport
    private let json: Bool
    private let terminal: Terminal?
    private let page = Page.standard(columnsInPipe: 120)
    private var linesOnScreen = 0
    private var drawn = Date.distantPast
    private var hasTitles = false

    init(paired: Set<DeviceAddress>, json: Bool) {
        report = ScanReport(paired: paired)
        self.json = json
        terminal = json ? nil : Terminal.standard()
    }

    func received(_ heard: Advertisement) {
        let news = report.add(heard)
        if terminal != nil {
            if news != nil || Date().timeIntervalSince(drawn) >= 0.5 { draw() }
        } else if let news {
            printLine(news)
            CommandOutput.standard.flush()
        }
    }

    func end(hint: Bool) {
        if terminal != nil { draw() } else { for device in report.nameless { printLine(device) } }
        CommandOutput.standard.flush()
        if report.devices.isEmpty, !json {
            CommandOutput.error.print(
                "no sensor nearby: is it worn and moist? Is another watch, phone or machine connected to it?"
                    + (hint ? " 'workout scan --all' lists every device." : ""))
        }
    }

    private func printLine(_ device: Advertisement) {
        if json { return print(report.json(device).text) }
        defer { hasTitles = true }
        let table = ColumnTable(columns: ScanReport.columns, rows: [report.row(device)])
        CommandOutput.standard.print(styled: table.lines(page, showsTitles: !hasTitles))
    }

    private func draw() {
        drawn = Date()
        guard let terminal else { return }
        let rows = report.byDistance.prefix(max(1, terminal.size.rows - 2)).map(report.row)
        let lines = ColumnTable(columns: ScanReport.columns, rows: rows).lines(page)
        let up = linesOnScreen > 0 ? "\u{1B}[\(linesOnScreen)A\u{1B}[J" : ""
        try? terminal.write(up + lines.map { $0 + "\r\n" }.joined())
        linesOnScreen = lines.count
    }
}
