import Foundation
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import Mirroring

/// A clock that the test advances.
final class HandClock: Sendable {
    private let instant = Mutex(ContinuousClock.now)
    var now: ContinuousClock.Instant { instant.withLock { $0 } }
    func advance(by duration: Duration) { instant.withLock { $0 = $0 + duration } }
}

/// A machine with its own identity and network thread and, on request, a stopped clock.
final class Machine: Sendable {
    let folder: URL
    let reactor: MirrorReactor
    let host: MirrorHost
    let reports: Reports
    let clock: HandClock?
    private let group: MultiThreadedEventLoopGroup

    init(_ name: String, network: LocalNetwork? = nil, isDriven: Bool = false) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("mirror-\(name)-\(UUID())")
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let reports = Reports()
        self.reports = reports
        let clock = isDriven ? HandClock() : nil
        self.clock = clock
        reactor = MirrorReactor(
            loop: group.next(), isDriven: isDriven,
            // All tests run at the same time, so a moment may become a minute.
            helloLimit: isDriven ? MirrorKeepAlive.helloLimit : .seconds(600), exchangeLimit: .seconds(600),
            clock: { clock?.now ?? ContinuousClock.now }, chance: { 0 })
        host = try MirrorHost(folder: folder, name: name, network: network, reactor: reactor) { reports.add($0) }
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
        group.shutdownGracefully { _ in }
    }

    func trust(_ other: Machine) throws {
        try host.peers.add(Peer(fingerprint: other.host.identity.fingerprint, name: other.host.name))
    }

    /// Two machines that trust each other.
    static func pair(isDriven: Bool = false) throws -> (watch: Machine, phone: Machine) {
        let watch = try Machine("watch", isDriven: isDriven)
        let phone = try Machine("phone", isDriven: isDriven)
        try watch.trust(phone)
        try phone.trust(watch)
        return (watch, phone)
    }

    /// Lets time pass in steps, like the ticks of a running machine, with everything that follows.
    func pass(_ duration: Duration) async throws {
        var left = duration
        while left > .zero {
            let step = min(left, .milliseconds(250))
            clock?.advance(by: step)
            left -= step
            try await reactor.loop.submit { self.reactor.tick() }.get()
        }
    }

    func channel(
        _ log: EventLog, id: UUID = UUID(), source: MirrorSource = .memory(), greeting: [UInt8] = [],
        received: [PeerFingerprint: MirrorPosition] = [:]
    ) -> MirrorChannel {
        MirrorChannel(
            id: id, source: source, greeting: { _ in greeting }, received: received, delivery: log.delivery,
            reactor: reactor)
    }

    /// Listens on loopback and accepts every channel into the same log.
    ///
    /// - Parameter address: Nil for an address without another listener or connection, so that a later process can
    ///   listen there again.
    func listen(_ log: EventLog, on address: MirrorAddress? = nil) async throws -> MirrorListener {
        let host = "127.\(Int.random(in: 1...254)).\(Int.random(in: 1...254)).\(Int.random(in: 1...254))"
        return try await self.host.listen(on: address ?? MirrorAddress(host: host, port: 0)) { offer in
            let channel = self.channel(log, id: offer.channel)
            log.opened(channel)
            return .accept(channel)
        }
    }
}

/// The lines that a host has reported.
final class Reports: Sendable {
    private let log = WaitingLog<String>()
    var lines: [String] { log.all }
    func add(_ line: String) { log.add(line) }
    func first(containing text: String) async -> String? { await log.first { $0.contains(text) } }
}

/// The events of a channel, and a way to wait for one.
final class EventLog: Sendable {
    private let log = WaitingLog<MirrorEvent>()
    private let channels = WaitingLog<MirrorChannel>()

    var delivery: MirrorDelivery { .direct { self.log.add($0) } }
    var events: [MirrorEvent] { log.all }

    func opened(_ channel: MirrorChannel) { channels.add(channel) }
    func channel() async throws -> MirrorChannel { try #require(await channels.first { _ in true }) }

    /// All received entries by number. A number that comes twice or out of order ends the list with nil.
    var entries: [[UInt8]?] {
        var entries: [[UInt8]?] = []
        for case .entries(_, let new, let first) in log.all {
            if first != UInt64(entries.count) + 1 { entries.append(nil) }
            entries += new
        }
        return entries
    }

    @discardableResult
    func first(after count: Int = 0, where matches: @escaping @Sendable (MirrorEvent) -> Bool) async -> MirrorEvent? {
        await log.first(after: count, where: matches)
    }

    func entry(_ number: UInt64) async {
        await first { event in
            if case .entries(_, let entries, let first) = event {
                first <= number && number < first + UInt64(entries.count)
            } else {
                false
            }
        }
    }

    func acknowledged(_ number: UInt64) async {
        await first { if case .acknowledged(_, let through) = $0 { through >= number } else { false } }
    }
}

/// Values as they arrive, and a way to wait for the first that matches.
final class WaitingLog<Value: Sendable>: Sendable {
    private struct State {
        var values: [Value] = []
        var tickets = 0
        var waiters: [Int: (matches: @Sendable (Value) -> Bool, continuation: CheckedContinuation<Value?, Never>)] = [:]
    }

    private let state = Mutex(State())
    var all: [Value] { state.withLock(\.values) }

    func add(_ value: Value) {
        let ready = state.withLock { state in
            state.values.append(value)
            let ready = state.waiters.filter { $0.value.matches(value) }
            for ticket in ready.keys { state.waiters[ticket] = nil }
            return ready.values.map(\.continuation)
        }
        for continuation in ready { continuation.resume(returning: value) }
    }

    /// Nil if the time of the test has run out.
    func first(after count: Int = 0, where matches: @escaping @Sendable (Value) -> Bool) async -> Value? {
        let ticket = state.withLock { state in
            state.tickets += 1
            return state.tickets
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known = state.withLock { state -> Value?? in
                    if let known = state.values.dropFirst(count).first(where: matches) { return known }
                    if Task.isCancelled { return .some(nil) }
                    state.waiters[ticket] = (matches, continuation)
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: ticket) }?.continuation.resume(returning: nil)
        }
    }
}

func bytes(_ number: Int) -> [UInt8] { Array("entry \(number)".utf8) }

extension MirrorEvent {
    var isConnected: Bool { if case .connected = self { true } else { false } }
    var isDisconnected: Bool { if case .disconnected = self { true } else { false } }
    var isEnded: Bool { if case .ended = self { true } else { false } }
    var isDelivered: Bool { if case .delivered = self { true } else { false } }
    var isBegan: Bool { if case .began = self { true } else { false } }
    var isWaiting: Bool { if case .waiting = self { true } else { false } }
    var closure: MirrorClosure? { if case .closed(_, let closure) = self { closure } else { nil } }
}
