#if Mirroring
import Glibc
package import Mirroring
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// Answers browsers: HTTP/1.1, with TLS where an identity is given.
///
/// The protocol is SwiftNIO's: what is ours is one task a connection, which reads a request, awaits its answer and writes it. A
/// browser that reads slowly fills its connection's buffer (64 kB, and the kernel's), and then its task waits: nobody else does.
package final class WebServer: Sendable {
    typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

    /// More at once are closed as they come.
    package static let mostConnections = 1_000
    /// A connection on which nothing moves for so long is closed: its browser is gone, or never said anything.
    static let idleLimit = TimeAmount.seconds(60)
    /// What was sent and nobody has acknowledged for so long was sent to nobody.
    private static let unacknowledgedMilliseconds = 30_000

    /// With the port that was given, where any free one was asked for.
    package let address: MirrorAddress
    /// Of the certificate by which connections are encrypted; nil where they are not, because only this machine reaches it.
    package let fingerprint: PeerFingerprint?
    package var isLoopback: Bool { fingerprint == nil }
    private let listener: NIOAsyncChannel<Connection, Never>
    private let group: MultiThreadedEventLoopGroup

    private init(
        _ listener: NIOAsyncChannel<Connection, Never>, _ group: MultiThreadedEventLoopGroup, host: String,
        _ fingerprint: PeerFingerprint?
    ) {
        self.listener = listener
        self.group = group
        self.fingerprint = fingerprint
        address = MirrorAddress(host: host, port: listener.channel.localAddress?.port ?? 0)
    }

    /// Listens there, as ``MirrorAddress/bound(by:)`` says.
    ///
    /// - Parameter identity: The machine's own, asked for where others than this machine can come: they come by TLS.
    /// - Throws: ``MirrorError/listen(_:reason:)`` where it is taken or not this machine's; what `identity` throws.
    package static func listen(
        on address: MirrorAddress, identity: () throws -> PeerIdentity
    ) async throws -> WebServer {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        // While the identity is asked for: what fails then is not the listening.
        var asksWho = false
        do {
            return try await address.bound { socket in
                asksWho = !(socket.ipAddress.map(MirrorAddress.isLoopback) ?? false)
                let identity = try asksWho ? identity() : nil
                asksWho = false
                let context = try identity.map { try $0.serverContext() }
                let listener = try await bootstrap(group).bind(to: socket) { channel in
                    channel.eventLoop.makeCompletedFuture { try connection(channel, context) }
                }
                let host = address.host == MirrorAddress.everywhere.host ? socket.ipAddress : nil
                return WebServer(listener, group, host: host ?? address.host, identity?.fingerprint)
            }
        } catch {
            try? await group.shutdownGracefully()
            throw asksWho ? error : MirrorError.listen(address, reason: TransportFault.sentence(error))
        }
    }

    private static func bootstrap(_ group: MultiThreadedEventLoopGroup) -> ServerBootstrap {
        ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.tcpOption(.init(rawValue: TCP_USER_TIMEOUT)), value: unacknowledgedMilliseconds)
    }

    private static func connection(_ channel: any Channel, _ context: NIOSSLContext?) throws -> Connection {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(IdleStateHandler(allTimeout: idleLimit))
        try pipeline.addHandler(ClosesWhenIdle())
        if let context { try pipeline.addHandler(NIOSSLServerHandler(context: context)) }
        try pipeline.configureHTTPServerPipeline()
        return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
    }

    /// Answers until it is cancelled; then all connections are closed.
    package func run(_ answer: @escaping @Sendable (WebRequest) async -> WebResponse) async throws {
        do {
            try await listener.executeThenClose { connections in
                try await withThrowingDiscardingTaskGroup { tasks in
                    let open = OpenConnections()
                    for try await connection in connections {
                        guard open.enter() else {
                            connection.channel.close(promise: nil)
                            continue
                        }
                        tasks.addTask {
                            await WebConnection(connection).serve(answer)
                            open.leave()
                        }
                    }
                    tasks.cancelAll()
                }
            }
        } catch is CancellationError {
        }
        try? await group.shutdownGracefully()
    }
}

private final class OpenConnections: Sendable {
    private let count = Atomic(0)

    /// Whether there is room for one more.
    func enter() -> Bool {
        guard count.add(1, ordering: .relaxed).newValue > WebServer.mostConnections else { return true }
        leave()
        return false
    }

    func leave() { count.subtract(1, ordering: .relaxed) }
}

/// Closes a connection of which the idle-state handler before it says that nothing moves.
private final class ClosesWhenIdle: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is IdleStateHandler.IdleStateEvent else { return context.fireUserInboundEventTriggered(event) }
        context.close(promise: nil)
    }
}
#endif
