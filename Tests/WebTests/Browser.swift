import Mirroring
import NIOCore
import NIOPosix

/// A browser's end of one connection, which says what a test wants.
final class Browser: Sendable {
    private let channel: any Channel
    private let pieces: AsyncStream<[UInt8]>

    init(_ address: MirrorAddress) async throws {
        let (pieces, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        self.pieces = pieces
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { $0.pipeline.addHandler(Reader(continuation)) }
            .connect(host: address.host, port: address.port).get()
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

    /// What comes until it contains this, or the server closes.
    func read(until end: String? = nil) async -> String {
        var bytes: [UInt8] = []
        for await piece in pieces {
            bytes += piece
            if let end, String(decoding: bytes, as: UTF8.self).contains(end) { break }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Takes nothing more from the connection, and leaves it open.
    func stopReading() async throws { try await channel.setOption(ChannelOptions.autoRead, value: false).get() }

    func close() async { try? await channel.close().get() }
}
