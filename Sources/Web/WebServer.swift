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
    /// Only this machine reaches it.
    package let isLoopback: Bool
    private let listener: NIOAsyncChannel<Connection, Never>
    private let group: MultiThreadedEventLoopGroup

    private init(_ listener: NIOAsyncChannel<Connection, Never>, _ group: MultiThreadedEventLoopGroup, host: String) {
        self.listener = listener
        self.group = group
        let bound = listener.channel.localAddress
        address = MirrorAddress(host: host, port: bound?.port ?? 0)
        isLoopback = bound?.ipAddress.map { $0.hasPrefix("127.") || $0 == "::1" } ?? false
    }

    /// Listens there; for ``MirrorAddress/everywhere`` on all IPv4 addresses where the machine knows no IPv6.
    ///
    /// - Parameter identity: The machine's own certificate, by which connections are encrypted; nil for none.
    /// - Throws: ``MirrorError/listen(_:reason:)`` where it is taken or not this machine's.
    package static func listen(
        on address: MirrorAddress, identity: PeerIdentity?
    ) async throws(MirrorError) -> WebServer {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            let context = try identity.map { try $0.serverContext() }
            func bound(to host: String) async throws -> WebServer {
                let listener = try await bootstrap(group).bind(host: host, port: address.port) { channel in
                    channel.eventLoop.makeCompletedFuture { try connection(channel, context) }
                }
                return WebServer(listener, group, host: host)
            }
            do {
                return try await bound(to: address.host)
            } catch let error as IOError
                where address.host == MirrorAddress.everywhere.host
                && [EAFNOSUPPORT, EADDRNOTAVAIL].contains(error.errnoCode)
            {
                return try await bound(to: "0.0.0.0")
            }
        } catch {
            try? await group.shutdownGracefully()
            throw .listen(address, reason: TransportFault.sentence(error))
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
