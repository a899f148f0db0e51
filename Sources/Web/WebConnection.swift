#if Mirroring
import Mirroring
import NIOCore
import NIOHTTP1

/// One connection of a browser: one request after the other. What goes wrong with one browser is nobody else's.
///
/// @unchecked Sendable: everything is touched on the server's loop only.
final class WebConnection: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// No request has more to say.
    static let longestBody = 4_096

    let origin: ConnectionOrigin
    private let door: WebAcceptor
    private var context: ChannelHandlerContext?
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []
    private var isTooLong = false
    /// Until then a request has to be complete.
    private var deadline: Scheduled<Void>?
    /// Finished when the connection is over, for whoever is writing an answer.
    private var gone: AsyncStream<Never>.Continuation?

    init(_ door: WebAcceptor, from address: SocketAddress?) {
        self.door = door
        origin = ConnectionOrigin(address)
    }

    // MARK: From the channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        closes(in: door.limits.firstRequest)
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
        door.markActive(self, hasKey: door.hasKey(request))
        let (gone, continuation) = AsyncStream.makeStream(of: Never.self)
        self.gone = continuation
        door.exchanges.yield(
            WebExchange(
                request: request, isTooLong: isTooLong, head: head, connection: self, loop: channel.eventLoop,
                gone: gone))
    }

    private func end() {
        deadline?.cancel()
        gone?.finish()
        door.closed(self)
    }

    private func closes(in limit: TimeAmount) {
        deadline?.cancel()
        deadline = context?.eventLoop.assumeIsolated().scheduleTask(in: limit) { [weak self] in self?.closeAtOnce() }
    }

    // MARK: From who answers

    /// - Returns: When the browser's connection has taken it.
    func write(_ part: HTTPServerResponsePart) -> EventLoopFuture<Void>? {
        context.map { $0.writeAndFlush(wrapOutboundOut(part)) }
    }

    /// The answer is complete; the connection waits for the next request, if it is to stay.
    func finish(keepsAlive: Bool) -> EventLoopFuture<Void>? {
        gone?.finish()
        gone = nil
        // Before the end is written, which lets the next request through if it is here already.
        door.markIdle(self)
        closes(in: door.limits.nextRequest)
        let written = write(.end(nil))
        if !keepsAlive { written?.assumeIsolated().whenComplete { [weak self] _ in self?.close() } }
        return written
    }

    func close() { context?.close(promise: nil) }

    /// Without TLS's farewell.
    func closeAtOnce() { context?.closeAtOnce() }

    /// An IPv4 address of an IPv6 socket as what it is (RFC 4291, section 2.5.5.2).
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
