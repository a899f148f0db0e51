#if Mirroring
import NIOCore
import NIOHTTP1

/// One connection of a browser: one request after the other.
struct WebConnection {
    /// No request has more to say.
    static let longestBody = 4_096

    private let channel: WebServer.Connection

    init(_ channel: WebServer.Connection) {
        self.channel = channel
    }

    /// Until the browser closes it, or says what is no HTTP. What goes wrong with one browser is nobody else's.
    func serve(_ answer: @Sendable (WebRequest) async -> WebResponse) async {
        let localAddress = channel.channel.localAddress?.ipAddress.map(Self.plain)
        try? await channel.executeThenClose { inbound, outbound in
            var head: HTTPRequestHead?
            var body: [UInt8] = []
            var isTooLong = false
            for try await part in inbound {
                switch part {
                case .head(let next):
                    head = next
                    body = []
                    isTooLong = false
                case .body(let bytes):
                    isTooLong = isTooLong || body.count + bytes.readableBytes > Self.longestBody
                    if !isTooLong { body += bytes.readableBytesView }
                case .end:
                    guard let asked = head else { return }
                    head = nil
                    let response =
                        isTooLong
                        ? WebResponse(status: 413)
                        : await answer(WebRequest(asked, body: body, localAddress: localAddress))
                    try await write(response, of: asked, to: outbound)
                    guard asked.isKeepAlive else { return }
                }
            }
        }
    }

    private func write(
        _ response: WebResponse, of request: HTTPRequestHead,
        to outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
    ) async throws {
        var headers = HTTPHeaders(response.headers.map { ($0.name, $0.value) })
        let hasBody = request.method != .HEAD
        if case .bytes(let bytes) = response.body, response.status != 204 {
            headers.replaceOrAdd(name: "Content-Length", value: "\(bytes.count)")
        }
        let head = HTTPResponseHead(
            version: request.version, status: HTTPResponseStatus(statusCode: response.status), headers: headers)
        try await outbound.write(.head(head))
        switch response.body {
        case .bytes(let bytes):
            if hasBody, !bytes.isEmpty { try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: bytes)))) }
        case .stream(let write):
            if hasBody {
                try await write(WebStream { try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: $0)))) })
            }
        }
        try await outbound.write(.end(nil))
    }

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
