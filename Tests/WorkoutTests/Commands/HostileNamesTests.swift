import Foundation
import HealthKit
import Testing

@testable import workout

/// A store with names that somebody else chose.
@Suite(.needsCommand) struct HostileNamesTests {
    private let command: BuiltCommand
    private static let name =
        "Eve\u{1B}]0;owned\u{7}\u{1B}[2J\u{202E}\u{9B}31m\u{7F}\nworkout: all is well\r\u{2028}\u{2066}x"

    private static let commands = [
        "list", "samples heartRate", "samples workout", "stats heartRate --source nobody", "show ID", "delivery list",
        "permissions", "sensors", "delete ID --yes",
    ]

    init() throws {
        command = try BuiltCommand()
        let database = SQLiteHealthDatabase(.file(command.home.appendingPathComponent("health.sqlite").path))
        let source = HKSourceRevision(
            source: HKSource(name: Self.name, bundleIdentifier: "evil.\(Self.name)"), version: Self.name,
            productType: nil, operatingSystemVersion: OperatingSystemVersion())
        let start = Date(timeIntervalSinceReferenceDate: 700_000_000)
        let device = HKDevice(
            name: Self.name, manufacturer: Self.name, model: Self.name, hardwareVersion: nil, firmwareVersion: nil,
            softwareVersion: nil, localIdentifier: nil, udiDeviceIdentifier: nil)
        let sample = HKQuantitySample(
            type: HKQuantityType(.heartRate),
            quantity: HKQuantity(unit: .count().unitDivided(by: .minute()), doubleValue: 70), start: start, end: start,
            device: device, metadata: ["k\(Self.name)": Self.name])
        try database.save([sample], from: source)
        try database.save(
            [HKWorkout(activityType: .running, start: start, end: start + 60)], from: source)
        try database.enableDelivery(
            of: HKQuantityType(.heartRate), .immediate,
            to: DeliveryApp(
                bundleIdentifier: "evil.\(Self.name)", name: Self.name, executable: "/bin/\(Self.name)",
                arguments: [Self.name]))
        try database.store(StoredPermissions(name: Self.name), of: "evil.\(Self.name)")
        let folder = command.home.appendingPathComponent(".config/healthkit")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let sensor = ["address": "AA:BB:CC:DD:EE:FF", "name": Self.name, "manufacturer": Self.name, "model": Self.name]
        let configuration: [String: Any] = ["pairedSensors": [sensor]]
        try JSONSerialization.data(withJSONObject: configuration)
            .write(to: folder.appendingPathComponent("config.json"))
    }

    private func arguments(_ text: String) async throws -> [String] {
        let list = try await command.run("list", "--json").output
        let id = try #require(list.firstMatch(of: #/"id":"([0-9A-F-]{36})"/#)?.1)
        return text.split(separator: " ").map { $0 == "ID" ? String(id) : String($0) }
    }

    private func harmful(_ text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.filter { $0 != "\n" && PrintableText.isHarmful($0) }
    }

    private static func holdsName(_ value: Any) -> Bool {
        switch value {
        case let text as String: text.contains(name)
        case let list as [Any]: list.contains(where: holdsName)
        case let object as [String: Any]: object.contains { $0.key.contains(name) || holdsName($0.value) }
        default: false
        }
    }

    @Test(arguments: commands + ["report ID -o -", "report --all -o -"])
    func `names are harmless in printed text, and add no line`(line: String) async throws {
        defer { command.remove() }
        let outcome = try await command.start(arguments(line)).end()
        #expect(!outcome.all.isEmpty)
        #expect(harmful(outcome.all).isEmpty, "\(line)")
        #expect(!outcome.all.contains("\nworkout: all"))
    }

    @Test(arguments: commands.filter { !$0.contains("stats") && !$0.hasPrefix("delete") })
    func `names are harmless in JSON, and unchanged`(line: String) async throws {
        defer { command.remove() }
        let outcome = try await command.start(arguments(line) + ["--json"]).end()
        #expect(outcome.status == 0)
        #expect(harmful(outcome.output).isEmpty, "\(line)")
        var found = false
        for object in outcome.output.split(separator: "\n") {
            let value = try JSONSerialization.jsonObject(with: Data(object.utf8))
            found = found || Self.holdsName(value)
        }
        #expect(found, "\(outcome.output)")
    }

    @Test(arguments: commands)
    func `a terminal gets only the escape sequences of styles`(line: String) async throws {
        defer { command.remove() }
        let running = try await command.start(arguments(line), onTerminal: true)
        let shown = await running.end().errors.replacing(#/\x1B\[[0-9;]+m/#, with: "").replacing("\r\n", with: "\n")
        #expect(!shown.isEmpty)
        #expect(harmful(shown).isEmpty, "\(line): \(shown.debugDescription)")
        #expect(!shown.contains("\nworkout: all"))
    }
}
