import Foundation
import HealthKit
import Testing

@testable import workout

/// `workout delivery`, `permissions` and what the command says of the device, as the built command does it.
@Suite struct DeliveryCommandTests {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("DeliveryCommandTests-\(UUID().uuidString)")

    private func run(
        _ arguments: String..., variables: [String: String] = [:]
    ) throws -> (status: Int32, output: String, errors: String) {
        let process = Process()
        process.executableURL = CommandLineTests.command
        process.arguments = arguments
        process.environment = [
            "HEALTHKIT_STORE": folder.appendingPathComponent("health.sqlite").path, "HOME": folder.path, "TZ": "UTC",
        ].merging(variables) { $1 }
        let (output, errors) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let read = output.fileHandleForReading.readDataToEndOfFile()
        let said = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: read, as: UTF8.self), String(decoding: said, as: UTF8.self))
    }

    private func register(_ app: DeliveryApp) throws {
        let database = SQLiteHealthDatabase(.file(folder.appendingPathComponent("health.sqlite").path))
        try database.enableDelivery(of: HKQuantityType(.heartRate), .immediate, to: app)
        let sample = HKQuantitySample(
            type: HKQuantityType(.heartRate),
            quantity: HKQuantity(unit: .count().unitDivided(by: .minute()), doubleValue: 60), start: Date(), end: Date()
        )
        try database.save([sample], from: .current)
    }

    // Skipped, like the others below, where the tests were built without the command.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: CommandLineTests.command.path)))
    func `a word of HEALTHKIT_SIMULATE that is none is wrong usage`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let refused = try run("list", variables: ["HEALTHKIT_SIMULATE": "asleep"])
        #expect(refused.status == 64)
        #expect(refused.errors.contains("locked, guest, unavailable, restricted"))
        #expect(try run("list", variables: ["HEALTHKIT_SIMULATE": "locked"]).status == 0)
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: CommandLineTests.command.path)))
    func `apps that are due are started once, and listed`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try run("delivery", "list").output.hasPrefix("No app"))
        #expect(try run("delivery", "run", "--once").output == "No app is due.\n")
        try register(
            DeliveryApp(bundleIdentifier: "test.App", name: "App", executable: "/bin/true", arguments: ["-x"]))
        #expect(try run("delivery", "list").output.contains("heartRate  immediate  due"))
        let started = try run("delivery", "run", "--once", "--json")
        #expect(started.status == 0)
        #expect(started.output.contains(#""app":"test.App","types":["heartRate"],"by":"process"}"#))
        #expect(try run("delivery", "run", "--once", "--json").output.isEmpty)
        let list = try run("delivery", "list", "--json").output
        #expect(list.contains(#""command":["/bin/true","-x"]"#))
        #expect(list.contains(#""state":"waiting""#) && list.contains(#""unanswered":1"#))
        #expect(try run("delivery", "run", "--once", variables: ["HEALTHKIT_STORE": "memory"]).status == 64)
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: CommandLineTests.command.path)))
    func `units are shown, written and removed`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try register(
            DeliveryApp(bundleIdentifier: "test.App", name: "App", executable: "/bin/true", busName: "test.App.Bus"))
        let shown = try run("delivery", "install", "--print")
        #expect(shown.output.contains("/.config/systemd/user/healthkit-delivery.service"))
        #expect(shown.output.contains("\"delivery\" \"run\""))
        let files = DeliveryFolders(variables: ["HOME": folder.path])
        #expect(files.installed().isEmpty)
        let written = try run("delivery", "install")
        #expect(written.output.contains("systemctl --user"))
        #expect(written.output.contains("no systemd user manager"))
        #expect(files.installed().count == 3)
        #expect(try run("delivery", "install").status == 0)
        #expect(try run("delivery", "uninstall").output.contains("removed: "))
        #expect(files.installed().isEmpty)
        #expect(try run("delivery", "uninstall").output == "Nothing is installed.\n")
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: CommandLineTests.command.path)))
    func `permissions are changed by type, to write and to read, and forgotten`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try run("permissions", "local.App").output == "Nobody was asked about local.App.\n")
        let allowed = try run("permissions", "local.App", "--allow", "heartRate", "--deny", "stepCount", "--json")
        #expect(
            allowed.output.contains(
                #""heartRate":{"share":"allowed","read":"allowed"},"stepCount":{"share":"denied","read":"denied"}"#))
        let half = try run("permissions", "local.App", "--forget", "heartRate", "--read", "--json")
        #expect(half.output.contains(#""heartRate":{"share":"allowed"}"#))
        _ = try run("permissions", "local.App", "--forget", "all")
        #expect(try run("permissions", "local.App", "--json").output == "{\"apps\":{}}\n")
        #expect(try run("permissions", "local.App", "--allow", "bloodPressure").status == 64)
        #expect(try run("permissions", "local.App", "--allow", "appleExerciseTime", "--share").status == 64)
        #expect(try run("permissions", "--reset").status == 64)
    }
}
