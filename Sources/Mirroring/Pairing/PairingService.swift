#if Mirroring
import NIOCore

/// Lets machines in that want to pair. Many may knock; one code is shown at a time, and after an attempt that failed there is
/// a pause (``PairingRateLimiter``).
///
/// @unchecked Sendable: everything is touched on the reactor's loop only.
final class PairingService: @unchecked Sendable {
    /// How many connections may be on their way to a code. For each further one another goes (``UnauthenticatedConnections``).
    static let maximumUnauthenticated = DescriptorLimit.share(8, most: 32)

    private let host: MirrorHost
    private let confirm: @Sendable (PairingCode) async -> Bool
    private let paired: @Sendable (PairingConnection.PeerFingerprintAndName) -> Void
    private var rateLimiter = PairingRateLimiter()
    private var reports = RefusalReports()
    private var unauthenticated = UnauthenticatedConnections<PairingConnection>()
    /// The one whose code is shown.
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

    /// Lets the connection show its code, or says why it may not now.
    private func receive(_ connection: PairingConnection, _ address: String) -> String? {
        if current != nil { return "another machine is just pairing" }
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

    /// One line now and then for all unauthenticated connections together, and none over a code that a person compares. Whoever says
    /// nothing at all gets none.
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

/// Slows down machines whose attempts to pair fail after a code was shown. Pure: time comes in. Remembers a bounded number of
/// addresses.
struct PairingRateLimiter {
    typealias Instant = ContinuousClock.Instant

    static let remembered = 256
    static let firstWait = Duration.seconds(1)
    static let longestWait = Duration.seconds(60)
    /// After each failure nobody shows a code for so long: a person sees that the attempt is over, and nobody who ended it is the
    /// next to ask before they do.
    static let pause = Duration.seconds(3)
    /// Failures of all addresses together, after which every address waits for the longest time: somebody who has many
    /// addresses gets no more guesses than somebody who has one.
    static let crowd = 20

    private var failures: [String: (count: Int, until: Instant)] = [:]
    private var all = (count: 0, until: Instant?.none)

    /// How long this address must still wait; nil if it may try.
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
