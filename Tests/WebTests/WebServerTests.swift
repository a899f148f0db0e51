import Foundation
import Mirroring
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import Web

@Suite(.timeLimit(.minutes(10))) struct WebServerTests {
    /// Runs a server with these answers during `body`.
    private func serving(
        _ answer: @escaping @Sendable (WebRequest) async -> WebResponse,
        _ body: @Sendable (MirrorAddress) async throws -> Void
    ) async throws {
        var limits = WebLimits()
        // All tests run at the same time, so a moment may become a minute.
        limits.firstRequest = .seconds(600)
        limits.idle = .seconds(600)
        let server = try await WebServer.listen(
            on: MirrorAddress(host: "127.0.0.1", port: 0), limits: limits, identity: Self.nobody)
        #expect(server.isLoopback)
        let work = Task { try await server.run(answer) }
        do { try await body(server.address) } catch {
            work.cancel()
            throw error
        }
        work.cancel()
        try await work.value
    }

    private struct Asked: Error {}
    private static let nobody: @Sendable () throws -> PeerIdentity = { throw Asked() }

    @Test(arguments: ["localhost", "127.0.0.7", "::1", "0.0.0.0", "::"])
    func `other machines must authenticate, whatever name they use`(host: String) async throws {
        let address = MirrorAddress(host: host, port: 0)
        if host == "0.0.0.0" || host == "::" {
            await #expect(throws: Asked.self) { _ = try await WebServer.listen(on: address, identity: Self.nobody) }
        } else {
            let server: WebServer
            do { server = try await WebServer.listen(on: address, identity: Self.nobody) } catch is MirrorError {
                // A machine without IPv6.
                #expect(host == "::1")
                return
            }
            #expect(server.isLoopback && server.fingerprint == nil)
            let work = Task { try await server.run { _ in .done } }
            work.cancel()
            try await work.value
        }
    }

    /// Answers with the request.
    private let echo: @Sendable (WebRequest) async -> WebResponse = { request in
        .text(
            "\(request.method) \(request.path ?? "?") \(request.localAddress ?? "?") \(String(decoding: request.body, as: UTF8.self))"
        )
    }

    @Test func `one connection takes one request after the other`() async throws {
        try await serving(echo) { address in
            let browser = try await Browser(address)
            try await browser.say("GET /a HTTP/1.1\nHost: x\n\n")
            let first = await browser.read(until: "127.0.0.1 ")
            #expect(first.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(first.contains("\r\nContent-Length: 17\r\n"))
            #expect(first.hasSuffix("GET /a 127.0.0.1 "))
            try await browser.say("POST /b HTTP/1.1\nHost: x\nContent-Length: 3\nConnection: close\n\nabc")
            #expect(await browser.read().hasSuffix("POST /b 127.0.0.1 abc"))
        }
    }

    @Test func `requests split anywhere and sent at once are answered in order`() async throws {
        try await serving(echo) { address in
            let browser = try await Browser(address)
            let both = "GET /1 HTTP/1.1\nHost: x\n\nGET /2 HTTP/1.1\nHost: x\nConnection: close\n\n"
            for letter in both { try await browser.say(String(letter)) }
            let all = await browser.read()
            let first = try #require(all.firstRange(of: "GET /1"))
            let second = try #require(all.firstRange(of: "GET /2"))
            #expect(first.lowerBound < second.lowerBound)
        }
    }

    @Test func `HEAD gets only the head`() async throws {
        try await serving(echo) { address in
            let browser = try await Browser(address)
            try await browser.say("HEAD /a HTTP/1.1\nHost: x\nConnection: close\n\n")
            let answer = await browser.read()
            #expect(answer.contains("Content-Length: 18"))
            #expect(answer.hasSuffix("\r\n\r\n"))
        }
    }

    @Test(arguments: ["nonsense\n\n", "GET / HTTP/9.9\n\n", "GET / HTTP/1.1\nA\u{1}: b\n\n"])
    func `a request that is not HTTP gets an error, and the connection ends`(text: String) async throws {
        try await serving(echo) { address in
            let browser = try await Browser(address)
            try await browser.say(text)
            let answer = await browser.read()
            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 400"))
        }
    }

    @Test func `a body that is too long is not kept`() async throws {
        try await serving(echo) { address in
            let browser = try await Browser(address)
            let body = String(repeating: "x", count: 100_000)
            try await browser.say("POST / HTTP/1.1\nHost: x\nContent-Length: 100000\nConnection: close\n\n" + body)
            #expect(await browser.read().hasPrefix("HTTP/1.1 413"))
        }
    }

    @Test(arguments: ["GET / HTTP/1.1\n", "GET /"])
    func `a head that never ends is rejected`(start: String) async throws {
        try await serving(echo) { address in
            let browser = try await Browser(address)
            try await browser.say(start)
            let line = (start.hasSuffix("\n") ? "X-Long: " : "") + String(repeating: "x", count: 8_000)
            let end = start.hasSuffix("\n") ? "\n" : ""
            // Only as much as the server must reject, so that its answer arrives.
            for _ in 0..<5 { do { try await browser.say(line + end) } catch { break } }
            let answer = await browser.read()
            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4"))
        }
    }

    @Test func `a head of 30,000 bytes is accepted`() async throws {
        try await serving(echo) { address in
            let browser = try await Browser(address)
            let line = "X-Long: " + String(repeating: "x", count: 10_000) + "\n"
            try await browser.say("GET /long HTTP/1.1\nHost: x\nConnection: close\n" + line + line + line + "\n")
            #expect(await browser.read().contains("GET /long"))
        }
    }

    @Test func `a stream is sent as it is written, and ends with its writer`() async throws {
        let steps = AsyncStream.makeStream(of: String.self)
        try await serving({ _ in
            .events { stream in
                for await step in steps.stream { try await stream.write(WebEvent.bytes(data: step.utf8)) }
            }
        }) { address in
            let browser = try await Browser(address)
            try await browser.say("GET / HTTP/1.1\nHost: x\nConnection: close\n\n")
            #expect(await browser.read(until: "\r\n\r\n").contains("Content-Type: text/event-stream"))
            steps.continuation.yield("one")
            #expect(await browser.read(until: "data:one\n\n").contains("data:one"))
            steps.continuation.yield("two")
            #expect(await browser.read(until: "data:two\n\n").contains("data:two"))
            steps.continuation.finish()
            _ = await browser.read()
        }
    }

    @Test func `a slow browser is waited for, and blocks nobody`() async throws {
        let written = Mutex(0)
        let chunk = [UInt8](repeating: 65, count: 1 << 16)
        try await serving({ request in
            guard request.path == "/slow" else { return .text("quick") }
            return .events { stream in
                while true {
                    try await stream.write(chunk)
                    written.withLock { $0 += chunk.count }
                }
            }
        }) { address in
            let slow = try await Browser(address)
            try await slow.stopReading()
            try await slow.say("GET /slow HTTP/1.1\nHost: x\n\n")
            // Until it stops, because the kernel's buffers at both ends are full.
            var before = -1
            while true {
                let now = written.withLock { $0 }
                if now > 0, now == before { break }
                before = now
                for _ in 0..<20 {
                    let other = try await Browser(address)
                    try await other.say("GET / HTTP/1.1\nHost: x\nConnection: close\n\n")
                    // Otherwise this would never end.
                    try #require(await other.read().hasSuffix("quick"))
                }
            }
            #expect(written.withLock { $0 } < 64 << 20)
            await slow.close()
        }
    }

    @Test func `a browser that disconnects ends its stream`() async throws {
        let ended = AsyncStream.makeStream(of: Void.self)
        try await serving({ _ in
            .events { stream in
                defer { ended.continuation.finish() }
                while true {
                    try await stream.write(WebEvent.heartbeat)
                    await Task.yield()
                }
            }
        }) { address in
            let browser = try await Browser(address)
            try await browser.say("GET / HTTP/1.1\nHost: x\n\n")
            _ = await browser.read(until: ":")
            await browser.close()
            for await _ in ended.stream {}
        }
    }

    @Test func `a stopping server closes all its connections`() async throws {
        let server = try await WebServer.listen(on: MirrorAddress(host: "127.0.0.1", port: 0), identity: Self.nobody)
        let work = Task {
            try await server.run { _ in
                .events { stream in
                    try await stream.withHeartbeat {
                        for await _ in AsyncStream<Void>(unfolding: { try? await Task.sleep(for: .seconds(3600)) }) {}
                    }
                }
            }
        }
        let browser = try await Browser(server.address)
        try await browser.say("GET / HTTP/1.1\nHost: x\n\n")
        _ = await browser.read(until: "\r\n\r\n")
        work.cancel()
        try await work.value
        _ = await browser.read()
    }

    @Test func `an address in use is reported`() async throws {
        let server = try await WebServer.listen(on: MirrorAddress(host: "127.0.0.1", port: 0), identity: Self.nobody)
        let work = Task { try await server.run { _ in .done } }
        await #expect(throws: MirrorError.self) {
            _ = try await WebServer.listen(on: server.address, identity: Self.nobody)
        }
        work.cancel()
        try await work.value
    }
}
