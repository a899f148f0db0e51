import Dispatch
import Foundation
import NIOCore
import Testing

@testable import Mirroring

@Suite(.timeLimit(.minutes(10))) struct LostLinkTests {
    @Test func `a dead connection is noticed by both sides within five seconds, and resumed`()
        async throws
    {
        let (watch, phone) = try Machine.pair(isDriven: true)
        let (sent, got) = (EventLog(), EventLog())
        let listener = try await phone.listen(got)
        let relay = try await Relay(to: listener.address)
        let channel = watch.channel(sent)
        channel.connect(to: relay.address, through: watch.host)
        channel.append(bytes(1))
        await sent.acknowledged(1)
        relay.set(.blackHole)
        channel.append(bytes(2))
        try await watch.pass(.milliseconds(4_750))
        try await phone.pass(.milliseconds(4_750))
        await sent.first(where: \.isDisconnected)
        await got.first(where: \.isDisconnected)
        relay.set(.none)
        // An attempt from before has to time out first.
        try await watch.pass(.seconds(6))
        await sent.acknowledged(2)
        #expect(got.entries == (1...2).map(bytes))
        channel.close()
        await listener.close()
        try await relay.close()
    }

    @Test func `an idle link stays up for an hour`() async throws {
        let (watch, phone) = try Machine.pair(isDriven: true)
        let (sent, got) = (EventLog(), EventLog())
        let listener = try await phone.listen(got)
        let channel = watch.channel(sent)
        channel.connect(to: listener.address, through: watch.host)
        await got.first(where: \.isConnected)
        await sent.first(where: \.isConnected)
        for _ in 0..<60 {
            try await watch.pass(.milliseconds(1_500))
            try await phone.pass(.milliseconds(1_500))
            // A message to wait for, so that the others have arrived before time continues.
            let number = channel.append([0]) ?? 0
            await sent.acknowledged(number)
        }
        #expect(sent.events.count(where: \.isDisconnected) == 0)
        #expect(got.events.count(where: \.isDisconnected) == 0)
        channel.close()
        await listener.close()
    }

    @Test func `a slow consumer stops the reading, not the appending, and loses nothing`() async throws {
        let (watch, phone) = try Machine.pair()
        let (sent, got) = (EventLog(), EventLog())
        let queue = DispatchQueue(label: "slow")
        queue.suspend()
        let handler = got.delivery.hand
        let listener = try await phone.host.listen(on: MirrorAddress(host: "127.0.0.1", port: 0)) { offer in
            let delivery = MirrorDelivery.on(queue) { handler($0, nil) }
            return .accept(MirrorChannel(id: offer.channel, delivery: delivery, reactor: phone.reactor))
        }
        let channel = watch.channel(sent)
        channel.connect(to: listener.address, through: watch.host)
        await sent.first(where: \.isConnected)
        let entry = [UInt8](repeating: 1, count: 1 << 16)
        let count: UInt64 = 400
        for _ in 0..<count { channel.append(entry) }
        #expect(got.events.isEmpty)
        queue.resume()
        await sent.acknowledged(count)
        #expect(got.entries.count == Int(count))
        channel.close()
        await listener.close()
    }

    @Test func `events can be read as a sequence that ends with the peer's log`() async throws {
        let (watch, phone) = try Machine.pair()
        let sent = EventLog()
        let events = MirrorEvents()
        let listener = try await phone.host.listen(on: MirrorAddress(host: "127.0.0.1", port: 0)) { offer in
            .accept(MirrorChannel(id: offer.channel, delivery: events.delivery, reactor: phone.reactor))
        }
        let channel = watch.channel(sent)
        for number in 1...20 { channel.append(bytes(number)) }
        channel.connect(to: listener.address, through: watch.host)
        channel.finish()
        var entries: [[UInt8]] = []
        var last: MirrorEvent?
        for await event in events {
            if case .entries(_, let new, _) = event { entries += new }
            last = event
        }
        #expect(entries == (1...20).map(bytes))
        #expect(last?.isEnded == true)
        await sent.first(where: \.isDelivered)
        await listener.close()
    }

    @Test func `a connection lost during the greeting blocks nothing`() async throws {
        let (watch, phone) = try Machine.pair()
        let got = EventLog()
        let channel = phone.channel(got)
        let peer = Peer(fingerprint: watch.host.identity.fingerprint, name: "watch")
        let isConnected = try await phone.reactor.loop.submit {
            let tls = try phone.host.core.tls.handler(isDialing: false) { _ in true }
            let door = MirrorAcceptor(phone.host.core) { _ in MirrorAnswer.decline.reception }
            let connection = MirrorConnection(reactor: phone.reactor, tls: tls, owner: door, isDialed: false)
            let hello = Hello(channel: channel.id, log: UUID(), first: 1, count: 0, received: nil, greeting: [])
            let answer = channel.end.hello(to: peer)
            connection.end("the peer closed the connection")
            channel.end.attach(connection, peer, sent: answer, received: hello)
            return channel.end.isConnected(to: peer.fingerprint)
        }.get()
        #expect(!isConnected)
        #expect(got.events.isEmpty)
        channel.close()
    }

    @Test func `a delayed greeting does not replace a newer connection`() async throws {
        let (watch, phone) = try Machine.pair()
        let got = EventLog()
        let channel = phone.channel(got)
        let peer = Peer(fingerprint: watch.host.identity.fingerprint, name: "watch")
        let (isOlderOver, isNewerOver) = try await phone.reactor.loop.submit {
            let tls = try phone.host.core.tls.handler(isDialing: false) { _ in true }
            let door = MirrorAcceptor(phone.host.core) { _ in MirrorAnswer.accept(channel).reception }
            func connection() -> MirrorConnection {
                let connection = MirrorConnection(reactor: phone.reactor, tls: tls, owner: door, isDialed: false)
                connection.number = phone.host.core.nextArrival()
                return connection
            }
            let (older, newer) = (connection(), connection())
            let hello = Hello(channel: channel.id, log: UUID(), first: 1, count: 0, received: nil, greeting: [])
            door.greeted(newer, by: peer, hello)
            door.greeted(older, by: peer, hello)
            return (older.isOver, newer.isOver)
        }.get()
        #expect(isOlderOver)
        #expect(!isNewerOver)
        #expect(got.events.count(where: \.isConnected) == 1)
        channel.close()
    }
}
