import Foundation
import Testing

@testable import Mirroring

@Suite(.timeLimit(.minutes(10))) struct MirrorPairingTests {
    private let loopback = MirrorAddress(host: "127.0.0.1", port: 0)

    @Test func `two machines whose people see the same code pin each other`() async throws {
        let (watch, phone) = try (Machine("watch"), Machine("phone"))
        let addresses = WaitingLog<MirrorAddress>()
        let codes = WaitingLog<String>()
        async let waiting = phone.host.awaitPairing(on: loopback, ready: { addresses.add($0) }) { code in
            codes.add(code.code)
            return true
        }
        let address = try #require(await addresses.first { _ in true })
        let found = try await watch.host.pair(with: address) { code in
            codes.add(code.code)
            return true
        }
        let paired = try await waiting
        #expect(found.name == "phone" && found.fingerprint == phone.host.identity.fingerprint)
        #expect(paired.name == "watch" && paired.fingerprint == watch.host.identity.fingerprint)
        #expect(codes.all.count == 2 && Set(codes.all).count == 1)
        #expect(try phone.host.peers.all().map(\.name) == ["watch"])
        #expect(try watch.host.peers.all().map(\.name) == ["phone"])
    }

    @Test func `a code that one person refuses pins nothing, and the next attempt has to wait`() async throws {
        // The phone's clock stands: the second attempt comes too soon, however slow this machine is.
        let (watch, phone) = try (Machine("watch"), Machine("phone", isDriven: true))
        let addresses = WaitingLog<MirrorAddress>()
        let loopback = loopback
        let waiting = Task {
            try await phone.host.awaitPairing(on: loopback, ready: { addresses.add($0) }) { _ in true }
        }
        let address = try #require(await addresses.first { _ in true })
        await #expect(throws: MirrorError.pairing(.refusedHere)) {
            try await watch.host.pair(with: address) { _ in false }
        }
        _ = await phone.reports.first(containing: "did not confirm")
        await #expect(throws: MirrorError.self) { try await watch.host.pair(with: address) { _ in true } }
        _ = await phone.reports.first(containing: "it must wait")
        #expect(try watch.host.peers.all().isEmpty)
        #expect(try phone.host.peers.all().isEmpty)
        waiting.cancel()
        await #expect(throws: MirrorError.self) { try await waiting.value }
    }

    @Test func `a mirroring machine that comes to the pairing door is sent away`() async throws {
        let (watch, phone) = try Machine.pair()
        let addresses = WaitingLog<MirrorAddress>()
        let loopback = loopback
        let waiting = Task {
            try await phone.host.awaitPairing(on: loopback, ready: { addresses.add($0) }) { _ in true }
        }
        let address = try #require(await addresses.first { _ in true })
        let sent = EventLog()
        let channel = watch.channel(sent)
        channel.connect(to: address, through: watch.host)
        _ = await phone.reports.first(containing: "it does not speak of pairing")
        channel.close()
        waiting.cancel()
        await #expect(throws: MirrorError.self) { try await waiting.value }
    }
}
