import Foundation
import Glibc
import NIOCore
import NIOPosix
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

    /// Waits to be paired until the task is cancelled, and reports its address.
    private func wait(
        _ phone: Machine, confirm: @escaping @Sendable (PairingCode) async -> Bool
    ) async throws -> (task: Task<Peer, any Error>, address: MirrorAddress) {
        let addresses = WaitingLog<MirrorAddress>()
        let loopback = loopback
        let task = Task<Peer, any Error> {
            try await phone.host.awaitPairing(on: loopback, ready: { addresses.add($0) }, confirm: confirm)
        }
        return (task, try #require(await addresses.first { _ in true }))
    }

    @Test func `a machine that shows a code and disconnects cannot ask again before the person saw it end`()
        async throws
    {
        // The phone's clock is stopped, so the pause never ends for a slow machine.
        let (watch, attacker, phone) = try (
            Machine("watch"), Machine("watch"), Machine("phone", isDriven: true)
        )
        let asked = WaitingLog<PairingCode>()
        // The user has decided, and answers every question.
        let (task, address) = try await wait(phone) { code in
            asked.add(code)
            if code.fingerprint == watch.host.identity.fingerprint, asked.all.count == 1 {
                try? await Task.sleep(for: .seconds(600))
                return false
            }
            return true
        }
        let first = Task { try await watch.host.pair(with: address) { _ in true } }
        _ = await asked.first { $0.fingerprint == watch.host.identity.fingerprint }
        first.cancel()
        _ = await phone.reports.first(containing: "not paired")
        await #expect(throws: MirrorError.self) { try await attacker.host.pair(with: address) { _ in true } }
        _ = await phone.reports.first(containing: "it must wait")
        #expect(asked.all.count == 1)
        phone.clock?.advance(by: PairingRateLimiter.pause)
        let paired = try await watch.host.pair(with: address) { _ in true }
        #expect(paired.name == "phone")
        #expect(try await task.value.fingerprint == watch.host.identity.fingerprint)
        #expect(asked.all.count == 2)
    }

    @Test func `a name with several addresses pairs over the one that answers`() async throws {
        let (watch, phone) = try (Machine("watch"), Machine("phone"))
        let (task, address) = try await wait(phone) { _ in true }
        // Nothing listens at the first address; at the second is another program, which hangs up.
        let deaf = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { $0.close() }
            .bind(host: "127.0.0.3", port: 0).get()
        let places = [
            try SocketAddress(ipAddress: "127.0.0.2", port: address.port), try #require(deaf.localAddress),
            try SocketAddress(ipAddress: address.host, port: address.port),
        ]
        let met = try await watch.host.pair(at: places, of: address) { _ in true }
        #expect(met.fingerprint == phone.host.identity.fingerprint)
        #expect(try await task.value.name == "watch")
        try await deaf.close()
    }

    @Test func `a name without an answering address lists the reason for each`() async throws {
        let watch = try Machine("watch")
        // A bound socket that does not listen refuses connections, and keeps other tests from using its port.
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var bound = sockaddr_in()
        bound.sin_family = sa_family_t(AF_INET)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &bound) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                #expect(bind(socket, address, length) == 0 && getsockname(socket, address, &length) == 0)
            }
        }
        let port = Int(UInt16(bigEndian: bound.sin_port))
        let places = try ["127.0.0.1", "127.0.0.2"].map { try SocketAddress(ipAddress: $0, port: port) }
        let name = MirrorAddress(host: "phone", port: port)
        let error = await #expect(throws: MirrorError.self) {
            _ = try await watch.host.pair(at: places, of: name) { _ in true }
        }
        #expect(error?.description.contains("cannot reach phone:\(port): 127.0.0.1: ") == true)
        #expect(error?.description.contains("; 127.0.0.2: ") == true)
    }

    @Test func `the addresses to type exclude those that mean another machine elsewhere`() {
        let own = [
            "127.0.0.1", "fe80::1", "fd00::5", "172.17.0.1", "192.168.1.20", "::1", "169.254.3.4", "192.168.1.20",
        ]
        #expect(MirrorAddress.ordered(own, likely: ["192.168.1.20"]) == ["192.168.1.20", "172.17.0.1", "fd00::5"])
        #expect(MirrorAddress.ordered(["127.0.0.1", "::1"], likely: []) == [])
        #expect(MirrorAddress.everywhere.reachable.allSatisfy { !["::", "0.0.0.0"].contains($0.host) })
        #expect(MirrorAddress(host: "fd00::5").typed == "fd00::5")
        #expect(MirrorAddress(host: "fd00::5", port: 7_655).typed == "[fd00::5]:7655")
    }

    @Test func `a code that one person rejects pins nothing, and the next attempt must wait`() async throws {
        // The phone's clock is stopped: the second attempt is too early, however slow this machine is.
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

    @Test func `a mirroring machine at the pairing port is rejected`() async throws {
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
        _ = await phone.reports.first(containing: "it sent something else than pairing")
        channel.close()
        waiting.cancel()
        await #expect(throws: MirrorError.self) { try await waiting.value }
    }
}
