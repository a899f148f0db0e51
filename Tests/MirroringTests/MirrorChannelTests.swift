import Foundation
import Synchronization
import Testing

@testable import Mirroring

@Suite(.timeLimit(.minutes(10))) struct MirrorChannelTests {
    @Test func `entries arrive in order, are acknowledged, and both sides learn of the end`() async throws {
        let (watch, phone) = try Machine.pair()
        let (sent, got) = (EventLog(), EventLog())
        let listener = try await phone.listen(got)
        let channel = watch.channel(sent, greeting: [7])
        for number in 1...3 { #expect(channel.append(bytes(number)) == UInt64(number)) }
        channel.connect(to: listener.address, through: watch.host)
        await got.entry(3)
        for number in 4...50 { channel.append(bytes(number)) }
        await sent.acknowledged(50)
        #expect(channel.hasLinks)
        #expect(await channel.finish(within: .seconds(20)))
        #expect(!channel.hasLinks)
        await got.first(where: \.isEnded)
        #expect(got.entries == (1...50).map(bytes))
        #expect(sent.events.last?.isDelivered == true)
        #expect(channel.append([1]) == nil)
        let began = got.events.compactMap { event -> [UInt8]? in
            if case .began(_, let greeting, _, 1) = event { greeting } else { nil }
        }
        #expect(began == [[7]])
        await listener.close()
    }

    @Test func `the other side can append too`() async throws {
        let (watch, phone) = try Machine.pair()
        let (sent, got) = (EventLog(), EventLog())
        let listener = try await phone.listen(got)
        let channel = watch.channel(sent)
        channel.connect(to: listener.address, through: watch.host)
        let mirrored = try await got.channel()
        for number in 1...9 { mirrored.append(bytes(number)) }
        await sent.entry(9)
        await got.acknowledged(9)
        #expect(sent.entries == (1...9).map(bytes))
        channel.close()
        let closed = await got.first { $0.closure != nil }
        #expect(closed?.closure == .closedByPeer)
        await listener.close()
    }

    @Test func `a link that is cut repeatedly loses and repeats nothing`() async throws {
        let (watch, phone) = try Machine.pair()
        let (sent, got) = (EventLog(), EventLog())
        let listener = try await phone.listen(got)
        let relay = try await Relay(to: listener.address)
        let channel = watch.channel(sent)
        channel.connect(to: relay.address, through: watch.host)
        let mirrored = try await got.channel()
        var appended = 0
        for _ in 1...4 {
            for _ in 1...200 {
                appended += 1
                channel.append(bytes(appended))
                mirrored.append(bytes(appended))
            }
            relay.cut()
            await got.entry(UInt64(appended))
            await sent.entry(UInt64(appended))
        }
        #expect(got.entries == (1...appended).map(bytes))
        #expect(sent.entries == (1...appended).map(bytes))
        #expect(got.events.count(where: \.isBegan) == 1)
        #expect(await channel.finish(within: .seconds(20)))
        await listener.close()
        try await relay.close()
    }

    @Test func `a peer that restarts gets everything from the start`() async throws {
        let (watch, phone) = try Machine.pair()
        let (sent, first, second) = (EventLog(), EventLog(), EventLog())
        let listener = try await phone.listen(first)
        let relay = try await Relay(to: listener.address)
        let channel = watch.channel(sent)
        channel.append(bytes(1))
        channel.connect(to: relay.address, through: watch.host)
        await first.entry(1)
        await listener.close()
        let again = try MirrorHost(folder: phone.folder, name: "phone", reactor: phone.reactor)
        let reopened = try await again.listen(on: MirrorAddress(host: "127.0.0.1", port: 0)) { offer in
            .accept(phone.channel(second, id: offer.channel))
        }
        relay.lead(to: reopened.address)
        channel.append(bytes(2))
        await second.entry(2)
        #expect(second.entries == (1...2).map(bytes))
        await reopened.close()
        try await relay.close()
    }

    @Test func `requests that were done are not sent to a peer that restarts`() async throws {
        let (watch, phone) = try Machine.pair()
        let (sent, got, later) = (EventLog(), EventLog(), EventLog())
        let listener = try await phone.host.listen(on: MirrorAddress(host: "127.0.0.1", port: 0)) { offer in
            let channel = phone.channel(got, id: offer.channel, source: .memory(trimmed: true))
            got.opened(channel)
            return .accept(channel)
        }
        let name = UUID()
        let channel = watch.channel(sent, id: name)
        channel.connect(to: listener.address, through: watch.host)
        let mirrored = try await got.channel()
        mirrored.append(bytes(1))
        await got.acknowledged(1)
        // A new process of the same machine, which knows nothing of the earlier one.
        let recovered = watch.channel(later, id: name)
        recovered.connect(to: listener.address, through: watch.host)
        await later.first(where: \.isConnected)
        mirrored.append(bytes(2))
        await later.entry(2)
        let numbers = later.events.compactMap { event -> UInt64? in
            if case .began(_, _, _, let first) = event { first } else { nil }
        }
        #expect(numbers == [2])
        await listener.close()
    }

    @Test func `a log that the caller keeps serves late joiners in bulk`() async throws {
        let (watch, phone) = try Machine.pair()
        let (sent, got) = (EventLog(), EventLog())
        let listener = try await phone.listen(got)
        let kept = Mutex((1...7_200).map(bytes))
        let source = MirrorSource.kept(count: 7_200) { from, limit in
            kept.withLock { Array($0[(Int(from) - 1)..<min($0.count, Int(from) - 1 + limit / 32)]) }
        }
        let channel = watch.channel(sent, source: source)
        channel.connect(to: listener.address, through: watch.host)
        kept.withLock { $0.append(bytes(7_201)) }
        channel.append(bytes(7_201))
        await sent.acknowledged(7_201)
        #expect(got.entries == (1...7_201).map(bytes))
        await listener.close()
    }

    @Test func `several peers get the same log, each at its own pace`() async throws {
        let watch = try Machine("watch")
        let phones = try [Machine("phone"), Machine("tablet"), Machine("desk")]
        let sent = EventLog()
        let channel = watch.channel(sent)
        var logs: [EventLog] = []
        var listeners: [MirrorListener] = []
        for (index, phone) in phones.enumerated() {
            try watch.trust(phone)
            try phone.trust(watch)
            let log = EventLog()
            let listener = try await phone.listen(log)
            channel.append(bytes(index + 1))
            channel.connect(
                to: listener.address, expecting: phone.host.identity.fingerprint, through: watch.host)
            logs.append(log)
            listeners.append(listener)
        }
        #expect(await channel.finish(within: .seconds(20)))
        for log in logs {
            await log.first(where: \.isEnded)
            #expect(log.entries == (1...3).map(bytes))
        }
        #expect(channel.peers.count == 3)
        for listener in listeners { await listener.close() }
    }

    @Test func `of two processes on one machine that open the same channel the newer counts`() async throws {
        let (watch, phone) = try Machine.pair()
        let (sent, later, got) = (EventLog(), EventLog(), EventLog())
        let listener = try await phone.listen(got)
        let channel = watch.channel(sent)
        channel.append(bytes(1))
        channel.connect(to: listener.address, through: watch.host)
        await sent.acknowledged(1)
        let newer = watch.channel(later, id: channel.id)
        newer.append(bytes(1))
        newer.connect(to: listener.address, through: watch.host)
        await sent.first { $0.closure == .replaced }
        #expect(!channel.hasLinks)
        #expect(await channel.finish(within: .seconds(20)) == false)
        #expect(await newer.finish(within: .seconds(20)))
        await listener.close()
    }

    @Test func `a declined channel is not requested again`() async throws {
        let (watch, phone) = try Machine.pair()
        let sent = EventLog()
        let listener = try await phone.host.listen(on: MirrorAddress(host: "127.0.0.1", port: 0)) { _ in .decline }
        let channel = watch.channel(sent)
        channel.connect(to: listener.address, through: watch.host)
        await sent.first { $0.closure == .declined }
        #expect(!channel.hasLinks)
        #expect(await channel.finish(within: .seconds(1)) == false)
        await listener.close()
    }

    @Test func `an unconfirmed end is sent again, and offers no second session`() async throws {
        let (watch, phone) = try Machine.pair()
        let (sent, got) = (EventLog(), EventLog())
        let listener = try await phone.listen(got)
        let name = UUID()
        let log = UUID()
        let channel = watch.channel(sent, id: name, source: .memory(log: log))
        channel.append(bytes(1))
        channel.connect(to: listener.address, through: watch.host)
        #expect(await channel.finish(within: .seconds(20)))
        let events = got.events.count
        // The same log, from a process that died before the acknowledgement.
        let again = EventLog()
        let repeated = watch.channel(again, id: name, source: .memory(log: log))
        repeated.append(bytes(1))
        repeated.connect(to: listener.address, through: watch.host)
        #expect(await repeated.finish(within: .seconds(20)))
        #expect(got.events.count == events)
        await listener.close()
    }

    @Test func `an entry that is too large closes the channel instead of leaving a gap`() async throws {
        let watch = try Machine("watch")
        let sent = EventLog()
        let channel = watch.channel(sent)
        #expect(channel.append([UInt8](repeating: 0, count: MirrorLimits.entry + 1)) == nil)
        let closed = await sent.first { $0.closure != nil }
        #expect(closed?.closure == .entryTooLarge(bytes: MirrorLimits.entry + 1))
    }

    @Test func `an entry that a consumer rejects is never acknowledged, and both sides get the reason`() async throws {
        let (watch, phone) = try Machine.pair()
        let (sent, got) = (EventLog(), EventLog())
        let refusing = Mutex<MirrorChannel?>(nil)
        let fingerprint = watch.host.identity.fingerprint
        let host = "127.\(Int.random(in: 1...254)).\(Int.random(in: 1...254)).\(Int.random(in: 1...254))"
        let listener = try await phone.host.listen(on: MirrorAddress(host: host, port: 0)) { offer in
            let delivery = MirrorDelivery.on(DispatchQueue(label: "refusing")) { event in
                got.delivery.hand(event, nil)
                guard case .entries(_, let entries, _) = event, entries.contains(bytes(2)) else { return }
                refusing.withLock { $0 }?.refuse(fingerprint, reason: "not this")
            }
            let channel = MirrorChannel(id: offer.channel, delivery: delivery, reactor: phone.reactor)
            refusing.withLock { $0 = channel }
            return .accept(channel)
        }
        let channel = watch.channel(sent)
        channel.connect(to: listener.address, through: watch.host)
        channel.append(bytes(1))
        await sent.acknowledged(1)
        for number in 2...5 { channel.append(bytes(number)) }
        let closed = await sent.first { $0.closure != nil }
        #expect(closed?.closure == .incompatible("not this"))
        #expect(await got.first { $0.closure != nil }?.closure == .incompatible("not this"))
        #expect(channel.peers.values.map(\.acknowledged) == [1])
        #expect(!channel.hasLinks)
        await listener.close()
    }
}
