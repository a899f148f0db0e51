import Engine
import Foundation
import Mirroring
import SessionLog
import Synchronization
import Testing

@testable import HealthKit

/// Mirroring that the other machine has ended, and machines that reconnect under another name.
@Suite(.timeLimit(.minutes(10))) struct EndedMirroringTests {
    private let folder = MachineFolder()

    @Test func `declined mirroring fails at once and can be started again`() async throws {
        let host = try Watch.store(folder.url, to: []).environment.companions.host()
        let isWelcome = Mutex(false)
        let listener = try await host.listen(on: MirrorAddress(host: "127.0.0.1", port: 0)) { offer in
            guard isWelcome.withLock({ $0 }) else { return .decline }
            return .accept(MirrorChannel(id: offer.channel, delivery: .direct { _ in }))
        }
        let watch = try Watch(folder.url, to: [listener.address.description])
        try await watch.begin()
        let error = await #expect(throws: HKError.self) { try await watch.session.startMirroringToCompanionDevice() }
        #expect(error?.localizedDescription.contains("declined") == true)
        #expect(error?.localizedDescription.contains("Attempts go on") == false)
        await #expect(throws: HKError.self) { try await watch.send("into nothing") }
        isWelcome.withLock { $0 = true }
        try await watch.session.startMirroringToCompanionDevice()
        try await watch.send("to somebody")
        watch.session.end()
        await listener.close()
    }

    /// A reader that knows only what it has received.
    private final class Reader: SessionLogSink {
        private let log = Mutex<[SessionEntry]>([])
        var lines: [String] { SessionLines.of(log.withLock { $0 }) }

        func append(_ entry: SessionEntry) { log.withLock { $0.append(entry) } }
        func beginAnew() { log.withLock { $0 = [] } }
    }

    @Test func `a primary that restarted mirroring during an outage and was killed is followed again`() async throws {
        let journals = MachineFolder()
        let phone = try await Phone(folder.url)
        let link = try FlakyLink(to: phone.address, seed: 0, faults: 0)
        let watch = try Watch(folder.url, to: [link.address], journals: journals.url)
        try await watch.begin()
        try await watch.session.startMirroringToCompanionDevice()
        let mirrored = await phone.nextSession()
        let reader = Reader()
        mirrored.session.recorder.enqueue { $0.attach(reader) }
        link.setDown(true)
        await mirrored.diary.waitForDisconnect()
        await watch.diary.waitForDisconnect()
        try await watch.session.recorder.stopMirroring().abandon()
        watch.session.startMirroringToCompanionDevice { _, _ in }
        // The phone closes the first channel while the watch is away.
        link.setDown(false)
        #expect(await phone.nextSession().session === mirrored.session)
        watch.session.pause()
        await mirrored.diary.waitUntil(.paused)
        link.close()

        let crashed = try journals.afterKill()
        let recovered = try await Watch.recovered(folder.url, to: [phone.address], journals: crashed.url)
        try await recovered.session.startMirroringToCompanionDevice()
        recovered.session.resume()
        for value in 1...50 { await recovered.measure(Double(value)) }
        _ = try await recovered.finish()
        await mirrored.diary.wait { $0 == .disconnected(nil) }
        #expect(await mirrored.lines == recovered.lines)
        #expect(reader.lines == SessionLines.of(await recovered.session.recorder.log))
        await phone.stop()
    }

    @Test func `another machine cannot take over a session, even with all its data`() async throws {
        let journals = MachineFolder()
        let phone = try await Phone(folder.url)
        let watch = try Watch(folder.url, to: [phone.address], journals: journals.url)
        try await watch.begin()
        try await watch.session.startMirroringToCompanionDevice()
        let mirrored = await phone.nextSession()

        let known = try journals.afterKill()
        let store = Watch.store(MachineFolder().url, to: [phone.address], journals: known.url)
        let host = try phone.store.environment.companions.host()
        let otherHost = try store.environment.companions.host()
        try host.peers.add(.init(fingerprint: otherHost.identity.fingerprint, name: "other"))
        try otherHost.peers.add(.init(fingerprint: host.identity.fingerprint, name: "phone"))
        let offered = try await store.recoverActiveWorkoutSession()
        let other = try Watch(store, #require(offered))
        let error = await #expect(throws: HKError.self) { try await other.session.startMirroringToCompanionDevice() }
        #expect(error?.localizedDescription.contains("declined") == true)

        await watch.measure(120)
        _ = try await watch.finish()
        await mirrored.diary.waitForDisconnect()
        #expect(mirrored.diary.notes.last == .disconnected(nil))
        #expect(await mirrored.lines == watch.lines)
        other.session.end()
        await phone.stop()
    }

    @Test func `two addresses of one machine are one link, and no end is reported`() async throws {
        let phone = try await Phone(folder.url)
        let link = try FlakyLink(to: phone.address, seed: 0, faults: 0)
        var environment = HealthEnvironment(sensors: [])
        let settings = CompanionSettings(peers: [phone.address, link.address], folder: folder.url, discovers: false)
        let told = Told()
        environment.companions = Companions(settings, report: { told.add($0) })
        let store = HKHealthStore(environment: environment)
        let watch = try Watch(store, HKWorkoutSession(healthStore: store, configuration: HKWorkoutConfiguration()))
        try await watch.begin()
        try await watch.session.startMirroringToCompanionDevice()
        let mirrored = await phone.nextSession()
        for value in 1...50 { await watch.measure(Double(value)) }
        mirrored.session.pause()
        await watch.diary.waitUntil(.paused)
        _ = try await watch.finish()
        await mirrored.diary.wait { $0 == .disconnected(nil) }
        #expect(await mirrored.lines == watch.lines)
        #expect(told.lines.filter { $0.contains("has ended") } == [])
        #expect(!watch.diary.notes.contains(.disconnected(.errorHealthDataUnavailable)))
        link.close()
        await phone.stop()
    }

    private final class Told: Sendable {
        private let written = Mutex<[String]>([])
        var lines: [String] { written.withLock { $0 } }
        func add(_ line: String) { written.withLock { $0.append(line) } }
    }
}
