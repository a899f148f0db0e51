/// An answer to a request.
package struct WebResponse: Sendable {
    package enum Body: Sendable {
        case bytes([UInt8])
        /// Runs until it returns, throws, or the browser is gone. Each write waits until the browser accepts it.
        case stream(@Sendable (WebStream) async throws -> Void)
    }

    package var status: Int
    package var headers: [(name: String, value: String)]
    package var body: Body

    package init(status: Int = 200, headers: [(name: String, value: String)] = [], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package init(status: Int = 200, type: String, _ bytes: [UInt8]) {
        self.init(status: status, headers: [("Content-Type", type)], body: .bytes(bytes))
    }

    package static func text(_ text: String) -> WebResponse {
        WebResponse(type: "text/plain; charset=utf-8", Array(text.utf8))
    }

    package static func json(_ text: String, status: Int = 200) -> WebResponse {
        WebResponse(status: status, type: "application/json", Array((text + "\n").utf8))
    }

    package static func page(_ bytes: [UInt8], status: Int = 200) -> WebResponse {
        WebResponse(status: status, type: "text/html; charset=utf-8", bytes)
    }

    package static let done = WebResponse(status: 204)

    package static func redirect(to path: String) -> WebResponse {
        WebResponse(status: 303, headers: [("Location", path)])
    }

    /// Creates an answer of server-sent events (WHATWG HTML, section 9.2).
    package static func events(_ body: @escaping @Sendable (WebStream) async throws -> Void) -> WebResponse {
        WebResponse(headers: [("Content-Type", "text/event-stream")], body: .stream(body))
    }

    package func with(_ name: String, _ value: String) -> WebResponse {
        var copy = self
        copy.headers.append((name, value))
        return copy
    }
}

/// Writes the body of an answer in pieces.
package struct WebStream: Sendable {
    private let send: @Sendable ([UInt8]) async throws -> Void

    package init(_ send: @escaping @Sendable ([UInt8]) async throws -> Void) {
        self.send = send
    }

    /// Returns when the browser's connection has room for more.
    package func write(_ bytes: [UInt8]) async throws {
        if !bytes.isEmpty { try await send(bytes) }
    }
}

/// One server-sent event (WHATWG HTML, section 9.2.6).
package enum WebEvent {
    /// A comment that browsers ignore. It detects dead connections.
    package static let heartbeat = Array(":\n\n".utf8)

    /// - Parameters:
    ///   - data: One line.
    ///   - id: Sent back by a reconnecting browser as `Last-Event-ID`.
    package static func bytes(_ name: String? = nil, id: String? = nil, data: some Sequence<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        if let id { bytes += "id:\(id)\n".utf8 }
        if let name { bytes += "event:\(name)\n".utf8 }
        bytes += "data:".utf8
        bytes += data
        bytes += "\n\n".utf8
        return bytes
    }
}

extension WebStream {
    private static let heartbeatInterval = Duration.seconds(10)

    /// Writes a comment regularly while `body` runs, so that both sides notice a dead connection.
    package func withHeartbeat(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await body() }
            group.addTask {
                while true {
                    try await Task.sleep(for: Self.heartbeatInterval)
                    try await write(WebEvent.heartbeat)
                }
            }
            try await group.next()
        }
    }
}
