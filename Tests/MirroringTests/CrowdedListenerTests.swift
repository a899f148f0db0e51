import Foundation
import Glibc
import NIOCore
import NIOPosix
import NIOSSL
import Testing

@testable import Mirroring

/// Connections that are silent or do not read.
@Suite(.timeLimit(.minutes(10))) struct CrowdedListenerTests {
    /// Connects from an address of this machine, and sends nothing.
    private func strangers(_ count: Int, from source: String, to address: MirrorAddress) async throws -> [any Channel] {
        var channels: [any Channel] = []
        for _ in 0..<count {
            channels.append(
                try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                    .bind(to: SocketAddress(ipAddress: source, port: 0))
                    .connect(host: address.host, port: address.port).get())
        }
        return channels
    }

    private func mirrors(_ watch: Machine, to address: MirrorAddress) async throws {
        let channel = watch.channel(EventLog())
        channel.append(bytes(1))
        channel.connect(to: address, through: watch.host)
        #expect(await channel.finish(within: .seconds(60)))
    }

    @Test func `silent connections displace only their own kind, and others still get in`() async throws {
        // The phone's clock is stopped, so nothing times out.
        let (watch, phone) = try (Machine("watch"), Machine("phone", isDriven: true))
        try watch.trust(phone)
        try phone.trust(watch)
        let listener = try await phone.listen(EventLog())
        let limit = MirrorAcceptor.maximumUnauthenticated
        let quiet = try await strangers(1, from: "127.0.0.3", to: listener.address)
        let flood = try await strangers(limit + 9, from: "127.0.0.2", to: listener.address)
        // The oldest are closed first, and the silent one stays.
        for gone in flood.prefix(10) { try await gone.closeFuture.get() }
        #expect(quiet[0].isActive && flood[10].isActive && flood.last?.isActive == true)
        try await mirrors(watch, to: listener.address)
        #expect(phone.reports.lines.count == 1)
        #expect(phone.reports.lines.first?.hasPrefix("mirroring: refused 127.0.0.2:") == true)
        #expect(phone.reports.lines.first?.hasSuffix(": \(limit) connections have not sent hello yet") == true)
        for stranger in quiet + flood { try? await stranger.close() }
        await listener.close()
    }

    @Test func `unknown connections from many addresses block nobody, and are closed in time`() async throws {
        let (watch, phone) = try (Machine("watch"), Machine("phone", isDriven: true))
        try watch.trust(phone)
        try phone.trust(watch)
        let listener = try await phone.listen(EventLog())
        var strangers: [any Channel] = []
        for number in 0..<(MirrorAcceptor.maximumUnauthenticated / 16) {
            strangers += try await self.strangers(16, from: "127.0.1.\(number + 1)", to: listener.address)
        }
        try await mirrors(watch, to: listener.address)
        // The oldest were closed.
        try await strangers[0].closeFuture.get()
        // Each of them gets five seconds.
        try await phone.pass(MirrorKeepAlive.helloLimit)
        for stranger in strangers { try await stranger.closeFuture.get() }
        try await mirrors(watch, to: listener.address)
        await listener.close()
    }

    @Test func `connections to the pairing port without a request do not count, and displace only their own kind`()
        async throws
    {
        let (watch, phone) = try (Machine("watch"), Machine("phone", isDriven: true))
        let addresses = WaitingLog<MirrorAddress>()
        let waiting = Task {
            try await phone.host.awaitPairing(
                on: MirrorAddress(host: "127.0.0.1", port: 0), ready: { addresses.add($0) }
            ) { _ in true }
        }
        let address = try #require(await addresses.first { _ in true })
        let quiet = try await strangers(1, from: "127.0.3.2", to: address)
        let flood = try await strangers(3 * PairingService.maximumUnauthenticated, from: "127.0.3.1", to: address)
        // All but those that fit beside the silent one are closed, the oldest first.
        for gone in flood.prefix(2 * PairingService.maximumUnauthenticated + 1) { try await gone.closeFuture.get() }
        #expect(quiet[0].isActive)
        #expect(flood.last?.isActive == true)
        #expect(try await watch.host.pair(with: address) { _ in true }.name == "phone")
        #expect(try await waiting.value.name == "watch")
        #expect(phone.reports.lines.isEmpty)
        for stranger in quiet + flood { try? await stranger.close() }
    }

    /// What SwiftNIO does if accept(2) fails, without exhausting anything: libdispatch ends a process that cannot
    /// open `/proc/…/stat`.
    @Test(arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM])
    func `a listener that cannot accept makes room, reports it once and listens again`(fault: Int32) async throws {
        // The phone's clock is stopped, so every shortage is at the same moment.
        let (watch, phone) = try (Machine("watch"), Machine("phone", isDriven: true))
        try watch.trust(phone)
        try phone.trust(watch)
        let listener = try await phone.listen(EventLog())
        let quiet = try await strangers(2, from: "127.0.0.3", to: listener.address)
        let (sent, later) = (EventLog(), EventLog())
        let channel = watch.channel(sent)
        channel.append(bytes(1))
        channel.connect(to: listener.address, through: watch.host)
        // Connections are accepted in order, so the strangers are connected, too.
        await sent.acknowledged(1)
        for _ in quiet { listener.channel.pipeline.fireErrorCaught(IOError(errnoCode: fault, reason: "accept")) }
        for stranger in quiet { try await stranger.closeFuture.get() }
        channel.append(bytes(2))
        await sent.acknowledged(2)
        let newcomer = watch.channel(later)
        newcomer.append(bytes(1))
        newcomer.connect(to: listener.address, through: watch.host)
        await later.acknowledged(1)
        let shortages = phone.reports.lines.filter { $0.hasPrefix("mirroring: new connections have to wait: ") }
        #expect(shortages.count == 1)
        await listener.close()
    }

    @Test func `a peer that does not read costs no more than the data in transit`() async throws {
        let (watch, phone) = try (Machine("watch"), Machine("phone", isDriven: true))
        try phone.trust(watch)
        let got = EventLog()
        let entry = [UInt8](repeating: 7, count: 1 << 16)
        let most = Reports()
        let source = MirrorSource.kept(count: 1 << 14) { from, _ in
            most.add("\(from)")
            return [entry]
        }
        let listener = try await phone.host.listen(on: MirrorAddress(host: "127.0.0.1", port: 0)) { offer in
            .accept(phone.channel(got, id: offer.channel, source: source))
        }
        let tls = watch.host.core.tls
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers([
                        try tls.handler(isDialing: true) { _ in true }, DeafAfterHandshake(),
                    ])
                }
            }
            .connect(host: listener.address.host, port: listener.address.port).get()
        let hello = Hello(channel: UUID(), log: UUID(), first: 1, count: 0, received: nil, greeting: [])
        try await channel.writeAndFlush(FrameCodec.encode(.hello(hello))).get()
        await got.first(where: \.isConnected)
        try await phone.pass(.seconds(5))
        await got.first(where: \.isDisconnected)
        // With 1 GiB; the system's own buffers hold a few MiB.
        let read = most.lines.compactMap { Int($0) }.max() ?? 0
        #expect(read > 0 && read < 512)
        try? await channel.close().get()
        await listener.close()
    }

    /// Reads until it is connected, and no further.
    private final class DeafAfterHandshake: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            context.channel.setOption(ChannelOptions.autoRead, value: false).whenFailure { _ in }
            context.fireUserInboundEventTriggered(event)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    @Test func `a peer whose log keeps restarting waits for a busy consumer`() async throws {
        let (watch, phone) = try Machine.pair()
        let queue = DispatchQueue(label: "busy")
        queue.suspend()
        let got = EventLog()
        let handler = got.delivery.hand
        let listener = try await phone.host.listen(on: MirrorAddress(host: "127.0.0.1", port: 0)) { offer in
            let delivery = MirrorDelivery.on(queue) { handler($0, nil) }
            return .accept(MirrorChannel(id: offer.channel, delivery: delivery, reactor: phone.reactor))
        }
        let name = UUID()
        let greeting = [UInt8](repeating: 0, count: 1 << 20 - 1_024)
        // Each is a restarted process that replaces the previous one. The consumer sees none of them.
        var channels: [(channel: MirrorChannel, sent: EventLog)] = []
        for number in 1...6 {
            let sent = EventLog()
            let channel = watch.channel(sent, id: name, greeting: greeting)
            channels.append((channel, sent))
            channel.append(bytes(number))
            channel.connect(to: listener.address, through: watch.host)
            if number < 6 { await sent.first(where: \.isConnected) }
        }
        _ = await watch.reports.first(containing: "earlier entries still wait")
        #expect(channels.last?.sent.events.contains(where: \.isConnected) == false)
        queue.resume()
        await channels.last?.sent.acknowledged(1)
        #expect(got.events.count(where: \.isBegan) == 6)
        channels.last?.channel.close()
        await listener.close()
    }

    @Test func `a machine with TLS 1.2 is rejected`() async throws {
        let (watch, phone) = try Machine.pair()
        let listener = try await phone.listen(EventLog())
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.maximumTLSVersion = .tlsv12
        configuration.certificateVerification = .none
        configuration.certificateChain = [.certificate(watch.host.identity.certificate)]
        configuration.privateKey = .privateKey(watch.host.identity.key)
        let context = try NIOSSLContext(configuration: configuration)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        NIOSSLClientHandler(context: context, serverHostname: nil))
                }
            }
            .connect(host: listener.address.host, port: listener.address.port).get()
        let report = await phone.reports.first(containing: "refused 127.0.0.1")
        #expect(report?.hasSuffix("TLS failed: unsupported protocol") == true)
        try? await channel.closeFuture.get()
        await listener.close()
    }
}
