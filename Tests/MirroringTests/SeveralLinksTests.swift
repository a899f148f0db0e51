import Foundation
import Testing

@testable import Mirroring

/// Several addresses of the same machine.
@Suite(.timeLimit(.minutes(10))) struct SeveralLinksTests {
    private static let nowhere = MirrorAddress(host: "127.0.0.1", port: 1)

    @Test func `links to one machine that are opened at once do not conflict`() async throws {
        let (watch, phone) = try Machine.pair()
        for _ in 1...20 {
            let (sent, got) = (EventLog(), EventLog())
            let listener = try await phone.listen(got)
            let channel = watch.channel(sent)
            for _ in 1...3 { channel.connect(to: listener.address, through: watch.host) }
            channel.append(bytes(1))
            let mirrored = try await got.channel()
            mirrored.append(bytes(1))
            await sent.entry(1)
            await got.entry(1)
            channel.append(bytes(2))
            #expect(await channel.finish(within: .seconds(20)))
            await got.first(where: \.isEnded)
            #expect(got.entries == (1...2).map(bytes))
            #expect(sent.events.allSatisfy { $0.closure == nil })
            #expect(got.events.count(where: \.isBegan) == 1)
            #expect(got.events.count(where: \.isDisconnected) == 0)
            #expect(!channel.hasLinks)
            await listener.close()
        }
        #expect(phone.reports.lines.isEmpty)
    }

    @Test func `a second address of a machine waits, and takes over when the first one is lost`() async throws {
        let (watch, phone) = try Machine.pair()
        let (sent, got) = (EventLog(), EventLog())
        let listener = try await phone.listen(got)
        let relays = try await [Relay(to: listener.address), Relay(to: listener.address)]
        let channel = watch.channel(sent)
        channel.append(bytes(1))
        channel.connect(to: relays[0].address, through: watch.host)
        await sent.acknowledged(1)
        channel.connect(to: relays[1].address, through: watch.host)
        // It has reached the machine, and disconnected.
        await relays[1].untilClosed()
        channel.append(bytes(2))
        await sent.acknowledged(2)
        #expect(sent.events.count(where: \.isConnected) == 1)
        try await relays[0].close()
        channel.append(bytes(3))
        await sent.acknowledged(3)
        #expect(got.entries == (1...3).map(bytes))
        #expect(sent.events.count(where: \.isConnected) == 2)
        #expect(await channel.finish(within: .seconds(20)))
        await listener.close()
        try await relays[1].close()
    }

    @Test func `an address that does not answer counts as delivered once its machine has everything`() async throws {
        let (watch, phone) = try Machine.pair()
        let (sent, got) = (EventLog(), EventLog())
        let listener = try await phone.listen(got)
        let channel = watch.channel(sent)
        channel.append(bytes(1))
        let fingerprint = phone.host.identity.fingerprint
        channel.connect(to: Self.nowhere, expecting: fingerprint, through: watch.host)
        channel.connect(to: listener.address, through: watch.host)
        #expect(await channel.finish(within: .seconds(60)))
        #expect(!channel.hasLinks)
        await listener.close()
    }

    @Test func `an address that never answered may be another machine's, and does not count as delivered`() async throws
    {
        let (watch, phone) = try Machine.pair()
        let (sent, got) = (EventLog(), EventLog())
        let listener = try await phone.listen(got)
        let channel = watch.channel(sent)
        channel.append(bytes(1))
        channel.connect(to: Self.nowhere, through: watch.host)
        channel.connect(to: listener.address, through: watch.host)
        channel.finish()
        await sent.first(where: \.isDelivered)
        #expect(await channel.finish(within: .zero) == false)
        #expect(channel.hasLinks)
        channel.close()
        await listener.close()
    }

    @Test func `a late address of a machine that has everything is done`() async throws {
        let (watch, phone) = try Machine.pair()
        let (sent, got) = (EventLog(), EventLog())
        let listener = try await phone.listen(got)
        let channel = watch.channel(sent)
        channel.append(bytes(1))
        let late = try await phone.listen(got)
        await late.close()
        channel.connect(to: late.address, through: watch.host)
        await sent.first(where: \.isWaiting)
        channel.connect(to: listener.address, through: watch.host)
        channel.finish()
        await sent.first(where: \.isDelivered)
        let again = try await phone.listen(got, on: late.address)
        #expect(await channel.finish(within: .seconds(60)))
        #expect(got.entries == [bytes(1)])
        await listener.close()
        await again.close()
    }

    @Test func `messages to one address of a machine hold for its others`() async throws {
        let (watch, phone) = try Machine.pair()
        let (sent, got) = (EventLog(), EventLog())
        let listener = try await phone.listen(got)
        let channel = watch.channel(sent)
        channel.connect(to: listener.address, through: watch.host)
        await sent.first(where: \.isConnected)
        let relay = try await Relay(to: listener.address)
        channel.connect(to: relay.address, through: watch.host)
        await relay.untilClosed()
        try await got.channel().close()
        await sent.first { $0.closure == .closedByPeer }
        #expect(!channel.hasLinks)
        #expect(sent.events.count { $0.closure != nil } == 1)
        await listener.close()
        try await relay.close()
    }
}
