#if Mirroring
import Glibc
package import Mirroring
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Answers browsers: HTTP/1.1, with TLS if an identity is given.
///
/// SwiftNIO implements the protocol. ``WebAcceptor`` admits connections, ``WebConnection`` assembles requests, and one task per
/// request awaits and writes the answer (``WebExchange``). Until a request is complete, a connection is only a set of handlers on
/// the loop, which can be closed at any time.
package final class WebServer: Sendable {
    /// A connection is dead if sent data is not acknowledged for this long.
    private static let unacknowledgedMilliseconds = 30_000

    /// The listening address, with the chosen port.
    package let address: MirrorAddress
    /// The fingerprint of the TLS certificate; nil without TLS, if only this machine can reach the server.
    package let fingerprint: PeerFingerprint?
    package var isLoopback: Bool { fingerprint == nil }
    let listener: any Channel
    private let acceptor: WebAcceptor
    private let exchanges: AsyncStream<WebExchange>
    private let group: MultiThreadedEventLoopGroup

    private init(
        _ listener: any Channel, _ acceptor: WebAcceptor, _ exchanges: AsyncStream<WebExchange>,
        _ group: MultiThreadedEventLoopGroup, host: String, _ fingerprint: PeerFingerprint?
    ) {
        self.listener = listener
        self.acceptor = acceptor
        self.exchanges = exchanges
        self.group = group
        self.fingerprint = fingerprint
        address = MirrorAddress(host: host, port: listener.localAddress?.port ?? 0)
    }

    /// Listens at an address; see ``MirrorAddress/bound(by:)``.
    ///
    /// - Parameters:
    ///   - hasKey: Whether a request has the key: its connection is never closed for another one. Called on the network thread.
    ///   - report: Called on the network thread with one line, once each, if connections are closed for others, and if the process has
    ///     no file descriptor left.
    ///   - identity: Returns the machine's identity for TLS. Only called if other machines can reach the server.
    /// - Throws: ``MirrorError/listen(_:reason:)`` if the address is in use or not this machine's; errors of `identity`.
    package static func listen(
        on address: MirrorAddress, limits: WebLimits = WebLimits(),
        hasKey: @escaping @Sendable (WebRequest) -> Bool = { _ in false },
        report: @escaping @Sendable (String) -> Void = { _ in }, identity: () throws -> PeerIdentity
    ) async throws -> WebServer {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let (exchanges, continuation) = AsyncStream.makeStream(of: WebExchange.self)
        let acceptor = WebAcceptor(limits, hasKey: hasKey, exchanges: continuation, report: report)
        // Errors of the identity are not errors of listening.
        var asksWho = false
        do {
            return try await address.bound { socket in
                asksWho = !(socket.ipAddress.map(MirrorAddress.isLoopback) ?? false)
                let identity = try asksWho ? identity() : nil
                asksWho = false
                let context = try identity.map { try $0.serverContext() }
                let listener = try await bootstrap(group, acceptor, context).bind(to: socket).get()
                listener.closeFuture.whenComplete { _ in continuation.finish() }
                let host = address.host == MirrorAddress.everywhere.host ? socket.ipAddress : nil
                return WebServer(
                    listener, acceptor, exchanges, group, host: host ?? address.host, identity?.fingerprint)
            }
        } catch {
            try? await group.shutdownGracefully()
            throw asksWho ? error : MirrorError.listen(address, reason: TransportFault.sentence(error))
        }
    }

    private static func bootstrap(
        _ group: MultiThreadedEventLoopGroup, _ acceptor: WebAcceptor, _ context: NIOSSLContext?
    ) -> ServerBootstrap {
        ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1_024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.tcpOption(.init(rawValue: TCP_USER_TIMEOUT)), value: unacknowledgedMilliseconds)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptPause { acceptor.makeRoom($0) })
                }
            }
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try admit(channel, acceptor, context) }
            }
    }

    /// - Throws: The error that closes the channel.
    private static func admit(_ channel: any Channel, _ acceptor: WebAcceptor, _ context: NIOSSLContext?) throws {
        let connection = WebConnection(acceptor, from: channel.remoteAddress)
        try acceptor.enter(connection)
        let pipeline = channel.pipeline.syncOperations
        do {
            try pipeline.addHandler(IdleStateHandler(allTimeout: acceptor.limits.idle))
            try pipeline.addHandler(IdleCloser())
            if let context { try pipeline.addHandler(NIOSSLServerHandler(context: context)) }
            try pipeline.configureHTTPServerPipeline(
                withEncoderConfiguration: .init(), withDecoderLimitConfiguration: acceptor.limits.head)
            try pipeline.addHandler(connection)
        } catch {
            acceptor.closed(connection)
            throw error
        }
    }

    /// Answers requests until it is cancelled; then closes all connections.
    package func run(_ answer: @escaping @Sendable (WebRequest) async -> WebResponse) async throws {
        await withDiscardingTaskGroup { tasks in
            for await exchange in exchanges { tasks.addTask { await exchange.answer(answer) } }
            // It may already be closed.
            try? await listener.close().get()
            try? await group.any().submit { [acceptor] in acceptor.close() }.get()
            tasks.cancelAll()
        }
        try? await group.shutdownGracefully()
    }
}

/// Closes a connection that the idle-state handler reports as idle.
private final class IdleCloser: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is IdleStateHandler.IdleStateEvent else { return context.fireUserInboundEventTriggered(event) }
        context.close(promise: nil)
    }
}
#endif
