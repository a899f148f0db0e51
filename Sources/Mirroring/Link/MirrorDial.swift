#if Mirroring
import NIOCore
import NIOPosix

/// A link that this side opens, and reopens until it is stopped.
///
/// @unchecked Sendable: everything is only used on the reactor's loop.
final class MirrorDial: ChannelDial, MirrorConnectionOwner, MirrorReactor.TickObserver, @unchecked Sendable {
    static let connectLimit = TimeAmount.seconds(3)

    private let address: MirrorAddress
    private let expected: PeerFingerprint?
    /// The accepted machines, if no machine is expected. Nil accepts all paired machines.
    private let accepted: Set<PeerFingerprint>?
    /// The peer's addresses in the local network, if it was not at its known address.
    private var elsewhere: [MirrorAddress] = []
    private var isLooking = false
    /// The index of the address to try next.
    private var turn = 0
    private var target: MirrorAddress
    /// The only machine that is accepted at the target. Nil accepts all paired machines.
    private var wanted: PeerFingerprint?
    private let host: HostCore
    private let channelEnd: ChannelEnd
    private let reactor: MirrorReactor
    private var link = MirrorLink()
    private var connection: MirrorConnection?
    /// The last machine that was found there.
    private var peer: Peer?
    /// The hello that was sent on the current connection.
    private var sentHello: Hello?
    private var reported: Set<String> = []
    private var wasUp = false

    init(
        _ address: MirrorAddress, expecting fingerprint: PeerFingerprint?, accepting: Set<PeerFingerprint>? = nil,
        host: HostCore, channelEnd: ChannelEnd
    ) {
        self.address = address
        target = address
        expected = fingerprint
        accepted = accepting
        self.host = host
        self.channelEnd = channelEnd
        reactor = host.reactor
    }

    func start() {
        reactor.add(self)
        perform(link.start())
    }

    /// Stops dialling. Does not close an existing connection.
    func stop() {
        link.stop()
        reactor.remove(self)
    }

    func tick(at now: ContinuousClock.Instant) { perform(link.tick(at: now)) }

    /// Returns whether this machine is the only one accepted there, or the last one found there.
    func isAddressed(to fingerprint: PeerFingerprint) -> Bool { (expected ?? peer?.fingerprint) == fingerprint }

    /// Returns whether a link to this machine is up or being set up.
    func isConnected(to fingerprint: PeerFingerprint) -> Bool { sentHello != nil && peer?.fingerprint == fingerprint }

    /// Tries again, because another link to the same machine was lost.
    func redial() { perform(link.redial()) }

    private func perform(_ action: MirrorLink.Action) {
        switch action {
        case .none: break
        case .connect: connect()
        }
    }

    private func connect() {
        wasUp = false
        (target, wanted) = turn == 0 ? (address, expected) : (elsewhere[turn - 1], sought)
        open().whenComplete { [self] result in
            switch result {
            case .success(let channel): connected(channel)
            case .failure(let error): lost(TransportFault.sentence(error), isUnreachable: true)
            }
        }
    }

    private var bootstrap: ClientBootstrap {
        ClientBootstrap(group: reactor.loop)
            .connectTimeout(Self.connectLimit)
            .channelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    let tls = try host.tls.handler(isDialing: true) { [self] in trusts($0) }
                    let connection = MirrorConnection(reactor: reactor, tls: tls, owner: self, isDialed: true)
                    try channel.pipeline.syncOperations.addHandlers([tls, connection])
                }
            }
    }

    private func open() -> EventLoopFuture<any Channel> {
        guard target.isCarried else {
            return bootstrap.channelOption(ChannelOptions.tcpOption(.tcp_nodelay), value: 1)
                .connect(host: target.host, port: target.port)
        }
        guard let carrier = host.carrier, let wanted else {
            let fault = MirrorError.connect(target, reason: "this machine has no way to it")
            return reactor.loop.makeFailedFuture(fault)
        }
        let address = target
        return reactor.loop.makeFutureWithTask { try await carrier.connect(to: address, of: wanted) }
            .flatMap { [self] in bootstrap.withConnectedSocket($0) }
    }

    /// Uses the connection. A name may have several addresses, which are tried in parallel, so only now it is certain
    /// which one is used.
    private func connected(_ channel: any Channel) {
        let found = try? channel.pipeline.syncOperations.handler(type: MirrorConnection.self)
        guard let found, !found.isOver else { return lost("the connection closed", isUnreachable: true) }
        connection = found
    }

    private var distrusted: PeerFingerprint?

    private func trusts(_ fingerprint: PeerFingerprint) -> Bool {
        let isWanted = wanted.map { $0 == fingerprint } ?? accepts(fingerprint)
        if isWanted, host.peer(fingerprint) != nil { return true }
        distrusted = fingerprint
        return false
    }

    private func accepts(_ fingerprint: PeerFingerprint) -> Bool { accepted?.contains(fingerprint) ?? true }

    func authenticated(_ fingerprint: PeerFingerprint) -> Result<Peer, Refusal> {
        guard trusts(fingerprint), let peer = host.peer(fingerprint) else {
            return .failure(Refusal(reason: "the machine there, \(fingerprint.short), is not the paired one"))
        }
        return .success(peer)
    }

    func stillTrusts(_ peer: Peer) -> Bool { host.stillTrusts(peer.fingerprint) }

    func opened(_ connection: MirrorConnection, by peer: Peer) {
        // Stopped while the connection was being set up.
        guard link.state != .stopped else { return leave(connection) }
        self.peer = peer
        switch channelEnd.turn(of: self, with: peer) {
        case .sendHello:
            let hello = channelEnd.hello(to: peer)
            sentHello = hello
            connection.send(.hello(hello))
        case .wait:
            link.standBy()
            reported = []
            connection.leave(.replaced, "another connection is there")
        case .leave:
            stop()
            connection.leave(.closed, "everything was delivered")
            channelEnd.dialStopped(self, peer, nil)
        }
    }

    /// Closes a connection that is no longer needed.
    private func leave(_ connection: MirrorConnection) {
        connection.leave(channelEnd.farewell.bye, channelEnd.farewell.text)
    }

    func greeted(_ connection: MirrorConnection, by peer: Peer, _ hello: Hello) {
        guard link.state != .stopped else { return leave(connection) }
        guard let sentHello, hello.channel == sentHello.channel else {
            return connection.end("it answered for another channel")
        }
        guard channelEnd.hasRoom(for: hello, of: peer) else {
            return connection.end("its log starts again while earlier entries still wait here")
        }
        link.helloExchanged(at: reactor.now)
        wasUp = true
        reported = []
        // A way through others is no address of the machine.
        if !target.isCarried { host.note(target, of: peer) }
        channelEnd.attach(connection, peer, sent: sentHello, received: hello)
    }

    func dismissed(_ connection: MirrorConnection, _ bye: Frame.Bye, _ text: String) {
        let closure: MirrorClosure? =
            switch bye {
            case .closed: .closedByPeer
            case .declined: .declined
            case .replaced: .replaced
            case .incompatible: .incompatible(text)
            case .later: nil
            }
        guard let closure else { return }
        stop()
        channelEnd.dialStopped(self, peer, closure)
    }

    func ended(_ connection: MirrorConnection, reason: String, isFault: Bool) {
        guard self.connection === connection else { return }
        self.connection = nil
        var reason = reason
        if let distrusted {
            reason = "the machine there, \(distrusted.short), is not the paired one"
            self.distrusted = nil
        }
        let talked = sentHello != nil
        sentHello = nil
        if let peer { channelEnd.detach(connection, peer, reason: reason) }
        lost(reason, isUnreachable: !wasUp)
        if talked, let peer { channelEnd.released(peer) }
    }

    private func lost(_ reason: String, isUnreachable: Bool) {
        switch link.state {
        case .stopped, .onStandby: return
        case .idle, .connecting, .connected, .waiting: break
        }
        if let peer, wasUp, host.peer(peer.fingerprint) == nil {
            stop()
            return channelEnd.dialStopped(self, peer, .forgotten)
        }
        link.failed(at: reactor.now, jitter: reactor.jitter)
        if isUnreachable { tryElsewhere() }
        guard reported.insert("\(target): \(reason)").inserted else { return }
        host.report("mirroring to \(target): \(reason); trying again")
        if isUnreachable { channelEnd.deliver(.waiting(target, reason: reason)) }
    }

    /// Searches for the peer in the local network if it is known, since it may have a new address.
    private func tryElsewhere() {
        turn = (turn + 1) % (elsewhere.count + 1)
        guard !isLooking, host.network != nil, let sought else { return }
        isLooking = true
        host.browse(for: sought) { [weak self] addresses in
            guard let self else { return }
            isLooking = false
            elsewhere = addresses.filter { $0 != self.address }
            turn = elsewhere.isEmpty ? 0 : 1
        }
    }

    /// The peer of this link: the expected one, the last one found there, or the one that had this address.
    private var sought: PeerFingerprint? {
        expected ?? peer?.fingerprint ?? host.peer(at: address).map(\.fingerprint).flatMap { accepts($0) ? $0 : nil }
    }
}
#endif
