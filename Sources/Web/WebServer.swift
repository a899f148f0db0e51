#if Mirroring
import Glibc
package import Mirroring
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Answers browsers: HTTP/1.1, with TLS if an identity is given.
///
/// The protocol is SwiftNIO's. What is ours: who gets in (``WebAcceptor``), how a request is put together (``WebConnection``), and one task
/// for each request that awaits its answer and writes it (``WebExchange``). Until a request is complete, a connection is nothing but
/// handlers on the loop, which can be closed and dropped at any time.
package final class WebServer: Sendable {
    /// What was sent and nobody has acknowledged for so long was sent to nobody.
    private static let unacknowledgedMilliseconds = 30_000

    /// With the port that was given, where any free one was asked for.
    package let address: MirrorAddress
    /// Of the certificate by which connections are encrypted; nil where they are not, because only this machine reaches it.
    package let fingerprint: PeerFingerprint?
    package var isLoopback: Bool { fingerprint == nil }
    private let listener: any Channel
    private let door: WebAcceptor
    private let exchanges: AsyncStream<WebExchange>
    private let group: MultiThreadedEventLoopGroup

    private init(
        _ listener: any Channel, _ door: WebAcceptor, _ exchanges: AsyncStream<WebExchange>,
        _ group: MultiThreadedEventLoopGroup, host: String, _ fingerprint: PeerFingerprint?
    ) {
        self.listener = listener
        self.door = door
        self.exchanges = exchanges
        self.group = group
        self.fingerprint = fingerprint
        address = MirrorAddress(host: host, port: listener.localAddress?.port ?? 0)
    }

    /// Listens there, as ``MirrorAddress/bound(by:)`` says.
    ///
    /// - Parameters:
    ///   - hasKey: Whether a request shows the key: its connection is never closed for another one. Called on the network thread.
    ///   - report: Called with one line, once each, when connections are closed for others and when the process has no file
    ///     descriptor left. On the network thread.
    ///   - identity: The machine's own, asked for where others than this machine can come: they come by TLS.
    /// - Throws: ``MirrorError/listen(_:reason:)`` where it is taken or not this machine's; what `identity` throws.
    package static func listen(
        on address: MirrorAddress, limits: WebLimits = WebLimits(),
        hasKey: @escaping @Sendable (WebRequest) -> Bool = { _ in false },
        report: @escaping @Sendable (String) -> Void = { _ in }, identity: () throws -> PeerIdentity
    ) async throws -> WebServer {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let (exchanges, continuation) = AsyncStream.makeStream(of: WebExchange.self)
        let door = WebAcceptor(limits, hasKey: hasKey, exchanges: continuation, report: report)
        // While the identity is asked for: what fails then is not the listening.
        var asksWho = false
        do {
            return try await address.bound { socket in
                asksWho = !(socket.ipAddress.map(MirrorAddress.isLoopback) ?? false)
                let identity = try asksWho ? identity() : nil
                asksWho = false
                let context = try identity.map { try $0.serverContext() }
                let listener = try await bootstrap(group, door, context).bind(to: socket).get()
                listener.closeFuture.whenComplete { _ in continuation.finish() }
                let host = address.host == MirrorAddress.everywhere.host ? socket.ipAddress : nil
                return WebServer(listener, door, exchanges, group, host: host ?? address.host, identity?.fingerprint)
            }
        } catch {
            try? await group.shutdownGracefully()
            throw asksWho ? error : MirrorError.listen(address, reason: TransportFault.sentence(error))
        }
    }

    private static func bootstrap(
        _ group: MultiThreadedEventLoopGroup, _ door: WebAcceptor, _ context: NIOSSLContext?
    ) -> ServerBootstrap {
        ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1_024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.tcpOption(.init(rawValue: TCP_USER_TIMEOUT)), value: unacknowledgedMilliseconds)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptPause { door.makeRoom($0) })
                }
            }
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try admit(channel, door, context) }
            }
    }

    /// - Throws: What closes the channel.
    private static func admit(_ channel: any Channel, _ door: WebAcceptor, _ context: NIOSSLContext?) throws {
        let connection = WebConnection(door, from: channel.remoteAddress)
        try door.enter(connection)
        let pipeline = channel.pipeline.syncOperations
        do {
            try pipeline.addHandler(IdleStateHandler(allTimeout: door.limits.idle))
            try pipeline.addHandler(IdleCloser())
            if let context { try pipeline.addHandler(NIOSSLServerHandler(context: context)) }
            try pipeline.configureHTTPServerPipeline()
            try pipeline.addHandler(connection)
        } catch {
            door.closed(connection)
            throw error
        }
    }

    /// Answers until it is cancelled; then all connections are closed.
    package func run(_ answer: @escaping @Sendable (WebRequest) async -> WebResponse) async throws {
        await withDiscardingTaskGroup { tasks in
            for await exchange in exchanges { tasks.addTask { await exchange.answer(answer) } }
            // It may have closed by itself.
            try? await listener.close().get()
            try? await group.any().submit { [door] in door.close() }.get()
            tasks.cancelAll()
        }
        try? await group.shutdownGracefully()
    }
}

/// Closes a connection of which the idle-state handler before it says that nothing moves.
private final class IdleCloser: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is IdleStateHandler.IdleStateEvent else { return context.fireUserInboundEventTriggered(event) }
        context.close(promise: nil)
    }
}
#endif
