import Engine
import Foundation
import HealthKit
import SessionLog
import Testing

@Suite(.timeLimit(.minutes(10))) struct RawMirroringTests {
    private let folder = MachineFolder()

    private func measure(_ watch: Watch) async {
        let notification = NotificationRecord(characteristic: 0x2A37, bytes: [0, 72], sensor: "strap")
        await watch.session.recorder.collect([SessionEntry(Date(), .notification(notification))])
        await watch.measure(72)
    }

    /// The lines of a log as they are sent.
    private func lines(_ watch: Watch, isRaw: Bool) async throws -> [String] {
        let log = try await watch.session.recorder.log.entries
        return SessionLines.of(log.filter { if case .notification = $0.content { isRaw } else { true } })
    }

    @Test(arguments: [true, false])
    func `raw sensor bytes are mirrored only on request`(isRaw: Bool) async throws {
        let phone = try await Phone(folder.url)
        let watch = try Watch(folder.url, to: [phone.address])
        watch.store.mirrorsSensorNotifications = isRaw
        try await watch.begin()
        await measure(watch)
        try await watch.session.startMirroringToCompanionDevice()
        let mirrored = await phone.nextSession()
        await measure(watch)
        _ = try await watch.finish()
        await mirrored.diary.waitForDisconnect()
        let theirs = await mirrored.lines
        #expect(try await theirs == lines(watch, isRaw: isRaw))
        #expect(theirs.count { $0.contains("notification") } == (isRaw ? 2 : 0))
        await phone.stop()
    }

    @Test(arguments: [true, false])
    func `a recovered session may turn raw mirroring on or off`(
        wasRaw: Bool
    ) async throws {
        let journals = MachineFolder()
        let phone = try await Phone(folder.url)
        let link = try FlakyLink(to: phone.address, seed: 0, faults: 0)
        let watch = try Watch(folder.url, to: [link.address], journals: journals.url)
        watch.store.mirrorsSensorNotifications = wasRaw
        try await watch.begin()
        try await watch.session.startMirroringToCompanionDevice()
        let mirrored = await phone.nextSession()
        for _ in 0..<5 { await measure(watch) }
        watch.session.pause()
        await mirrored.diary.waitUntil(.paused)
        link.close()

        let crashed = try journals.afterKill()
        let store = Watch.store(folder.url, to: [phone.address], journals: crashed.url)
        store.mirrorsSensorNotifications = !wasRaw
        let offered = try await store.recoverActiveWorkoutSession()
        let recovered = try Watch(store, #require(offered))
        try await recovered.session.startMirroringToCompanionDevice()
        recovered.session.resume()
        for _ in 0..<5 { await measure(recovered) }
        _ = try await recovered.finish()
        await mirrored.diary.wait { $0 == .disconnected(nil) }
        #expect(try await mirrored.lines == lines(recovered, isRaw: !wasRaw))
        #expect(mirrored.builder.statistics(for: HKQuantityType(.heartRate))?.total.count == 10)
        await phone.stop()
    }
}
