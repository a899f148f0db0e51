import DBus
import Foundation
import PrivateBus
import Testing

@testable import Mirroring

/// A peer at a new address is found through the local network.
@Suite(.needsBus, .timeLimit(.minutes(5)))
struct MovedPeerTests {
    private func service(_ phone: Machine, on address: MirrorAddress) throws -> FakeAvahi.Service {
        let id = phone.host.identity.fingerprint.description.prefix(16)
        return .init(
            name: "phone", address: address.host, port: try #require(UInt16(exactly: address.port)), texts: ["id=\(id)"]
        )
    }

    @Test func `a link continues at the peer's new address`() async throws {
        let avahi = try await FakeAvahi()
        let phone = try Machine("phone")
        let watch = try Machine("watch", network: avahi.network)
        try watch.trust(phone)
        try phone.trust(watch)
        let (sent, received) = (EventLog(), EventLog())
        let first = try await phone.listen(received)
        let channel = watch.channel(sent)
        channel.append(bytes(1))
        channel.connect(to: first.address, through: watch.host)
        await sent.acknowledged(1)
        // Another listener replaces it, at another address.
        let second = try await phone.listen(received)
        let moved = try service(phone, on: second.address)
        await { @BusActor in avahi.services = [moved] }()
        await first.close()
        channel.append(bytes(2))
        await sent.acknowledged(2)
        #expect(received.entries == [bytes(1), bytes(2)])
        // Recorded for the next time, away from the network thread.
        _ = await channel.finish(within: .seconds(20))
        await second.close()
        await avahi.close()
    }

    @Test func `a machine that only claims to be the peer gets nothing`() async throws {
        let avahi = try await FakeAvahi()
        let phone = try Machine("phone")
        let thief = try Machine("thief")
        let watch = try Machine("watch", network: avahi.network)
        try watch.trust(phone)
        // Also paired, but another machine.
        try watch.trust(thief)
        try thief.trust(watch)
        let stolen = EventLog()
        let listener = try await thief.listen(stolen)
        let claim = try service(phone, on: listener.address)
        await { @BusActor in avahi.services = [claim] }()
        let channel = watch.channel(EventLog())
        channel.append(bytes(1))
        // Nothing listens at its own address.
        channel.connect(
            to: MirrorAddress(host: "127.0.0.1", port: 1), expecting: phone.host.identity.fingerprint,
            through: watch.host)
        let report = await watch.reports.first(containing: "is not the paired one")
        #expect(report != nil)
        #expect(stolen.entries.isEmpty)
        channel.close()
        await listener.close()
        await avahi.close()
    }
}
