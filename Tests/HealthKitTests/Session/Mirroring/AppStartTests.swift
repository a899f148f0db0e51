import Foundation
import HealthKit
import MadeSamples
import Mirroring
import Synchronization
import Testing

/// `startWatchApp` between two machines: one asks, the other listens and has the app.
@Suite(.timeLimit(.minutes(10))) struct AppStartTests {
    private let folder = MachineFolder()
    private let configuration = {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .swimming
        configuration.locationType = .indoor
        configuration.swimmingLocationType = .pool
        configuration.lapLength = HKQuantity(unit: .meter(), doubleValue: 25)
        return configuration
    }()

    private func asking(_ addresses: [String]) -> HKHealthStore { Watch.store(folder.url, to: addresses) }

    @Test func `a listening app gets the workout`() async throws {
        let phone = try await Phone(folder.url)
        let handed = AsyncStream.makeStream(of: HKWorkoutConfiguration.self)
        phone.store.workoutConfigurationHandler = { handed.continuation.yield($0) }
        #expect(phone.store.workoutConfigurationHandler != nil)
        try await asking([phone.address]).startWatchApp(toHandle: configuration)
        var all = handed.stream.makeAsyncIterator()
        #expect(await all.next() == configuration)
        // Once more, with the other form of the call.
        let success = await withCheckedContinuation { answer in
            asking([phone.address]).startWatchApp(with: configuration) { success, error in
                answer.resume(returning: success && error == nil)
            }
        }
        #expect(success)
        #expect(await all.next() == configuration)
        phone.store.workoutConfigurationHandler = nil
        await phone.stop()
    }

    @Test func `a registered app is started and finds the workout waiting`() async throws {
        let pipe = folder.url.appendingPathComponent("started").path
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        #expect(mkfifo(pipe, 0o600) == 0)
        let apps = CompanionApps(besideKeyIn: folder.url)
        try apps.register(
            DeliveryApp(
                bundleIdentifier: "test.other.watch", name: "other", executable: "/bin/false"))
        let own = HKSource.default().bundleIdentifier
        try apps.register(
            DeliveryApp(
                bundleIdentifier: own + ".watch", name: "watch", executable: "/bin/sh",
                arguments: ["-c", "echo begun > started"], workingDirectory: folder.url.path,
                environment: ["PATH": "/usr/bin:/bin"]))
        let phone = try await Phone(folder.url)
        try await asking([phone.address]).startWatchApp(toHandle: configuration)
        let handle = try #require(FileHandle(forReadingAtPath: pipe))
        #expect(String(decoding: handle.readDataToEndOfFile(), as: UTF8.self) == "begun\n")

        // The first call of the started process.
        let waiting = try #require(apps.claim(for: own + ".watch", at: Date()))
        #expect(try waiting.configuration == configuration)
        #expect(apps.claim(for: own + ".watch", at: Date()) == nil)
        await phone.stop()
    }

    @Test func `a workout waits for an app no longer than the app takes to start`() throws {
        let apps = CompanionApps(besideKeyIn: folder.url)
        let request = AppLaunchRequest(for: "test.app", configuration.activityDescription)
        try apps.leave(request, for: "test.app", at: Made.start)
        #expect(apps.claim(for: "test.app", at: Made.start + 61) == nil)
        try apps.leave(request, for: "test.app", at: Made.start)
        #expect(apps.claim(for: "test.app", at: Made.start + 59) == request)
    }

    @Test func `apps that belong together are found`() {
        func app(_ identifier: String) -> DeliveryApp {
            DeliveryApp(bundleIdentifier: identifier, name: identifier, executable: "/bin/true")
        }
        let two = [app("com.example.run.watchkitapp"), app("com.example.running")]
        #expect(CompanionApps.app(for: "com.example.run", among: two) == two[0])
        #expect(CompanionApps.app(for: "com.example.running", among: two) == two[1])
        #expect(CompanionApps.app(for: "com.example.swim", among: two) == nil)
        #expect(CompanionApps.app(for: "com.example.swim", among: [two[0]]) == two[0])
        #expect(CompanionApps.app(for: "com.example.swim", among: []) == nil)
    }

    @Test func `the reason for not starting an app is reported`() async throws {
        let nobody = await #expect(throws: HKError.self) { try await asking([]).startWatchApp(toHandle: configuration) }
        #expect(nobody?.code == .errorHealthDataUnavailable)
        #expect(nobody?.localizedDescription.contains("no other machine is known") == true)

        let phone = try await Phone(folder.url)
        let noApp = await #expect(throws: HKError.self) {
            try await asking([phone.address]).startWatchApp(toHandle: configuration)
        }
        #expect(noApp?.code == .errorHealthDataUnavailable)
        #expect(noApp?.localizedDescription.contains("no app of that machine goes with") == true)

        try CompanionApps(besideKeyIn: folder.url).register(
            DeliveryApp(bundleIdentifier: "test.gone", name: "gone", executable: "/nowhere/gone"))
        let gone = await #expect(throws: HKError.self) {
            try await asking([phone.address]).startWatchApp(toHandle: configuration)
        }
        #expect(gone?.localizedDescription.contains("/nowhere/gone") == true)
        await phone.stop()

        let wrong = await #expect(throws: HKError.self) {
            try await asking(["[no address"]).startWatchApp(toHandle: configuration)
        }
        #expect(wrong?.code == .errorInvalidArgument)
    }

    /// A request is no session, not even for versions that don't know requests.
    @Test func `a request and a session's greeting are not confused`() {
        let request = AppLaunchRequest(for: "test.app", configuration.activityDescription)
        #expect(AppLaunchRequest(request.bytes) == request)
        #expect(AppLaunchRequest(Array("{\"version\":1,\"session\":\"x\"}".utf8)) == nil)
        var later = request
        later.version = 2
        #expect(AppLaunchRequest(later.bytes) == nil)
    }
}
