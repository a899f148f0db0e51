import Foundation
import Glibc
import Mirroring
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import Web

/// No number of connections ends a session or locks out clients with the key.
@Suite(.timeLimit(.minutes(10))) struct CrowdedServerTests {
    private static let key = WebKey()
    private static let withKey = "Host: x\nAuthorization: Bearer \(key.text)\n\n"

    /// Streams to clients of `/stream`, and answers `hello` to all others.
    private static let answer: @Sendable (WebRequest) async -> WebResponse = { request in
        guard request.path == "/stream" else { return .text("hello") }
        return .events { stream in
            while true {
                try await stream.write(WebEvent.heartbeat)
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    private func serving(
        places: Int = 40, firstRequest: TimeAmount = .seconds(600), identity: PeerIdentity? = nil,
        report: @escaping @Sendable (String) -> Void = { _ in }, _ body: (MirrorAddress) async throws -> Void
    ) async throws {
        var limits = WebLimits()
        limits.connections = places
        limits.firstRequest = firstRequest
        let server = try await WebServer.listen(
            on: MirrorAddress(host: identity == nil ? "127.0.0.1" : "0.0.0.0", port: 0), limits: limits,
            hasKey: { Self.key.isShown(by: $0) }, report: report
        ) { try #require(identity) }
        let work = Task { try await server.run(Self.answer) }
        do { try await body(MirrorAddress(host: "127.0.0.1", port: server.address.port)) } catch {
            work.cancel()
            throw error
        }
        work.cancel()
        try await work.value
    }

    private func isServed(_ address: MirrorAddress, isSecure: Bool = false) async throws -> Bool {
        let browser = try await Browser(address, from: "127.0.0.2", isSecure: isSecure)
        try await browser.say("GET / HTTP/1.1\nConnection: close\n" + Self.withKey)
        return await browser.read().hasSuffix("hello")
    }

    @Test func `too many connections end neither the server nor clients with the key`() async throws {
        let reports = Mutex<[String]>([])
        try await serving(report: { line in reports.withLock { $0.append(line) } }) { address in
            let watcher = try await Browser(address)
            try await watcher.say("GET /stream HTTP/1.1\n" + Self.withKey)
            _ = await watcher.read(until: ":\n")
            // From the address of the watching browser.
            var crowd: [Browser] = []
            for _ in 0..<1_001 { crowd.append(try await Browser(address)) }
            #expect(try await isServed(address))
            #expect(await watcher.read(until: ":\n").contains(":"))
            for one in crowd.prefix(900) { _ = await one.read() }
            #expect(crowd.last?.isOpen == true)
            for one in crowd + [watcher] { await one.close() }
        }
        #expect(reports.withLock { $0.count } == 1)
    }

    @Test func `clients that stream without the key leave a place for one with the key`() async throws {
        try await serving { address in
            var crowd: [Browser] = []
            for _ in 0..<100 {
                let one = try await Browser(address)
                try await one.say("GET /stream HTTP/1.1\nHost: x\n\n")
                crowd.append(one)
            }
            for one in crowd.prefix(90) { _ = await one.read() }
            #expect(try await isServed(address))
            for one in crowd { await one.close() }
        }
    }

    @Test func `a request that never ends is closed, however often a byte arrives`() async throws {
        try await serving(firstRequest: .milliseconds(100)) { address in
            let browser = try await Browser(address)
            try? await browser.say("GET / HTTP/1.1\n")
            while browser.isOpen {
                do { try await browser.say("x") } catch { break }
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    @Test func `connections that come and go leave nothing behind`() async throws {
        try await serving { address in
            for _ in 0..<2_000 { await (try Browser(address)).close() }
            #expect(try await isServed(address))
        }
    }

    @Test(arguments: [1, 100, 400]) func `a stopping server closes connections that wait for an answer`(
        count: Int
    ) async throws {
        let crowd = Mutex<[Browser]>([])
        try await serving(places: 1_000) { address in
            for _ in 0..<count {
                let one = try await Browser(address)
                try await one.say("GET /stream HTTP/1.1\nHost: x\n\n")
                crowd.withLock { $0.append(one) }
            }
        }
        for one in crowd.withLock({ $0 }) { _ = await one.read() }
    }

    @Test func `a TLS handshake cut anywhere affects nobody`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("web-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let hello = try await clientHello()
        try await serving(identity: PeerIdentity(folder: folder)) { address in
            var halves: [Browser] = []
            for length in stride(from: 1, through: hello.count, by: 3) {
                let half = try await Browser(address)
                try await half.say(Array(hello.prefix(length)))
                if length.isMultiple(of: 2) { await half.close() } else { halves.append(half) }
            }
            #expect(try await isServed(address, isSecure: true))
            for half in halves { await half.close() }
        }
    }

    /// A TLS browser's first message.
    private func clientHello() async throws -> [UInt8] {
        let (said, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { $0.pipeline.addHandler(Hearer(continuation)) }
            .bind(host: "127.0.0.1", port: 0).get()
        let browser = try await Browser(
            MirrorAddress(host: "127.0.0.1", port: listener.localAddress?.port ?? 0), isSecure: true)
        let hello = await said.first { _ in true }
        await browser.close()
        try await listener.close().get()
        return try #require(hello)
    }

    private final class Hearer: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        private let said: AsyncStream<[UInt8]>.Continuation

        init(_ said: AsyncStream<[UInt8]>.Continuation) { self.said = said }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            said.yield(Array(unwrapInboundIn(data).readableBytesView))
        }
    }

    /// What SwiftNIO does if accept(2) fails, without exhausting anything: libdispatch ends a process that cannot
    /// open `/proc/…/stat` (`_dispatch_workq_count_runnable_workers`).
    @Test(arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM])
    func `a server that cannot accept makes room, reports it once, and other connections continue`(
        fault: Int32
    ) async throws {
        let reports = Mutex<[String]>([])
        let server = try await WebServer.listen(
            on: MirrorAddress(host: "127.0.0.1", port: 0), hasKey: { Self.key.isShown(by: $0) },
            report: { line in reports.withLock { $0.append(line) } }
        ) { throw CancellationError() }
        let work = Task { try await server.run(Self.answer) }
        let (quiet, late) = (try await Browser(server.address), try await Browser(server.address))
        let watcher = try await Browser(server.address)
        try await watcher.say("GET /stream HTTP/1.1\n" + Self.withKey)
        // Connections are accepted in order, so the others are connected, too.
        _ = await watcher.read(until: ":\n")
        for _ in 0..<2 { server.listener.pipeline.fireErrorCaught(IOError(errnoCode: fault, reason: "accept")) }
        _ = (await quiet.read(), await late.read())
        #expect(await watcher.read(until: ":\n").contains(":"))
        #expect(try await isServed(server.address))
        #expect(reports.withLock { $0.filter { $0.contains("new browsers have to wait") }.count } == 1)
        await watcher.close()
        work.cancel()
        try await work.value
    }
}
