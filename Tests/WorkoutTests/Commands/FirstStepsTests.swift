import Foundation
import HealthKit
import Testing

@testable import workout

/// The output of `workout` alone.
@Suite struct FirstStepsTests {
    private static let latest = FirstSteps.Latest(
        title: "Morning Run", start: Date(timeIntervalSince1970: 1_764_000_000), id: "8F3A1234")

    private static func lines(_ steps: FirstSteps) -> [String] {
        steps.lines(Page(columns: 80, timeZone: .gmt))
    }

    @Test func `without an adapter the command suggests a simulation and an import`() {
        let lines = Self.lines(FirstSteps(hasAdapter: false, sensors: []))
        #expect(lines.count == 8)
        #expect(lines[2] == "No Bluetooth adapter found. Without one you can:")
        #expect(lines[3].hasPrefix("  workout simulate --speed max --save "))
        #expect(lines[4].hasPrefix("  workout import FILE "))
        #expect(!lines.joined().contains("workout pair"))
    }

    @Test func `with an adapter pairing comes first, and with a sensor recording`() {
        let adapter = Self.lines(FirstSteps(hasAdapter: true, sensors: []))
        #expect(adapter.count == 8 && adapter[3].hasPrefix("  workout pair "))
        #expect(adapter.contains { $0.hasPrefix("  workout simulate ") })
        let sensor = Self.lines(FirstSteps(hasAdapter: true, sensors: ["Polar H10 1234"]))
        #expect(sensor.count == 8 && sensor[3].hasPrefix("  workout record "))
        #expect(sensor[2] == "Polar H10 1234 is paired.")
    }

    @Test(arguments: [(false, []), (true, []), (true, ["Polar H10 1234"])] as [(Bool, [String])])
    func `the latest workout is named with the command that shows it`(hasAdapter: Bool, sensors: [String]) {
        let lines = Self.lines(FirstSteps(hasAdapter: hasAdapter, sensors: sensors, latest: Self.latest))
        #expect(lines.count == 8)
        #expect(lines[2].hasSuffix("Latest workout: Morning Run, 2025-11-24 16:00."))
        #expect(lines.contains { $0.hasPrefix("  workout show 8F3A1234 ") })
    }

    @Test func `no line is wider than the terminal, and colours are for terminals`() {
        let steps = FirstSteps(
            hasAdapter: true, sensors: [String(repeating: "strap ", count: 40)], latest: Self.latest)
        let narrow = steps.lines(Page(columns: 40))
        #expect(narrow.count == 8 && narrow.allSatisfy { $0.count <= 40 })
        var terminal = Page(columns: 80)
        terminal.capability.colour = .palette
        #expect(steps.lines(terminal).contains { $0.contains("\u{1B}[38;5;44mworkout record") })
        #expect(!steps.lines(Page(columns: 80)).joined().contains("\u{1B}"))
    }

    @Test func `an adapter is one that the kernel lists`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let environment = HealthEnvironment(variables: [
            "HEALTHKIT_STORE": folder.path + "/health.sqlite", "XDG_CONFIG_HOME": folder.path,
        ])
        let adapters = folder.appendingPathComponent("bluetooth")
        #expect(try !FirstSteps(environment, adapters: adapters.path).hasAdapter)
        try FileManager.default.createDirectory(
            at: adapters.appendingPathComponent("hci0"), withIntermediateDirectories: true)
        #expect(try FirstSteps(environment, adapters: adapters.path).hasAdapter)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/health.sqlite"))
    }

    @Test(.needsCommand) func `the command without arguments leads to the first workout, and then to that one`()
        async throws
    {
        let command = try BuiltCommand()
        defer { command.remove() }
        let first = try await command.run()
        #expect(first.status == 0 && first.errors.isEmpty, "\(first.all)")
        #expect(first.output.split(separator: "\n", omittingEmptySubsequences: false).count == 9)
        #expect(first.output.contains("  workout simulate --speed max --save"))
        #expect(!FileManager.default.fileExists(atPath: command.home.path + "/health.sqlite"))
        #expect(try await command.run("simulate", "--speed", "max", "--duration", "10m", "--save").status == 0)
        let second = try await command.run().output
        let id = try #require(second.firstMatch(of: #/workout show ([0-9A-F]{8})/#)?.1)
        #expect(try await command.run("show", String(id)).status == 0)
    }

    @Test(.needsCommand) func `unreadable settings are an error`() async throws {
        let command = try BuiltCommand()
        defer { command.remove() }
        let folder = command.home.appendingPathComponent(".config/healthkit")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("no JSON".utf8).write(to: folder.appendingPathComponent("config.json"))
        let outcome = try await command.run()
        #expect(outcome.status == 65 && outcome.errors.contains("config.json"))
    }

    @Test(.needsCommand) func `a development build has no licences, and names the build that has`() async throws {
        let command = try BuiltCommand()
        defer { command.remove() }
        let licenses = try await command.run("--licenses")
        #expect(licenses.status == 69 && licenses.errors.contains("make build"))
    }
}
