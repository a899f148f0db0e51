#if Mirroring
import NIOCore

/// Accepts machines that want to pair. Many may connect, but one code is shown at a time, and there is a pause after a failed attempt
/// (``PairingRateLimiter``).
///
/// @unchecked Sendable: everything is only used on the reactor's loop.
final class PairingService: @unchecked Sendable {
    /// The maximum number of connections without a code. Each further one replaces another one
    /// (``UnauthenticatedConnections``).
    static let maximumUnauthenticated = DescriptorLimit.share(8, most: 32)

    private let host: MirrorHost
    private let confirm: @Sendable (PairingCode) async -> Bool
    private let paired: @Sendable (PairingConnection.PeerFingerprintAndName) -> Void
    private var rateLimiter = PairingRateLimiter()
    private var reports = RefusalReports()
    private var unauthenticated = UnauthenticatedConnections<PairingConnection>()
    /// The connection whose code is shown.
    private var current: PairingConnection?
    private var isClosed = false

    init(
        host: MirrorHost, confirm: @escaping @Sendable (PairingCode) async -> Bool,
        paired: @escaping @Sendable (PairingConnection.PeerFingerprintAndName) -> Void
    ) {
        self.host = host
        self.confirm = confirm
        self.paired = paired
    }

    func admit(_ channel: any Channel) throws {
        let address = channel.remoteAddress?.ipAddress ?? "an unknown address"
        let tls = try host.core.tls.handler(isDialing: false) { _ in true }
        let connection = PairingConnection(.listening, host: host, tls: tls, confirm: confirm) { [self] in
            receive($0, address)
        } finished: { [self] in
            finished($0, $1, address)
        }
        try channel.pipeline.syncOperations.addHandlers([tls, connection])
        if unauthenticated.count >= Self.maximumUnauthenticated { makeRoom() }
        unauthenticated.append(connection, from: ConnectionOrigin(channel.remoteAddress))
    }

    func makeRoom() { unauthenticated.first?.drop("too many others came after it") }

    /// Returns nil if the connection may show its code, or the reason why not.
    private func receive(_ connection: PairingConnection, _ address: String) -> String? {
        if current != nil { return "another machine is pairing" }
        if let wait = rateLimiter.wait(address, at: host.core.reactor.now) {
            return "an attempt failed; it must wait for \(Int((wait / .seconds(1)).rounded(.up))) s"
        }
        unauthenticated.remove(connection)
        current = connection
        return nil
    }

    private func finished(
        _ connection: PairingConnection,
        _ result: Result<PairingConnection.PeerFingerprintAndName, MirrorError.PairingFailure>, _ address: String
    ) {
        unauthenticated.remove(connection)
        if current === connection { current = nil }
        switch result {
        case .success(let peer): paired(peer)
        case .failure(let failure):
            let line = "pairing with \(address): \(MirrorError.pairing(failure))"
            if connection.hasShownCode {
                rateLimiter.failed(address, at: host.core.reactor.now)
                host.core.report(line)
            } else if connection.isSecured, !isClosed {
                reportStranger(line)
            }
        }
    }

    /// Reports unauthenticated connections: one line now and then for all of them together, and none while the user
    /// compares a code. A connection that sends nothing is not reported.
    private func reportStranger(_ line: String) {
        guard current == nil,
            let line = reports.line(line, from: ConnectionOrigin(nil), at: host.core.reactor.now)
        else { return }
        host.core.report(line)
    }

    func close() {
        isClosed = true
        current?.interrupt("given up")
        for connection in unauthenticated.connections { connection.interrupt("given up") }
    }
}

/// Delays machines whose attempts to pair failed after a code was shown. Pure: time is an input. It remembers a bounded number of
/// addresses.
struct PairingRateLimiter {
    typealias Instant = ContinuousClock.Instant

    static let remembered = 256
    static let firstWait = Duration.seconds(1)
    static let longestWait = Duration.seconds(60)
    /// The pause after each failure, so that the user sees that the attempt is over before the next one starts.
    static let pause = Duration.seconds(3)
    /// The number of failures, over all addresses, after which every address waits for the longest time. So many
    /// addresses don't give an attacker more guesses.
    static let crowd = 20

    private var failures: [String: (count: Int, until: Instant)] = [:]
    private var all = (count: 0, until: Instant?.none)

    /// Returns how long this address has to wait, or nil if it may try now.
    func wait(_ address: String, at now: Instant) -> Duration? {
        let until = [failures[address]?.until, all.until].compactMap { $0 }.max()
        return until.flatMap { $0 > now ? $0 - now : nil }
    }

    mutating func failed(_ address: String, at now: Instant) {
        let count = (failures[address]?.count ?? 0) + 1
        let wait = min(Self.longestWait, Self.firstWait * Double(1 << min(count - 1, 10)))
        if failures[address] == nil, failures.count >= Self.remembered,
            let first = failures.min(by: { $0.value.until < $1.value.until })
        {
            failures[first.key] = nil
        }
        failures[address] = (count, now + wait)
        all.count += 1
        all.until = now + (all.count >= Self.crowd ? Self.longestWait : Self.pause)
    }
}
#endif
