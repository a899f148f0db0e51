#if Mirroring
import NIOCore
import NIOHTTP1

/// One request, and its answer. If a browser reads slowly, its connection's buffer fills and only this exchange waits.
struct WebExchange: Sendable {
    let request: WebRequest
    let isTooLong: Bool
    let head: HTTPRequestHead
    let connection: WebConnection
    let loop: any EventLoop
    /// Ends with the connection.
    let gone: AsyncStream<Never>

    /// Returns once the answer is complete or the browser is gone.
    func answer(_ answer: @escaping @Sendable (WebRequest) async -> WebResponse) async {
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                do {
                    try await write(isTooLong ? WebResponse(status: 413) : await answer(request))
                } catch {
                    // An incomplete answer must not look complete.
                    loop.execute { connection.close() }
                }
            }
            tasks.addTask { for await _ in gone {} }
            await tasks.next()
            tasks.cancelAll()
        }
    }

    private func write(_ response: WebResponse) async throws {
        var headers = HTTPHeaders(response.headers.map { ($0.name, $0.value) })
        let hasBody = head.method != .HEAD
        if case .bytes(let bytes) = response.body, response.status != 204 {
            headers.replaceOrAdd(name: "Content-Length", value: "\(bytes.count)")
        }
        try await write(
            .head(
                HTTPResponseHead(
                    version: head.version, status: HTTPResponseStatus(statusCode: response.status), headers: headers)))
        switch response.body {
        case .bytes(let bytes):
            if hasBody, !bytes.isEmpty { try await write(.body(.byteBuffer(ByteBuffer(bytes: bytes)))) }
        case .stream(let body):
            if hasBody { try await body(WebStream { try await write(.body(.byteBuffer(ByteBuffer(bytes: $0)))) }) }
        }
        try await onLoop { $0.finish(keepsAlive: head.isKeepAlive) }
    }

    private func write(_ part: HTTPServerResponsePart) async throws {
        try await onLoop { $0.write(part) }
    }

    /// - Throws: If the connection is over.
    private func onLoop(_ body: @escaping @Sendable (WebConnection) -> EventLoopFuture<Void>?) async throws {
        try Task.checkCancellation()
        try await loop.flatSubmit {
            body(connection) ?? loop.makeFailedFuture(ChannelError.ioOnClosedChannel)
        }.get()
    }
}
#endif
