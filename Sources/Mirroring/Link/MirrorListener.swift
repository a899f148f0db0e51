#if Mirroring
import Foundation
import Glibc
package import NIOCore
package import NIOPosix

/// A listener for paired machines. Stays open until it is closed.
public final class MirrorListener: Sendable {
    /// What it listens on, with the port that was chosen.
    public let address: MirrorAddress
    private let channel: any Channel
    private let door: MirrorAcceptor
    private let announcement: Task<Void, Never>?

    private init(
        address: MirrorAddress, channel: any Channel, door: MirrorAcceptor, announcement: Task<Void, Never>?
    ) {
        self.address = address
        self.channel = channel
        self.door = door
        self.announcement = announcement
    }

    static func open(
        _ address: MirrorAddress, _ host: HostCore, _ accept: @escaping @Sendable (MirrorOffer) -> HostCore.Reception,
        announce: (SocketAddress?) -> Task<Void, Never>?
    ) async throws(MirrorError) -> MirrorListener {
        let door = MirrorAcceptor(host, accept)
        do {
            let channel = try await ServerBootstrap(group: host.reactor.loop)
                .serverChannelOption(ChannelOptions.backlog, value: 1_024)
                .pausing { door.makeRoom($0) }
                .childChannelOption(ChannelOptions.tcpOption(.tcp_nodelay), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try door.admit(channel) }
                }
                .listen(on: address)
            return MirrorListener(
                address: channel.listeningAddress ?? address, channel: channel, door: door,
                announcement: announce(channel.localAddress))
        } catch {
            throw .listen(address, reason: TransportFault.sentence(error))
        }
    }

    /// Returns once no machine is connected, or when `limit` has passed. A machine whose log has ended leaves when it has heard
    /// that everything was handled: whoever is about to go waits for that.
    public func untilQuiet(within limit: Duration) async {
        let loop = channel.eventLoop
        let quiet = loop.makePromise(of: Void.self)
        loop.execute { [door] in door.notifyWhenQuiet(quiet) }
        let timeout = loop.scheduleTask(in: TimeAmount(limit)) { quiet.succeed() }
        try? await quiet.futureResult.get()
        timeout.cancel()
    }

    /// Stops listening and cuts the links that came in. Peers reconnect if somebody listens again.
    public func close() async {
        announcement?.cancel()
        // Closing what is already closed is no error for the caller.
        try? await channel.close().get()
        let closed = channel.eventLoop.submit { [door] in door.close() }
        try? await closed.get()
    }
}

extension ServerBootstrap {
    /// Pauses accepting while there is no file descriptor left, as ``AcceptPause`` says.
    package func pausing(_ makeRoom: @escaping @Sendable (String) -> Void) -> ServerBootstrap {
        serverChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(AcceptPause(makeRoom))
            }
        }
    }

    /// Listens there, as ``MirrorAddress/bound(by:)`` says.
    func listen(on address: MirrorAddress) async throws -> any Channel {
        let bootstrap = serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
        return try await address.bound { try await bootstrap.bind(to: $0).get() }
    }
}

extension MirrorAddress {
    /// What `bind` makes of this address; for ``everywhere``, of all IPv4 addresses where the machine knows no IPv6.
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

extension Channel {
    /// With the port that was chosen.
    var listeningAddress: MirrorAddress? {
        MirrorAddress(of: localAddress)
    }
}

extension MirrorAddress {
    /// Nil for what has no port.
    init?(of address: SocketAddress?) {
        guard let address, let host = address.ipAddress, let port = address.port else { return nil }
        self.init(host: host, port: port)
    }
}

/// Lets connections in, and out again.
///
/// @unchecked Sendable: everything is touched on the reactor's loop only.
final class MirrorAcceptor: MirrorConnectionOwner, @unchecked Sendable {
    private let host: HostCore
    private let accept: @Sendable (MirrorOffer) -> HostCore.Reception
    /// Connections in their handshake, and those that are through it.
    private var strangers = UnauthenticatedConnections<MirrorConnection>()
    static let maximumUnauthenticated = DescriptorLimit.share(8, most: MirrorLimits.handshakes)
    private var guests: [ObjectIdentifier: (connection: MirrorConnection, peer: Peer, channelEnd: ChannelEnd?)] = [:]

    init(_ host: HostCore, _ accept: @escaping @Sendable (MirrorOffer) -> HostCore.Reception) {
        self.host = host
        self.accept = accept
    }

    private var waitingForQuiet: [EventLoopPromise<Void>] = []
    private var reports = RefusalReports()
    private var shortages = RefusalReports()
    private var isClosed = false

    func notifyWhenQuiet(_ promise: EventLoopPromise<Void>) {
        if guests.isEmpty { promise.succeed() } else { waitingForQuiet.append(promise) }
    }

    func admit(_ channel: any Channel) throws {
        // The verification knows no connection, so what it saw is kept in between.
        let shown = PresentedFingerprint()
        let tls = try host.tls.handler(isDialing: false) { [host] fingerprint in
            shown.fingerprint = fingerprint
            return host.peer(fingerprint) != nil
        }
        let connection = MirrorConnection(reactor: host.reactor, tls: tls, owner: self, isDialed: false)
        connection.shown = shown
        connection.number = host.nextArrival()
        try channel.pipeline.syncOperations.addHandlers([tls, connection])
        if strangers.count >= Self.maximumUnauthenticated { dropOne() }
        strangers.append(connection, from: ConnectionOrigin(channel.remoteAddress))
    }

    private func dropOne() {
        let count = strangers.count
        strangers.first?.drop("\(count) connections have not said hello yet")
    }

    /// The process has no file descriptor left: one is taken from who has not said hello.
    func makeRoom(_ reason: String) {
        dropOne()
        let text = "mirroring: nobody gets in for the moment: \(reason)"
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
        for connection in strangers.connections { connection.end("the listener was closed") }
        for (connection, _, _) in guests.values { connection.end("the listener was closed") }
    }

    func authenticated(_ fingerprint: PeerFingerprint) -> Result<Peer, Refusal> {
        guard let peer = host.peer(fingerprint) else {
            return .failure(Refusal(reason: "machine \(fingerprint.short) is not paired"))
        }
        return .success(peer)
    }

    func stillTrusts(_ peer: Peer) -> Bool { host.stillTrusts(peer.fingerprint) }

    func opened(_ connection: MirrorConnection, by peer: Peer) {
        // Counts as a stranger too until it has said hello, so that handshakes are bounded as a whole.
        guests[ObjectIdentifier(connection)] = (connection, peer, nil)
    }

    func greeted(_ connection: MirrorConnection, by peer: Peer, _ hello: Hello) {
        strangers.remove(connection)
        switch host.receive(hello, from: peer, arrival: connection.number, accept) {
        case .attach(let channelEnd) where !channelEnd.hasRoom(for: hello, of: peer):
            connection.leave(.later, "what came before still waits")
        case .attach(let channelEnd) where channelEnd.hasNewer(than: connection, of: peer):
            // Its hello was long on its way: the peer has given it up, and connected again.
            connection.leave(.replaced, "a newer connection is there")
        case .attach(let channelEnd):
            guests[ObjectIdentifier(connection)]?.channelEnd = channelEnd
            let answer = channelEnd.hello(to: peer)
            connection.send(.hello(answer))
            channelEnd.attach(connection, peer, sent: answer, received: hello)
        case .dismiss(let bye, let text): connection.leave(bye, text)
        }
    }

    func dismissed(_ connection: MirrorConnection, _ bye: Frame.Bye, _ text: String) {
        // Whoever takes leave was not refused.
        strangers.remove(connection)
        guard let (_, peer, channelEnd) = guests[ObjectIdentifier(connection)], let channelEnd else { return }
        switch bye {
        case .closed, .declined: channelEnd.closed(peer, .closedByPeer)
        case .incompatible: channelEnd.closed(peer, .incompatible(text))
        // The peer's newer connection counts, or it comes back.
        case .replaced, .later: break
        }
    }

    func ended(_ connection: MirrorConnection, reason: String, isFault: Bool) {
        let wasStranger = strangers.remove(connection)
        let guest = guests.removeValue(forKey: ObjectIdentifier(connection))
        defer {
            if guests.isEmpty {
                for promise in waitingForQuiet { promise.succeed() }
                waitingForQuiet = []
            }
        }
        if let guest, let channelEnd = guest.channelEnd {
            channelEnd.detach(connection, guest.peer, reason: reason)
            if isFault { report("cut off \(connection.remote): \(reason)", from: connection.remoteAddress) }
        } else if wasStranger {
            let unpaired = connection.shown?.fingerprint.flatMap { host.peer($0) == nil ? $0 : nil }
            let why = unpaired.map { "machine \($0.short) is not paired" } ?? reason
            // Who was about to say hello when the listener was closed is no stranger to be told of.
            if !isClosed || unpaired != nil {
                report("refused \(connection.remote): \(why)", from: connection.remoteAddress)
            }
        }
    }
}
#endif
