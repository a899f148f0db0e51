#if Mirroring
import Mirroring
import NIOCore
import NIOHTTP1

/// One connection of a browser, which answers one request after the other. Its errors don't affect other browsers.
///
/// @unchecked Sendable: everything is only used on the server's loop.
final class WebConnection: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// The longest accepted body of a request.
    static let longestBody = 4_096

    let origin: ConnectionOrigin
    private let acceptor: WebAcceptor
    private var context: ChannelHandlerContext?
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []
    private var isTooLong = false
    /// The deadline for a complete request.
    private var deadline: Scheduled<Void>?
    /// Finishes when the connection ends, for the task that writes an answer.
    private var gone: AsyncStream<Never>.Continuation?

    init(_ acceptor: WebAcceptor, from address: SocketAddress?) {
        self.acceptor = acceptor
        origin = ConnectionOrigin(address)
    }

    // MARK: From the channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        closes(in: acceptor.limits.firstRequest)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end()
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) { end() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let next):
            head = next
            body = []
            isTooLong = false
        case .body(let bytes):
            isTooLong = isTooLong || body.count + bytes.readableBytes > Self.longestBody
            if !isTooLong { body += bytes.readableBytesView }
        case .end:
            guard let asked = head else { return context.close(promise: nil) }
            head = nil
            ask(asked, context.channel)
        }
    }

    private func ask(_ head: HTTPRequestHead, _ channel: any Channel) {
        deadline?.cancel()
        let request = WebRequest(head, body: body, localAddress: channel.localAddress?.ipAddress.map(Self.plain))
        body = []
        acceptor.markActive(self, hasKey: acceptor.hasKey(request))
        let (gone, continuation) = AsyncStream.makeStream(of: Never.self)
        self.gone = continuation
        acceptor.exchanges.yield(
            WebExchange(
                request: request, isTooLong: isTooLong, head: head, connection: self, loop: channel.eventLoop,
                gone: gone))
    }

    private func end() {
        deadline?.cancel()
        gone?.finish()
        acceptor.closed(self)
    }

    private func closes(in limit: TimeAmount) {
        deadline?.cancel()
        deadline = context?.eventLoop.assumeIsolated().scheduleTask(in: limit) { [weak self] in self?.closeAtOnce() }
    }

    // MARK: From the task that answers

    /// Writes a part. The result completes once the connection has accepted the part.
    func write(_ part: HTTPServerResponsePart) -> EventLoopFuture<Void>? {
        context.map { $0.writeAndFlush(wrapOutboundOut(part)) }
    }

    /// Completes the answer. A connection that stays open waits for the next request.
    func finish(keepsAlive: Bool) -> EventLoopFuture<Void>? {
        gone?.finish()
        gone = nil
        // Before the end is written: that lets a waiting request through.
        acceptor.markIdle(self)
        closes(in: acceptor.limits.nextRequest)
        let written = write(.end(nil))
        if !keepsAlive { written?.assumeIsolated().whenComplete { [weak self] _ in self?.close() } }
        return written
    }

    func close() { context?.close(promise: nil) }

    /// Closes without TLS's closing handshake.
    func closeAtOnce() { context?.closeAtOnce() }

    /// An IPv4-mapped IPv6 address as an IPv4 address (RFC 4291, section 2.5.5.2).
    private static func plain(_ address: String) -> String {
        address.hasPrefix("::ffff:") && address.contains(".") ? String(address.dropFirst("::ffff:".count)) : address
    }
}

extension WebRequest {
    fileprivate init(_ head: HTTPRequestHead, body: [UInt8], localAddress: String?) {
        self.init(
            method: head.method.rawValue, target: head.uri, headers: head.headers.map { ($0.name, $0.value) },
            body: body, localAddress: localAddress)
    }
}
#endif
