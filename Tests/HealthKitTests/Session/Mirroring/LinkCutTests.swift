import Analytics
import Foundation
import HealthKit
import Testing

@testable import Engine
@testable import SessionLog

/// Sessions with broken links and killed machines: both sides must agree at the end.
///
/// `HEALTHKIT_LINK_CUTS` sets the total number of broken links (default 40).
@Suite(.serialized, .timeLimit(.minutes(20))) struct LinkCutTests {
    private static let cuts = ProcessInfo.processInfo.environment["HEALTHKIT_LINK_CUTS"].flatMap(Int.init) ?? 40
    private static let cutsPerSession = 8

    private let folder = MachineFolder()

    /// A workout of some minutes, measured as fast as possible, with data and requests in both directions.
    ///
    /// - Returns: The data that each side sent.
    private func exercise(
        _ watch: Watch, _ mirrored: Phone.Mirrored, seed: UInt64
    ) async -> (watch: [String], phone: [String]) {
        var sent: (watch: [String], phone: [String]) = ([], [])
        func send(_ text: String, _ session: HKWorkoutSession) {
            session.sendToRemoteWorkoutSession(data: Data(text.utf8)) { _, _ in }
        }
        var generator = SeededGenerator(seed: seed)
        for number in 0..<400 {
            await watch.measure(Double.random(in: 60...190, using: &generator))
            switch Int.random(in: 0..<40, using: &generator) {
            case 0: watch.session.pause()
            case 1: watch.session.resume()
            case 2: mirrored.session.pause()
            case 3: mirrored.session.resume()
            case 4:
                sent.phone.append("p\(number)")
                send("p\(number)", mirrored.session)
            default: break
            }
            guard number % 25 == 24 else { continue }
            // Both sides advance together, so that links break in the middle.
            let step = "w\(number)"
            sent.watch.append(step)
            send(step, watch.session)
            await mirrored.diary.wait {
                if case .data(let data) = $0 { data.contains(Data(step.utf8)) } else { false }
            }
        }
        sent.phone.append("last")
        send("last", mirrored.session)
        await watch.diary.wait { if case .data(let data) = $0 { data.last == Data("last".utf8) } else { false } }
        return sent
    }

    private func data(_ diary: SessionDiary) -> [String] {
        diary.notes.flatMap { note -> [String] in
            guard case .data(let data) = note else { return [] }
            return data.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    @Test func `a link that is cut tens of times loses and repeats nothing`() async throws {
        for seed in 0..<UInt64(max(1, Self.cuts / Self.cutsPerSession)) {
            let phone = try await Phone(folder.url)
            let link = try FlakyLink(to: phone.address, seed: seed, faults: Self.cutsPerSession)
            let watch = try Watch(folder.url, to: [link.address])
            try await watch.begin()
            try await watch.session.startMirroringToCompanionDevice()
            let mirrored = await phone.nextSession()
            let sent = await exercise(watch, mirrored, seed: seed)
            _ = try await watch.finish()
            await mirrored.diary.wait { $0 == .disconnected(nil) }
            let (theirs, ours) = (await mirrored.lines, await watch.lines)
            #expect(theirs == ours, "seed \(seed), \(link.happened)")
            #expect(data(mirrored.diary) == sent.watch, "seed \(seed)")
            #expect(data(watch.diary) == sent.phone, "seed \(seed)")
            #expect(
                mirrored.builder.statistics(for: HKQuantityType(.heartRate))?.total
                    == watch.builder.statistics(for: HKQuantityType(.heartRate))?.total)
            link.close()
            await phone.stop()
        }
    }

    @Test func `a link that no longer delivers is noticed and replaced`() async throws {
        let phone = try await Phone(folder.url)
        let link = try FlakyLink(to: phone.address, seed: 3, faults: 2, of: [.blackHole, .halfOpen])
        let watch = try Watch(folder.url, to: [link.address])
        try await watch.begin()
        watch.session.startMirroringToCompanionDevice { _, _ in }
        let mirrored = await phone.nextSession()
        _ = await exercise(watch, mirrored, seed: 3)
        _ = try await watch.finish()
        await mirrored.diary.wait { $0 == .disconnected(nil) }
        #expect(await mirrored.lines == watch.lines)
        link.close()
        await phone.stop()
    }

    @Test func `a mirrored process that is killed gets everything again in a new session`() async throws {
        let first = try await Phone(folder.url)
        let watch = try Watch(folder.url, to: [first.address])
        try await watch.begin()
        try await watch.session.startMirroringToCompanionDevice()
        let before = await first.nextSession()
        for value in 1...50 { await watch.measure(Double(value)) }
        try await watch.session.sendToRemoteWorkoutSession(data: Data("before".utf8))
        await before.diary.wait { $0 == .data([Data("before".utf8)]) }
        // Until the watch knows that the request was handled.
        before.session.pause()
        await watch.diary.waitUntil(.paused)
        await first.stop()
        watch.session.resume()
        // Earlier readings belong to the pause.
        _ = await watch.session.recorder.log
        for value in 51...100 { await watch.measure(Double(value)) }
        try await watch.session.sendToRemoteWorkoutSession(data: Data("between".utf8))
        let second = try await Phone(folder.url, listen: first.address)
        let after = await second.nextSession()
        #expect(after.session !== before.session)
        #expect(after.builder.statistics(for: HKQuantityType(.heartRate))?.total.count == 100)
        _ = try await watch.finish()
        await after.diary.wait { $0 == .disconnected(nil) }
        #expect(data(after.diary) == ["between"])
        #expect(await after.lines == watch.lines)
        await second.stop()
    }

    @Test func `a primary that is killed and recovered continues where the mirrored side is`() async throws {
        let journals = MachineFolder()
        let phone = try await Phone(folder.url)
        let link = try FlakyLink(to: phone.address, seed: 0, faults: 0)
        let watch = try Watch(folder.url, to: [link.address], journals: journals.url)
        try await watch.begin()
        try await watch.session.startMirroringToCompanionDevice()
        let mirrored = await phone.nextSession()
        for value in 1...50 { await watch.measure(Double(value)) }
        watch.session.pause()
        await mirrored.diary.waitUntil(.paused)

        // The state that a killed process leaves. The old one lives on in this test, but is disconnected.
        link.close()
        let crashed = try journals.afterKill()

        let recovered = try await Watch.recovered(folder.url, to: [phone.address], journals: crashed.url)
        try await recovered.session.startMirroringToCompanionDevice()
        recovered.session.resume()
        _ = await recovered.session.recorder.log
        for value in 51...100 { await recovered.measure(Double(value)) }
        _ = try await recovered.finish()
        await mirrored.diary.waitUntil(.ended)
        await mirrored.diary.wait { $0 == .disconnected(nil) }
        #expect(await mirrored.lines == recovered.lines)
        #expect(mirrored.builder.statistics(for: HKQuantityType(.heartRate))?.total.count == 100)
        await phone.stop()
    }

    @Test func `a primary that ends during an outage delivers the rest when the other machine returns`() async throws {
        let first = try await Phone(folder.url)
        let watch = try Watch(folder.url, to: [first.address])
        try await watch.begin()
        try await watch.session.startMirroringToCompanionDevice()
        _ = await first.nextSession()
        await first.stop()
        for value in 1...50 { await watch.measure(Double(value)) }
        _ = try await watch.finish()
        let second = try await Phone(folder.url, listen: first.address)
        let after = await second.nextSession()
        #expect(after.session.state == .ended)
        await after.diary.wait { $0 == .disconnected(nil) }
        #expect(await after.lines == watch.lines)
        await second.stop()
    }

    @Test func `what a killed process had not delivered of a finished session is delivered by the next one`()
        async throws
    {
        let journals = MachineFolder()
        let first = try await Phone(folder.url)
        let link = try FlakyLink(to: first.address, seed: 0, faults: 0)
        let watch = try Watch(folder.url, to: [link.address], journals: journals.url)
        try await watch.begin()
        try await watch.session.startMirroringToCompanionDevice()
        _ = await first.nextSession()
        link.close()
        await watch.session.recorder.collect([
            SessionEntry(Date(), .sensor(SensorStatus(id: "strap", kind: .bluetooth, presence: .present)))
        ])
        for value in 1...50 { await watch.measure(Double(value)) }
        _ = try await watch.finish()
        let lines = await watch.lines
        #expect(SessionJournal.left(in: journals.url).isEmpty)

        let crashed = MachineFolder()
        try FileManager.default.createDirectory(at: crashed.url, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: journals.url.appendingPathComponent("undelivered"),
            to: crashed.url.appendingPathComponent("undelivered"))
        let second = try await Phone(folder.url)
        let store = Watch.store(folder.url, to: [second.address], journals: crashed.url)
        #expect(try await store.recoverActiveWorkoutSession() == nil)
        let deliveries = await UndeliveredSessions.deliver(
            in: crashed.url, to: store.environment.companions, time: SystemTime())
        let mirrored = await second.nextSession()
        #expect(mirrored.session.state == .ended)
        for delivery in deliveries { #expect(await delivery.value) }
        #expect(deliveries.count == 1)
        #expect(await mirrored.lines == lines)
        #expect(SessionJournal.left(in: crashed.url.appendingPathComponent("undelivered")).isEmpty)
        await first.stop()
        await second.stop()
    }

    @Test func `a longer outage is reported on both sides, and the same session returns`() async throws {
        let phone = try await Phone(folder.url)
        let watch = try Watch(folder.url, to: [phone.address])
        try await watch.begin()
        try await watch.session.startMirroringToCompanionDevice()
        let mirrored = await phone.nextSession()
        await phone.store.stopListeningForMirroredSessions()
        await mirrored.diary.wait { $0 == .disconnected(.errorHealthDataUnavailable) }
        await watch.diary.wait { $0 == .disconnected(.errorHealthDataUnavailable) }
        #expect(mirrored.session.state == .running)
        await watch.measure(120)
        _ = try await phone.store.listenForMirroredSessions(at: phone.address)
        let again = await phone.nextSession()
        #expect(again.session === mirrored.session)
        _ = try await watch.finish()
        await mirrored.diary.wait { $0 == .disconnected(nil) }
        #expect(await mirrored.lines == watch.lines)
        await phone.stop()
    }
}
