import Engine
import Foundation
import HealthKit
import Mirroring
import SessionLog
import Testing

/// Requests and data of processes that are killed before the other side has received them.
@Suite(.timeLimit(.minutes(10))) struct KilledMachineTests {
    private let folder = MachineFolder()

    /// A machine that repeats its requests to each process, because it never learnt that they were handled.
    private struct DeafPhone {
        let listener: MirrorListener

        init(_ folder: URL, log: UUID, asking wishes: [SessionEntry]) async throws {
            let lines = SessionLines.of(wishes)
            let host = try Watch.store(folder, to: []).environment.companions.host()
            listener = try await host.listen(on: MirrorAddress(host: "127.0.0.1", port: 0)) { offer in
                let channel = MirrorChannel(id: offer.channel, source: .memory(log: log), delivery: .direct { _ in })
                for line in lines { channel.append(Array(line.utf8)) }
                return .accept(channel)
            }
        }
    }

    private func wish(_ content: SessionEntry.Content) -> SessionEntry { SessionEntry(.distantFuture, content) }

    private func event(_ kind: EventRecord.Kind) -> SessionEntry {
        wish(.event(EventRecord(kind, start: .distantFuture, end: .distantFuture)))
    }

    private func data(_ text: String) -> SessionEntry { wish(.remoteData(Data(text.utf8))) }

    @Test func `requests that a killed primary fulfilled are not repeated`() async throws {
        let journals = MachineFolder()
        let log = UUID()
        let wishes = [data("a"), event(.pause), event(.resume), event(.lap), data("b")]
        let first = try await DeafPhone(folder.url, log: log, asking: wishes)
        let link = try FlakyLink(to: first.listener.address.description, seed: 0, faults: 0)
        let watch = try Watch(folder.url, to: [link.address], journals: journals.url)
        try await watch.begin()
        try await watch.session.startMirroringToCompanionDevice()
        await watch.diary.waitForData("b")
        _ = await watch.session.recorder.log
        link.close()

        let crashed = try journals.afterKill()
        let second = try await DeafPhone(folder.url, log: log, asking: wishes + [data("c")])
        let recovered = try await Watch.recovered(
            folder.url, to: [second.listener.address.description], journals: crashed.url)
        try await recovered.session.startMirroringToCompanionDevice()
        await recovered.diary.waitForData("c")
        #expect(recovered.diary.data == ["c"])
        #expect(recovered.diary.states == [])
        #expect(recovered.builder.workoutEvents.map(\.type) == [.pause, .resume, .lap])
        recovered.session.end()
        watch.session.end()
        await first.listener.close()
        await second.listener.close()
    }

    @Test func `data sent during an outage arrives although both machines were killed`() async throws {
        let journals = MachineFolder()
        let first = try await Phone(folder.url)
        let link = try FlakyLink(to: first.address, seed: 0, faults: 0)
        let watch = try Watch(folder.url, to: [link.address], journals: journals.url)
        try await watch.begin()
        try await watch.session.startMirroringToCompanionDevice()
        let before = await first.nextSession()
        try await watch.send("before")
        await before.diary.waitForData("before")
        // Until the watch knows that the request was handled.
        before.session.pause()
        await watch.diary.waitUntil(.paused)
        link.close()
        try await watch.send("between")

        let crashed = try journals.afterKill()
        let second = try await Phone(folder.url)
        let recovered = try await Watch.recovered(folder.url, to: [second.address], journals: crashed.url)
        try await recovered.session.startMirroringToCompanionDevice()
        let after = await second.nextSession()
        try await recovered.send("after")
        await after.diary.waitForData("after")
        #expect(after.diary.data == ["between", "after"])
        recovered.session.end()
        watch.session.end()
        await first.stop()
        await second.stop()
    }

    @Test func `data sent before a machine joined stays others', also after a kill`() async throws {
        let journals = MachineFolder()
        let first = try await Phone(folder.url)
        let link = try FlakyLink(to: first.address, seed: 0, faults: 0)
        let watch = try Watch(folder.url, to: [link.address], journals: journals.url)
        try await watch.begin()
        try await watch.session.startMirroringToCompanionDevice()
        _ = await first.nextSession()
        try await watch.send("for the first")
        link.close()

        let crashed = try journals.afterKill()
        let second = try await Phone(MachineFolder().url)
        let store = Watch.store(folder.url, to: [second.address], journals: crashed.url)
        let watchHost = try store.environment.companions.host()
        let host = try second.store.environment.companions.host()
        try host.peers.add(.init(fingerprint: watchHost.identity.fingerprint, name: "watch"))
        try watchHost.peers.add(.init(fingerprint: host.identity.fingerprint, name: "phone"))
        let offered = try await store.recoverActiveWorkoutSession()
        let recovered = try Watch(store, #require(offered))
        try await recovered.session.startMirroringToCompanionDevice()
        let after = await second.nextSession()
        try await recovered.send("for all")
        await after.diary.waitForData("for all")
        #expect(after.diary.data == ["for all"])
        recovered.session.end()
        watch.session.end()
        await first.stop()
        await second.stop()
    }
}
