import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import Testing

@testable import Mirroring

@Suite(.timeLimit(.minutes(10))) struct HostilePeerTests {
    private static let accept: @Sendable (MirrorOffer) -> MirrorAnswer = { _ in .later }

    /// Connects without TLS, sends something, and returns everything that arrives until the other side closes.
    private func plain(_ address: MirrorAddress, saying bytes: [UInt8]) async throws -> [UInt8] {
        let collector = Collector()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { $0.pipeline.addHandler(collector) }
            .connect(host: address.host, port: address.port).get()
        try? await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
        try await channel.closeFuture.get()
        return collector.bytes
    }

    /// Connects as this machine with TLS, sends something when it is connected, and returns everything that arrives
    /// until the end.
    private func secure(_ machine: Machine, to address: MirrorAddress, saying bytes: [UInt8]) async throws -> [UInt8] {
        let collector = Collector()
        let tls = machine.host.core.tls
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = try tls.handler(isDialing: true) { _ in true }
                    try channel.pipeline.syncOperations.addHandlers([handler, collector])
                }
            }
            .connect(host: address.host, port: address.port).get()
        try? await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
        try await channel.closeFuture.get()
        return collector.bytes
    }

    private final class Collector: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        private let collected = Mutex<[UInt8]>([])
        var bytes: [UInt8] { collected.withLock { $0 } }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let buffer = unwrapInboundIn(data)
            collected.withLock { $0 += Array(buffer.readableBytesView) }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    private func hello(_ channel: UUID = UUID()) -> [UInt8] {
        let hello = Hello(channel: channel, log: UUID(), first: 1, count: 0, received: nil, greeting: [])
        return Array(FrameCodec.encode(.hello(hello)).readableBytesView)
    }

    @Test(arguments: ["GET / HTTP/1.1\r\n\r\n", "OHKM\0\u{1}", String(repeating: "x", count: 70_000)])
    func `plain text gets no answer and one line in the log`(text: String) async throws {
        let phone = try Machine("phone")
        let listener = try await phone.host.listen(on: MirrorAddress(host: "127.0.0.1", port: 0), accept: Self.accept)
        let answer = try await plain(listener.address, saying: Array(text.utf8))
        // At most an alert of TLS, seven bytes.
        #expect(answer.count <= 7)
        _ = await phone.reports.first(containing: "refused 127.0.0.1:")
        #expect(phone.reports.lines.count == 1)
        await listener.close()
    }

    @Test func `an unpaired machine gets nothing, not even a version`() async throws {
        let (phone, stranger) = try (Machine("phone"), Machine("stranger"))
        let listener = try await phone.host.listen(on: MirrorAddress(host: "127.0.0.1", port: 0), accept: Self.accept)
        #expect(try await secure(stranger, to: listener.address, saying: hello()).isEmpty)
        let fingerprint = stranger.host.identity.fingerprint.short
        _ = await phone.reports.first(containing: "machine \(fingerprint) is not paired")
        #expect(phone.reports.lines.count == 1)
        await listener.close()
    }

    @Test func `an unpaired listener receives nothing`() async throws {
        let (watch, stranger) = try (Machine("watch"), Machine("stranger"))
        try stranger.trust(watch)
        let (sent, got) = (EventLog(), EventLog())
        let listener = try await stranger.listen(got)
        let channel = watch.channel(sent)
        channel.connect(to: listener.address, through: watch.host)
        await sent.first(where: \.isWaiting)
        channel.close()
        #expect(got.events.isEmpty)
        #expect(watch.reports.lines.first?.contains("is not the paired one") == true)
        await listener.close()
    }

    @Test func `another paired machine is not taken for the right one`() async throws {
        let (watch, phone) = try Machine.pair()
        let tablet = try Machine("tablet")
        try watch.trust(tablet)
        let (sent, got) = (EventLog(), EventLog())
        let listener = try await phone.listen(got)
        let channel = watch.channel(sent)
        channel.connect(
            to: listener.address, expecting: tablet.host.identity.fingerprint, through: watch.host)
        await sent.first(where: \.isWaiting)
        #expect(got.events.isEmpty)
        channel.close()
        await listener.close()
    }

    @Test func `a machine forgotten while connected is disconnected`() async throws {
        let (watch, phone) = try Machine.pair()
        let (sent, got) = (EventLog(), EventLog())
        let listener = try await phone.listen(got)
        let channel = watch.channel(sent)
        channel.connect(to: listener.address, through: watch.host)
        await got.first(where: \.isConnected)
        try phone.host.peers.forget(watch.host.identity.fingerprint)
        await got.first(where: \.isDisconnected)
        _ = await phone.reports.first(containing: "is not paired")
        channel.close()
        await listener.close()
    }

    @Test(
        arguments: [
            ([0xFF, 0xFF, 0xFF, 0xFF], "a frame of 4294967295 bytes"), ([0, 0, 0, 1, 77], "unknown type 77"),
            ([0, 0, 0, 1, 4], "a frame of a kind that is not allowed at this point"),
            ([0, 0, 0, 7, 1, 71, 69, 84, 32, 0, 1], "does not speak the mirroring protocol"),
        ] as [([UInt8], String)])
    func `a paired machine that sends no frames is disconnected with one line`(
        bytes: [UInt8], reason: String
    ) async throws {
        let (watch, phone) = try Machine.pair()
        let listener = try await phone.host.listen(on: MirrorAddress(host: "127.0.0.1", port: 0), accept: Self.accept)
        #expect(try await secure(watch, to: listener.address, saying: bytes).isEmpty)
        _ = await phone.reports.first(containing: reason)
        #expect(phone.reports.lines.count == 1)
        await listener.close()
    }

    @Test func `another version gets the reason and is rejected`() async throws {
        let (watch, phone) = try Machine.pair()
        let listener = try await phone.host.listen(on: MirrorAddress(host: "127.0.0.1", port: 0), accept: Self.accept)
        var bytes = hello()
        bytes[10] = 9
        let answer = try await secure(watch, to: listener.address, saying: bytes)
        var decoder = FrameDecoder()
        decoder.feed(ByteBuffer(bytes: answer))
        guard case .bye(.incompatible, let text)? = try decoder.next() else {
            Issue.record("\(answer)")
            return
        }
        #expect(text == "it speaks version 9 of the protocol, this machine version 1")
        await listener.close()
    }

    @Test func `bytes modified in transit end the link, and the next one continues`() async throws {
        let (watch, phone) = try Machine.pair()
        let (sent, got) = (EventLog(), EventLog())
        let listener = try await phone.listen(got)
        let relay = try await Relay(to: listener.address)
        let channel = watch.channel(sent)
        channel.connect(to: relay.address, through: watch.host)
        channel.append(bytes(1))
        await sent.acknowledged(1)
        relay.set(.tampered)
        channel.append(bytes(2))
        await got.first(where: \.isDisconnected)
        #expect(await phone.reports.first(containing: "TLS failed") != nil)
        #expect(phone.reports.lines.count == 1)
        await sent.acknowledged(2)
        #expect(got.entries == (1...2).map(bytes))
        channel.close()
        await listener.close()
        try await relay.close()
    }

    @Test func `a replayed connection is rejected`() async throws {
        let (watch, phone) = try Machine.pair()
        let (sent, got) = (EventLog(), EventLog())
        let listener = try await phone.listen(got)
        let relay = try await Relay(to: listener.address)
        let channel = watch.channel(sent)
        channel.append(bytes(1))
        channel.connect(to: relay.address, through: watch.host)
        #expect(await channel.finish(within: .seconds(20)))
        let events = got.events.count
        _ = try await plain(listener.address, saying: relay.seen)
        _ = await phone.reports.first(containing: "refused 127.0.0.1:")
        #expect(got.events.count == events)
        await listener.close()
        try await relay.close()
    }

    @Test(
        arguments: [
            ([0xFF, 0xFF, 0xFF, 0xFF], "a frame of 4294967295 bytes"), ([0, 0, 0, 1, 77], "unknown type 77"),
            ([0, 0, 0, 9, 3, 0, 0, 0, 0, 0, 0, 0, 9], "it acknowledged entry 9, which was not sent"),
        ] as [([UInt8], String)])
    func `a fault on an established link is reported in one line`(fault: [UInt8], reason: String) async throws {
        let (watch, phone) = try Machine.pair()
        let got = EventLog()
        let listener = try await phone.listen(got)
        _ = try await secure(watch, to: listener.address, saying: hello() + fault)
        let line = await phone.reports.first(containing: reason)
        #expect(line?.hasPrefix("mirroring: cut off 127.0.0.1:") == true)
        await got.first(where: \.isDisconnected)
        #expect(phone.reports.lines.count == 1)
        await listener.close()
    }

    @Test func `a lost link is not reported`() async throws {
        let (watch, phone) = try Machine.pair()
        let (sent, got) = (EventLog(), EventLog())
        let listener = try await phone.listen(got)
        let relay = try await Relay(to: listener.address)
        let channel = watch.channel(sent)
        channel.connect(to: relay.address, through: watch.host)
        await got.first(where: \.isConnected)
        relay.cut()
        await got.first(where: \.isDisconnected)
        #expect(phone.reports.lines.isEmpty)
        channel.close()
        await listener.close()
        try await relay.close()
    }
}
