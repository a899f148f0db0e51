#if Mirroring
import Foundation
import Glibc
package import NIOCore
package import NIOPosix

/// A listener for paired machines. It stays open until it is closed.
public final class MirrorListener: Sendable {
    /// The listening address, with the chosen port.
    public let address: MirrorAddress
    let channel: any Channel
    private let acceptor: MirrorAcceptor
    private let announcement: Task<Void, Never>?
    /// What other machines open ways to this one with, instead of connecting to it.
    private let service: (any MirrorCarrierService)?

    private init(
        address: MirrorAddress, channel: any Channel, acceptor: MirrorAcceptor, announcement: Task<Void, Never>?,
        service: (any MirrorCarrierService)? = nil
    ) {
        self.service = service
        self.address = address
        self.channel = channel
        self.acceptor = acceptor
        self.announcement = announcement
    }

    static func open(
        _ address: MirrorAddress, _ host: HostCore, _ accept: @escaping @Sendable (MirrorOffer) -> HostCore.Reception,
        announce: (SocketAddress?) -> Task<Void, Never>?
    ) async throws(MirrorError) -> MirrorListener {
        let acceptor = MirrorAcceptor(host, accept)
        do {
            let channel = try await ServerBootstrap(group: host.reactor.loop)
                .serverChannelOption(ChannelOptions.backlog, value: 1_024)
                .pausing { acceptor.makeRoom($0) }
                .childChannelOption(ChannelOptions.tcpOption(.tcp_nodelay), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try acceptor.admit(channel) }
                }
                .listen(on: address)
            return MirrorListener(
                address: channel.listeningAddress ?? address, channel: channel, acceptor: acceptor,
                announcement: announce(channel.localAddress))
        } catch {
            throw .listen(address, reason: TransportFault.sentence(error))
        }
    }

    /// Listens for machines that come through a carrier. It hands their ways on to a listener that only this machine reaches.
    static func open(
        carriedAt address: MirrorAddress, of machine: PeerFingerprint, _ host: HostCore,
        _ accept: @escaping @Sendable (MirrorOffer) -> HostCore.Reception
    ) async throws(MirrorError) -> MirrorListener {
        guard let carrier = host.carrier else { throw .listen(address, reason: "this machine has no way to it") }
        let inner = try await open(MirrorAddress(host: "127.0.0.1", port: 0), host, accept) { _ in nil }
        do {
            guard let local = inner.channel.localAddress else { throw ChannelError.unknownLocalAddress }
            let service = try await carrier.serve(address, of: machine) { try local.connectedSocket() }
            return MirrorListener(
                address: address, channel: inner.channel, acceptor: inner.acceptor, announcement: nil, service: service)
        } catch {
            await inner.close()
            throw .listen(address, reason: TransportFault.sentence(error))
        }
    }

    /// Returns once no machine is connected, or after `limit`. A machine whose log has ended disconnects once everything was
    /// acknowledged, so call this before the process ends.
    public func untilQuiet(within limit: Duration) async {
        let loop = channel.eventLoop
        let quiet = loop.makePromise(of: Void.self)
        loop.execute { [acceptor] in acceptor.notifyWhenQuiet(quiet) }
        let timeout = loop.scheduleTask(in: TimeAmount(limit)) { quiet.succeed() }
        try? await quiet.futureResult.get()
        timeout.cancel()
    }

    /// Stops listening and closes incoming links. Peers reconnect when this machine listens again.
    public func close() async {
        announcement?.cancel()
        service?.close()
        // Closing twice is not an error.
        try? await channel.close().get()
        let closed = channel.eventLoop.submit { [acceptor] in acceptor.close() }
        try? await closed.get()
    }
}

extension ServerBootstrap {
    /// Returns a bootstrap that pauses accepting while there is no file descriptor left. See ``AcceptPause``.
    package func pausing(_ makeRoom: @escaping @Sendable (String) -> Void) -> ServerBootstrap {
        serverChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(AcceptPause(makeRoom))
            }
        }
    }

    /// Listens at an address. See ``MirrorAddress/bound(by:)``.
    func listen(on address: MirrorAddress) async throws -> any Channel {
        let bootstrap = serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
        return try await address.bound { try await bootstrap.bind(to: $0).get() }
    }
}

extension MirrorAddress {
    /// Binds to this address. For ``everywhere`` on a machine without IPv6, binds to all IPv4 addresses.
    package func bound<Bound>(by bind: (SocketAddress) async throws -> Bound) async throws -> Bound {
        do {
            return try await bind(.makeAddressResolvingHost(host, port: port))
        } catch let error as IOError
            where host == Self.everywhere.host && [EAFNOSUPPORT, EADDRNOTAVAIL].contains(error.errnoCode)
        {
            return try await bind(SocketAddress(ipAddress: "0.0.0.0", port: port))
        }
    }
}

extension SocketAddress {
    /// A socket that is connected to this address of this machine. Blocks.
    fileprivate func connectedSocket() throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
        guard withSockAddr({ connect(descriptor, $0, socklen_t($1)) }) == 0 else {
            let code = errno
            Glibc.close(descriptor)
            throw IOError(errnoCode: code, reason: "connect")
        }
        return descriptor
    }
}

extension Channel {
    /// The local address, with the chosen port.
    var listeningAddress: MirrorAddress? {
        MirrorAddress(of: localAddress)
    }
}

extension MirrorAddress {
    /// Returns nil if there is no port.
    init?(of address: SocketAddress?) {
        guard let address, let host = address.ipAddress, let port = address.port else { return nil }
        self.init(host: host, port: port)
    }
}

/// Accepts connections, authenticates them, and assigns them to channels.
///
/// @unchecked Sendable: everything is only used on the reactor's loop.
final class MirrorAcceptor: MirrorConnectionOwner, @unchecked Sendable {
    private let host: HostCore
    private let accept: @Sendable (MirrorOffer) -> HostCore.Reception
    /// The connections that have not sent hello yet. `accepted` has those that passed the handshake.
    private var unauthenticated = UnauthenticatedConnections<MirrorConnection>()
    static let maximumUnauthenticated = DescriptorLimit.share(8, most: MirrorLimits.handshakes)
    private var accepted: [ObjectIdentifier: (connection: MirrorConnection, peer: Peer, channelEnd: ChannelEnd?)] = [:]

    init(_ host: HostCore, _ accept: @escaping @Sendable (MirrorOffer) -> HostCore.Reception) {
        self.host = host
        self.accept = accept
    }

    private var waitingForQuiet: [EventLoopPromise<Void>] = []
    private var reports = RefusalReports()
    private var shortages = RefusalReports()
    private var isClosed = false

    func notifyWhenQuiet(_ promise: EventLoopPromise<Void>) {
        if accepted.isEmpty { promise.succeed() } else { waitingForQuiet.append(promise) }
    }

    func admit(_ channel: any Channel) throws {
        // The verification callback knows no connection, so its result is kept here.
        let shown = PresentedFingerprint()
        let tls = try host.tls.handler(isDialing: false) { [host] fingerprint in
            shown.fingerprint = fingerprint
            return host.peer(fingerprint) != nil
        }
        let connection = MirrorConnection(reactor: host.reactor, tls: tls, owner: self, isDialed: false)
        connection.shown = shown
        connection.number = host.nextArrival()
        try channel.pipeline.syncOperations.addHandlers([tls, connection])
        if unauthenticated.count >= Self.maximumUnauthenticated { dropOne() }
        unauthenticated.append(connection, from: ConnectionOrigin(channel.remoteAddress))
    }

    private func dropOne() {
        let count = unauthenticated.count
        unauthenticated.first?.drop("\(count) connections have not sent hello yet")
    }

    /// Closes a connection that has not sent hello, because the process has no file descriptor left.
    func makeRoom(_ reason: String) {
        dropOne()
        let text = "mirroring: new connections have to wait: \(reason)"
        if let line = shortages.line(text, from: ConnectionOrigin(nil), at: host.reactor.now) {
            host.report(line)
        }
    }

    private func report(_ text: String, from address: SocketAddress?) {
        if let line = reports.line("mirroring: \(text)", from: ConnectionOrigin(address), at: host.reactor.now) {
            host.report(line)
        }
    }

    func close() {
        isClosed = true
        for connection in unauthenticated.connections { connection.end("the listener was closed") }
        for (connection, _, _) in accepted.values { connection.end("the listener was closed") }
    }

    func authenticated(_ fingerprint: PeerFingerprint) -> Result<Peer, Refusal> {
        guard let peer = host.peer(fingerprint) else {
            return .failure(Refusal(reason: "machine \(fingerprint.short) is not paired"))
        }
        return .success(peer)
    }

    func stillTrusts(_ peer: Peer) -> Bool { host.stillTrusts(peer.fingerprint) }

    func opened(_ connection: MirrorConnection, by peer: Peer) {
        // Counts as unauthenticated until it has sent hello, so all handshakes together are bounded.
        accepted[ObjectIdentifier(connection)] = (connection, peer, nil)
    }

    func greeted(_ connection: MirrorConnection, by peer: Peer, _ hello: Hello) {
        unauthenticated.remove(connection)
        switch host.receive(hello, from: peer, arrival: connection.number, accept) {
        case .attach(let channelEnd) where !channelEnd.hasRoom(for: hello, of: peer):
            connection.leave(.later, "earlier entries still wait")
        case .attach(let channelEnd) where channelEnd.hasNewer(than: connection, of: peer):
            // Its hello was delayed: the peer has given up on it, and connected again.
            connection.leave(.replaced, "a newer connection is there")
        case .attach(let channelEnd):
            accepted[ObjectIdentifier(connection)]?.channelEnd = channelEnd
            let answer = channelEnd.hello(to: peer)
            connection.send(.hello(answer))
            channelEnd.attach(connection, peer, sent: answer, received: hello)
        case .dismiss(let bye, let text): connection.leave(bye, text)
        }
    }

    func dismissed(_ connection: MirrorConnection, _ bye: Frame.Bye, _ text: String) {
        // A peer that leaves was not refused.
        unauthenticated.remove(connection)
        guard let (_, peer, channelEnd) = accepted[ObjectIdentifier(connection)], let channelEnd else { return }
        switch bye {
        case .closed, .declined: channelEnd.closed(peer, .closedByPeer)
        case .incompatible: channelEnd.closed(peer, .incompatible(text))
        // The peer has a newer connection, or reconnects.
        case .replaced, .later: break
        }
    }

    func ended(_ connection: MirrorConnection, reason: String, isFault: Bool) {
        let wasUnauthenticated = unauthenticated.remove(connection)
        let removed = accepted.removeValue(forKey: ObjectIdentifier(connection))
        defer {
            if accepted.isEmpty {
                for promise in waitingForQuiet { promise.succeed() }
                waitingForQuiet = []
            }
        }
        if let removed, let channelEnd = removed.channelEnd {
            channelEnd.detach(connection, removed.peer, reason: reason)
            if isFault { report("cut off \(connection.remote): \(reason)", from: connection.remoteAddress) }
        } else if wasUnauthenticated {
            let unpaired = connection.shown?.fingerprint.flatMap { host.peer($0) == nil ? $0 : nil }
            let why = unpaired.map { "machine \($0.short) is not paired" } ?? reason
            // Don't report connections that were about to send hello when the listener was closed.
            if !isClosed || unpaired != nil {
                report("refused \(connection.remote): \(why)", from: connection.remoteAddress)
            }
        }
    }
}
#endif
