import Foundation
import HealthKit
import OSLog
import SwiftUI
import Testing
import WatchConnectivity
import WatchKit

/// The apps in this folder import Apple's other modules, which behave on Linux as the article about these modules
/// describes.
@Suite struct ModulesTests {
    @Test func `modules are visible to their dependants`() {
        var seen: [String] = []
        #if canImport(Combine)
        seen.append("Combine")
        #endif
        #if canImport(os)
        seen.append("os")
        #endif
        #if canImport(WatchConnectivity)
        seen.append("WatchConnectivity")
        #endif
        #expect(seen == ["Combine", "os", "WatchConnectivity"])
    }

    @Test func `a model observes several publishers`() {
        let model = HeartRateModel()
        model.heartRate = 150
        #expect(model.zone == .steady)
        model.maximum = 160
        #expect(model.zone == .hard)
    }

    @Test func `an observable plan announces a change`() {
        let plan = TrainingPlan()
        plan.steps = ["warm up", "run"]
        nonisolated(unsafe) var changed = false
        withObservationTracking {
            _ = plan.current
        } onChange: {
            changed = true
        }
        plan.advance()
        #expect(changed)
        #expect(plan.current == 1)
        #expect(try! exportLog().contains { $0.hasSuffix("[plan] step 1 of 2: [\"warm up\", \"run\"]") })
    }

    @Test func `a logger extended by an app writes its messages`() throws {
        OSLog.sync.error("sent %d of %{public}@", 3, "four" as NSString)
        OSLog.sync.debug("nobody reads this")
        Logger.health.fault("no heart rate")
        let written = try exportLog()
        #expect(written.contains { $0.hasSuffix("[sync] sent 3 of four") })
        #expect(!written.contains { $0.contains("nobody") })
    }

    @Test func `a buffer behind locks keeps its values`() {
        let buffer = SampleBuffer()
        buffer.add(2)
        buffer.add(4)
        #expect(buffer.average() == 3)
    }

    @Test func `a connection to a watch fails with an error`() async {
        #expect(!WCSession.isSupported())
        let (errors, failed) = AsyncStream<Error>.makeStream()
        let manager = ConnectivityManager()
        manager.send(60) { failed.yield($0) }
        #expect((await errors.first { _ in true } as? WCError)?.code == .sessionNotSupported)
        #expect(throws: WCError(.sessionNotSupported)) { try WCSession.default.updateApplicationContext([:]) }
        let (changes, changed) = AsyncStream<String>.makeStream()
        let held = manager.$lastMessage.sink { changed.yield($0.keys.first ?? "none") }
        manager.activate()
        manager.send(60) { _ in }
        var seen: Set<String> = []
        for await change in changes where seen.insert(change).inserted && seen.count == 3 { break }
        #expect(seen == ["none", "state", "failed"])
        held.cancel()
    }

    @Test func `an extended session starts and ends on request`() async {
        let (lines, log) = AsyncStream<String>.makeStream()
        let background = Background()
        background.log = { log.yield($0) }
        background.start()
        var seen: [String] = []
        for await line in lines {
            seen.append(line)
            if seen.count == 2 { break }
        }
        #expect(seen == ["started", "ended"])
        #expect(background.session.state == .invalid)
    }

    @Test func `a test can observe a haptic`() async {
        let (haptics, played) = AsyncStream<WKHapticType>.makeStream()
        WKInterfaceDevice.current().onPlay { played.yield($0) }
        let delegate = WatchAppDelegate()
        WKExtension.shared().delegate = OldExtensionDelegate()
        WKApplication.shared().delegate = delegate
        #expect(WKExtension.shared().delegate === delegate)
        WKApplication.shared().delegate?.handle(HKWorkoutConfiguration())
        WKInterfaceDevice.current().onPlay(nil)
        played.finish()
        #expect(delegate.configuration != nil)
        // Other tests play haptics at the same time.
        #expect(await haptics.contains(.start))
    }

    @MainActor @Test func `settings are stored in the defaults`() {
        let settings = Settings()
        #expect(settings.zone == 1)
        settings.choose(.hard)
        #expect(Settings().zone == 3)
        #expect(Settings.defaults.integer(forKey: "zone") == 3)
        #expect(settings.name == nil)
        settings.name = "Anna"
        settings.unit = .imperial
        #expect(Settings().name == "Anna")
        #expect(Settings().unit == .imperial)
        settings.name = nil
        #expect(Settings.defaults.object(forKey: "name") == nil)
        let delegate = SceneDelegate(settings: settings)
        delegate.zone.wrappedValue = 2
        #expect(settings.zone == 2)
    }

    @Test func `colours are values`() {
        #expect(Zone.easy.color == .green)
        #expect(Zone.steady.color.description == "#FF800080")
        #expect(Color(hue: 1 / 3, saturation: 1, brightness: 1) == Color(red: 0, green: 1, blue: 0))
        #expect(Zone.hard.color != Zone.easy.color)
        #expect(Color(hex: 0x12_34_56).description == "#123456FF")
    }

    @Test func `environment values have defaults`() {
        var values = EnvironmentValues()
        #expect(values.zone == .easy)
        values.zone = .hard
        #expect(values.zone == .hard)
    }
}
