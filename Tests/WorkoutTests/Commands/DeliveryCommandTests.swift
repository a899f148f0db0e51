import Foundation
import HealthKit
import Testing

@testable import workout

/// `workout delivery`, `permissions` and the device's state, with the built command.
@Suite(.needsCommand) struct DeliveryCommandTests {
    private let command: BuiltCommand
    private var folder: URL { command.home }

    init() throws { command = try BuiltCommand() }

    private func register(_ app: DeliveryApp) throws {
        let database = SQLiteHealthDatabase(.file(folder.appendingPathComponent("health.sqlite").path))
        try database.enableDelivery(of: HKQuantityType(.heartRate), .immediate, to: app)
        let sample = HKQuantitySample(
            type: HKQuantityType(.heartRate),
            quantity: HKQuantity(unit: .count().unitDivided(by: .minute()), doubleValue: 60), start: Date(), end: Date()
        )
        try database.save([sample], from: .current)
    }

    @Test func `an invalid word in HEALTHKIT_SIMULATE is wrong usage`() async throws {
        defer { command.remove() }
        let refused = try await command.run("list", variables: ["HEALTHKIT_SIMULATE": "asleep"])
        #expect(refused.status == 64)
        #expect(refused.errors.contains("locked, guest, unavailable, restricted"))
        #expect(try await command.run("list", variables: ["HEALTHKIT_SIMULATE": "locked"]).status == 0)
    }

    @Test func `apps that are due are started once, and listed`() async throws {
        defer { command.remove() }
        #expect(try await command.run("delivery", "list").output.hasPrefix("No app"))
        #expect(try await command.run("delivery", "run", "--once").output == "No app is due.\n")
        try register(
            DeliveryApp(bundleIdentifier: "test.App", name: "App", executable: "/bin/true", arguments: ["-x"]))
        #expect(try await command.run("delivery", "list").output.contains("heartRate  immediate  due"))
        let started = try await command.run("delivery", "run", "--once", "--json")
        #expect(started.status == 0)
        #expect(started.output.contains(#""app":"test.App","types":["heartRate"],"by":"process"}"#))
        #expect(try await command.run("delivery", "run", "--once", "--json").output.isEmpty)
        let list = try await command.run("delivery", "list", "--json").output
        #expect(list.contains(#""command":["/bin/true","-x"]"#))
        #expect(list.contains(#""state":"waiting""#) && list.contains(#""unanswered":1"#))
        #expect(
            try await command.run("delivery", "run", "--once", variables: ["HEALTHKIT_STORE": "memory"]).status == 64)
    }

    @Test func `units are shown, written and removed`() async throws {
        defer { command.remove() }
        try register(
            DeliveryApp(bundleIdentifier: "test.App", name: "App", executable: "/bin/true", busName: "test.App.Bus"))
        let shown = try await command.run("delivery", "install", "--print")
        #expect(shown.output.contains("/.config/systemd/user/healthkit-delivery.service"))
        #expect(shown.output.contains("\"delivery\" \"run\""))
        let files = DeliveryFolders(variables: ["HOME": folder.path])
        #expect(files.installed().isEmpty)
        let written = try await command.run("delivery", "install")
        #expect(written.output.contains("systemctl --user"))
        #expect(written.output.contains("no systemd user manager"))
        #expect(files.installed().count == 3)
        #expect(try await command.run("delivery", "install").status == 0)
        #expect(try await command.run("delivery", "uninstall").output.contains("removed: "))
        #expect(files.installed().isEmpty)
        #expect(try await command.run("delivery", "uninstall").output == "Nothing to remove.\n")
    }

    @Test func `the packaged unit serves its user's own store, until the user has a unit`()
        throws
    {
        defer { command.remove() }
        let folders = DeliveryFolders(variables: ["HOME": folder.path])
        var runner = DeliveryApp(
            bundleIdentifier: "local.workout", name: "workout", executable: folder.path + "/usr/bin/workout",
            environment: ["HEALTHKIT_STORE": folder.path + "/health.sqlite"])
        func unit(_ variables: [String: String] = [:]) -> String? {
            Delivery.Install.installedUnit(for: runner, folders, variables)?.path
        }
        #expect(unit() == nil)
        let installed = folder.appendingPathComponent("usr/lib/systemd/user/" + DeliveryFolders.runnerUnit)
        try DeliveryFolders.write(.init(url: installed, text: ""))
        #expect(unit() == installed.path)
        #expect(unit(["HEALTHKIT_STORE": "/elsewhere.sqlite"]) == nil)
        try DeliveryFolders.write(folders.files(runner: runner, apps: [])[0])
        #expect(unit() == nil)
        try FileManager.default.removeItem(at: folders.units)
        #expect(unit() == installed.path)
        runner.environment["XDG_DATA_HOME"] = "/data"
        #expect(unit() == nil)
    }

    @Test func `permissions are changed by type for writing and reading, and removed`() async throws {
        defer { command.remove() }
        #expect(
            try await command.run("permissions", "local.App").output == "local.App has not asked for permissions.\n")
        let allowed = try await command.run(
            "permissions", "local.App", "--allow", "heartRate", "--deny", "stepCount", "--json")
        #expect(
            allowed.output.contains(
                #""heartRate":{"share":"allowed","read":"allowed"},"stepCount":{"share":"denied","read":"denied"}"#))
        let half = try await command.run("permissions", "local.App", "--forget", "heartRate", "--read", "--json")
        #expect(half.output.contains(#""heartRate":{"share":"allowed"}"#))
        let limited = try await command.run(
            "permissions", "local.App", "--allow", "heartRate", "--read", "--past-days", "30")
        #expect(limited.output.contains("  heartRate  may write     may read from 20"))
        let json = try await command.run("permissions", "local.App", "--json")
        #expect(json.output.contains(#""heartRate":{"share":"allowed","read":"allowed","readFrom":"20"#))
        #expect(try await command.run("permissions", "local.App", "--past-days", "30").status == 64)
        #expect(
            try await command.run("permissions", "local.App", "--allow", "all", "--share", "--past-days", "30").status
                == 64)
        _ = try await command.run("permissions", "local.App", "--forget", "all")
        #expect(try await command.run("permissions", "local.App", "--json").output == "{\"apps\":{}}\n")
        #expect(try await command.run("permissions", "local.App", "--allow", "bloodPressure").status == 64)
        #expect(
            try await command.run("permissions", "local.App", "--allow", "appleExerciseTime", "--share").status == 64)
        #expect(try await command.run("permissions", "--reset").status == 64)
    }
}
