import Foundation
import HealthKit
import MadeSamples
import Testing

/// Registrations in a file, shell scripts as apps, and a runner on the test's clock.
@Suite struct DeliveryRunnerTests {
    private let now = Date(timeIntervalSinceReferenceDate: 800_000_000)

    private func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "healthkit-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    private func environment(_ folder: String, _ conditions: String = "") -> HealthEnvironment {
        HealthEnvironment(variables: [
            "HEALTHKIT_STORE": folder + "/health.sqlite", "HEALTHKIT_AUTHORIZATION": "allow",
            "HEALTHKIT_SIMULATE": conditions,
        ])
    }

    private func launcher(_ folder: String) -> AppLauncher {
        AppLauncher(DeliveryFolders(variables: ["XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder]))
    }

    /// Writes its arguments and variables into a pipe.
    private func script(_ folder: String) throws -> (app: DeliveryApp, pipe: String) {
        let pipe = folder + "/started"
        #expect(mkfifo(pipe, 0o600) == 0)
        let app = DeliveryApp(
            bundleIdentifier: "test.script", name: "script", executable: "/bin/sh",
            arguments: ["-c", #"echo "$0 $HEALTHKIT_WORD $PWD" > started"#, "an argument"], workingDirectory: folder,
            environment: ["HEALTHKIT_WORD": "word", "PATH": "/usr/bin:/bin"])
        return (app, pipe)
    }

    /// Waits for the script.
    private func said(_ pipe: String) throws -> String {
        let handle = try #require(FileHandle(forReadingAtPath: pipe))
        return String(decoding: handle.readDataToEndOfFile(), as: UTF8.self)
    }

    /// The answers in the variable are not stored, so a started app needs the variable again.
    @Test(arguments: [
        ("HEALTHKIT_AUTHORIZATION", true), ("HEALTHKIT_STORE", true), ("HEALTHKIT_BUNDLE_ID", true), ("LC_TIME", true),
        ("DBUS_SESSION_BUS_ADDRESS", true), ("HEALTHKIT_SIMULATE", false), ("SECRET_TOKEN", false),
    ])
    func `an app is started with the variables of its store and permissions`(name: String, kept: Bool) {
        #expect(DeliveryApp.isKept(name) == kept)
    }

    @Test(.timeLimit(.minutes(10))) func `a change starts the app as it registered itself`() async throws {
        try await inFolder { folder in
            let environment = environment(folder)
            let (app, pipe) = try script(folder)
            let runner = try DeliveryRunner(environment, launcher: launcher(folder))
            try environment.database.enableDelivery(of: Made.heartRate, .immediate, to: app)
            #expect(try runner.pass(now: now).isEmpty)
            try environment.database.save([Made.heartRate(60, at: 0)], from: Made.source("Watch"))
            let starts = try runner.pass(now: now)
            #expect(starts.map(\.types) == [[Made.heartRate]])
            #expect(try starts.first?.outcome.get() == .process)
            #expect(try said(pipe) == "an argument word \(folder)\n")
            // It did not answer. The interval survives the death of a runner.
            #expect(try runner.pass(now: now + 59).isEmpty)
            #expect(try environment.database.deliveries(to: "test.script")[0].deliveries[0].state.unanswered == 1)
        }
    }

    @Test func `a failed start is reported and counts as unanswered`() async throws {
        try await inFolder { folder in
            let environment = environment(folder)
            let app = DeliveryApp(bundleIdentifier: "test.gone", name: "gone", executable: folder + "/gone")
            try environment.database.enableDelivery(of: Made.heartRate, .immediate, to: app)
            try environment.database.save([Made.heartRate(60, at: 0)], from: Made.source("Watch"))
            let runner = try DeliveryRunner(environment, launcher: launcher(folder))
            var time = now
            for distance in [60.0, 120, 240] {
                let start = try #require(try runner.pass(now: time).first)
                let error = #expect(throws: DeliveryError.self) { try start.outcome.get() }
                #expect(error?.description.contains(folder + "/gone") == true)
                time += distance
            }
            #expect(try runner.pass(now: time + 1e6).isEmpty)
        }
    }

    @Test func `each store has one runner, and a store in memory has none`() async throws {
        try await inFolder { folder in
            let environment = environment(folder)
            do {
                let first = try DeliveryRunner(environment, launcher: launcher(folder))
                #expect(throws: DeliveryError.self) { try DeliveryRunner(environment, launcher: launcher(folder)) }
                _ = first
            }
            _ = try DeliveryRunner(environment, launcher: launcher(folder))
            #expect(throws: HKError.self) {
                try DeliveryRunner(
                    HealthEnvironment(variables: ["HEALTHKIT_STORE": "memory"]), launcher: launcher(folder))
            }
        }
    }

    @Test func `nothing is delivered while locked, or for a denied type`() async throws {
        try await inFolder { folder in
            let environment = environment(folder)
            let app = DeliveryApp(bundleIdentifier: "test.App", name: "App", executable: "/bin/true")
            try environment.database.enableDelivery(of: Made.heartRate, .immediate, to: app)
            try environment.database.save([Made.heartRate(60, at: 0)], from: Made.source("Watch"))
            do {
                let locked = try DeliveryRunner(self.environment(folder, "locked"), launcher: launcher(folder))
                #expect(try locked.pass(now: now).isEmpty)
            }
            let runner = try DeliveryRunner(environment, launcher: launcher(folder))
            var permissions = StoredPermissions(name: "App")
            permissions.authorization.set(read: false, [Made.heartRate])
            try environment.database.store(permissions, of: "test.App")
            #expect(try runner.pass(now: now).isEmpty)
            permissions.authorization.set(read: true, [Made.heartRate])
            try environment.database.store(permissions, of: "test.App")
            #expect(try runner.pass(now: now).count == 1)
        }
    }

    // MARK: The app

    @Test func `an app registers itself, and its observer finds and answers pending changes`() async throws {
        try await inFolder { folder in
            let environment = environment(folder)
            let store = HKHealthStore(environment: environment)
            try await store.requestAuthorization(toShare: [], read: [Made.heartRate, Made.steps])
            try await store.enableBackgroundDelivery(for: Made.heartRate, frequency: .immediate)
            try await store.enableBackgroundDelivery(for: Made.heartRate, frequency: .daily)
            let own = HKSource.default().bundleIdentifier
            func delivery() throws -> AppDeliveries.Delivery {
                try #require(try store.database.deliveries(to: own).first?.deliveries.first)
            }
            #expect(try delivery().state.frequency == .daily)
            #expect(try delivery().next(now: now) == .nothing)
            // From now on this process listens, so no second one is started.
            #expect(AppPresence(besideStore: folder + "/health.sqlite").isRunning(own))

            try store.database.save([Made.heartRate(60, at: 0)], from: Made.source("Watch"))
            #expect(try delivery().next(now: now) == .start)
            let calls = Calls<@Sendable () -> Void>()
            let query = HKObserverQuery(sampleType: Made.heartRate, predicate: nil) { _, completion, _ in
                nonisolated(unsafe) let completion = completion  // Called once, by the test.
                calls.add { completion() }
            }
            store.execute(query)
            let answer = try #require(await calls.next())
            #expect(try delivery().next(now: now) == .start)
            try store.database.save([Made.heartRate(61, at: 1)], from: Made.source("Watch"))
            let second = try #require(await calls.next())
            answer()
            // The second change came after the first call.
            #expect(try delivery().next(now: now) == .start)
            second()
            #expect(try delivery().next(now: now) == .nothing)
            store.stop(query)

            try await store.disableBackgroundDelivery(for: Made.steps)
            #expect(try store.database.deliveries(to: own).count == 1)
            try await store.disableBackgroundDelivery(for: Made.heartRate)
            #expect(try store.database.deliveries(to: nil).isEmpty)
            try await store.enableBackgroundDelivery(for: Made.steps, frequency: .weekly)
            try await store.disableAllBackgroundDelivery()
            #expect(try store.database.deliveries(to: nil).isEmpty)
        }
    }

    @Test func `a registration records how this process is started`() {
        let app = DeliveryApp.running(as: .default())
        #expect(FileManager.default.isExecutableFile(atPath: app.executable))
        #expect(app.workingDirectory == FileManager.default.currentDirectoryPath)
        #expect(app.environment["HEALTHKIT_SIMULATE"] == nil)
        #expect(app.environment["PATH"] == ProcessInfo.processInfo.environment["PATH"])
    }

    // MARK: Ways to start an app

    // A user instance of systemd doesn't know the unit in the test's folder, so the outcome is the same with one.
    @Test(.timeLimit(.minutes(10))) func `without bus and systemd the app is started directly`()
        async throws
    {
        try await inFolder { folder in
            let (app, pipe) = try script(folder)
            var named = app
            named.busName = "org.example.OpenHealthKit.Test"
            let folders = DeliveryFolders(variables: ["XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder])
            for file in folders.files(runner: app, apps: [named]) {
                try FileManager.default.createDirectory(
                    at: file.url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(file.text.utf8).write(to: file.url)
            }
            #expect(folders.installed().count == 3)
            let way = try AppLauncher(folders).start(named)
            #expect(try said(pipe).hasPrefix("an argument"))
            #expect(way == .process)
        }
    }
}
