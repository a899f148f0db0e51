import NIOCore
import NIOPosix
import Synchronization

@testable import Mirroring

/// A connection that a test can cut, silence or tamper with: listens on loopback and forwards bytes to one target.
final class Relay: Sendable {
    enum Fault: Sendable {
        case none
        /// Bytes vanish; connections stay open.
        case blackHole
        /// One bit of the next read from the dialing side is flipped; after that, nothing changes.
        case tampered
    }

    private struct State {
        var fault = Fault.none
        var channels: [any Channel] = []
        var seen: [UInt8] = []
        var target: MirrorAddress
    }

    private let state: Mutex<State>
    private let closings = WaitingLog<Void>()
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let server = Mutex<(any Channel)?>(nil)

    init(to target: MirrorAddress) async throws {
        state = Mutex(State(target: target))
        let channel = try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in self.join(channel) }
            .bind(host: "127.0.0.1", port: 0).get()
        server.withLock { $0 = channel }
    }

    var address: MirrorAddress {
        MirrorAddress(host: "127.0.0.1", port: server.withLock { $0?.localAddress?.port } ?? 0)
    }

    /// The target of later connections.
    func lead(to target: MirrorAddress) { state.withLock { $0.target = target } }

    func set(_ fault: Fault) { state.withLock { $0.fault = fault } }

    /// Everything that the dialing side has sent.
    var seen: [UInt8] { state.withLock(\.seen) }

    /// Returns once some connection was ended by one of its ends.
    func untilClosed() async { _ = await closings.first { true } }

    /// Ends every connection.
    func cut() {
        let channels = state.withLock { state in
            defer { state.channels = [] }
            return state.channels
        }
        for channel in channels { channel.close(promise: nil) }
    }

    func close() async throws {
        cut()
        try await server.withLock { $0 }?.close()
        try await group.shutdownGracefully()
    }

    private func join(_ incoming: any Channel) -> EventLoopFuture<Void> {
        let target = state.withLock(\.target)
        return ClientBootstrap(group: incoming.eventLoop).connect(host: target.host, port: target.port).flatMap {
            outgoing in
            self.state.withLock { $0.channels += [incoming, outgoing] }
            return incoming.pipeline.addHandler(Pipe(self, to: outgoing, isFromDialer: true)).flatMap {
                outgoing.pipeline.addHandler(Pipe(self, to: incoming, isFromDialer: false))
            }
        }
    }

    private final class Pipe: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        private let relay: Relay
        private let other: any Channel
        private let isFromDialer: Bool

        init(_ relay: Relay, to other: any Channel, isFromDialer: Bool) {
            self.relay = relay
            self.other = other
            self.isFromDialer = isFromDialer
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var bytes = unwrapInboundIn(data)
            let fault = relay.state.withLock { state -> Fault in
                let fault = state.fault
                guard isFromDialer else { return fault == .tampered ? .none : fault }
                state.seen += Array(bytes.readableBytesView)
                if fault == .tampered { state.fault = .none }
                return fault
            }
            switch fault {
            case .none: break
            case .blackHole: return
            case .tampered:
                guard let byte: UInt8 = bytes.getInteger(at: bytes.writerIndex - 1) else { break }
                bytes.setInteger(byte ^ 1, at: bytes.writerIndex - 1)
            }
            other.writeAndFlush(bytes, promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            other.close(promise: nil)
            relay.closings.add(())
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
