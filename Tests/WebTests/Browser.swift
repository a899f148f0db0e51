import Mirroring
import NIOCore
import NIOPosix
import NIOSSL

/// A browser's end of one connection, controlled by a test.
final class Browser: Sendable {
    private let channel: any Channel
    private let pieces: AsyncStream<[UInt8]>

    /// - Parameters:
    ///   - source: The address of this machine from which it connects.
    ///   - isSecure: Whether it uses TLS. It accepts any certificate.
    init(_ address: MirrorAddress, from source: String? = nil, isSecure: Bool = false) async throws {
        let (pieces, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        self.pieces = pieces
        var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if isSecure {
                        var configuration = TLSConfiguration.makeClientConfiguration()
                        configuration.certificateVerification = .none
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(
                                context: NIOSSLContext(configuration: configuration), serverHostname: nil))
                    }
                    try channel.pipeline.syncOperations.addHandler(Reader(continuation))
                }
            }
        if let source { bootstrap = bootstrap.bind(to: try SocketAddress(ipAddress: source, port: 0)) }
        channel = try await bootstrap.connect(host: address.host, port: address.port).get()
    }

    private final class Reader: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        private let pieces: AsyncStream<[UInt8]>.Continuation

        init(_ pieces: AsyncStream<[UInt8]>.Continuation) { self.pieces = pieces }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            pieces.yield(Array(unwrapInboundIn(data).readableBytesView))
        }

        func channelInactive(context: ChannelHandlerContext) { pieces.finish() }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    func say(_ text: String) async throws {
        try await channel.writeAndFlush(ByteBuffer(string: text.replacing("\n", with: "\r\n"))).get()
    }

    /// Bytes that are no text.
    func say(_ bytes: [UInt8]) async throws { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get() }

    var isOpen: Bool { channel.isActive }

    /// Everything until it contains this text, or until the server closes.
    func read(until end: String? = nil) async -> String {
        var bytes: [UInt8] = []
        for await piece in pieces {
            bytes += piece
            if let end, String(decoding: bytes, as: UTF8.self).contains(end) { break }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Stops reading, and leaves the connection open.
    func stopReading() async throws { try await channel.setOption(ChannelOptions.autoRead, value: false).get() }

    func close() async { try? await channel.close().get() }
}
