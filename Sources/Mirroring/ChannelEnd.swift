import Foundation
import NIOCore
import Synchronization

/// What a ``MirrorChannel`` is made of: its own log going out, the peers' logs coming in.
///
/// @unchecked Sendable: the outbox and what other threads may ask for are behind mutexes; everything else is touched on
/// the reactor's loop only.
final class ChannelEnd: @unchecked Sendable {
    /// About this much is read from the log for one frame.
    static let batchBytes = 1 << 16
    /// Appended entries that wait for the loop; beyond this they are read from the log again.
    static let pendingBytes = 1 << 18

    let id: UUID
    let reactor: MirrorReactor
    private let source: MirrorSource
    private let greeting: @Sendable () -> [UInt8]
    private let delivery: MirrorDelivery
    private let outbox: Mutex<Outbox>
    private let states = Mutex<[PeerFingerprint: (state: MirrorPeerState, received: MirrorPosition?)]>([:])

    /// A peer of this channel.
    ///
    /// @unchecked Sendable: touched on the reactor's loop only.
    private final class Party: @unchecked Sendable {
        var peer: Peer
        var receiver: LogReceiver
        var acknowledged: UInt64 = 0
        var connection: MirrorConnection?
        var isDelivered = false
        var hasEnded = false
        /// The consumer has handled the end, and so everything before it.
        var isEndHandled = false
        /// Nothing more comes from or goes to this peer, unless it connects again.
        var isDone = false
        var waitingBytes = 0

        init(_ peer: Peer, _ receiver: LogReceiver) {
            self.peer = peer
            self.receiver = receiver
        }
    }

    private var parties: [PeerFingerprint: Party] = [:]
    private let kept: [PeerFingerprint: MirrorPosition]
    private var dials: [ObjectIdentifier: MirrorDial] = [:] {
        didSet { dialing.withLock { $0 += dials.count - oldValue.count } }
    }
    /// How many dials there are, or will be as soon as the loop gets to it.
    private let dialing = Mutex(0)
    private var isClosed = false
    private var finishing: [Int: @Sendable (Bool) -> Void] = [:]
    private var finishingTicket = 0
    /// Called when this end is closed or everything that was to come has come: whoever knows it by name forgets it.
    var whenOver: ((ChannelEnd, _ hasEnded: Bool) -> Void)?

    init(
        id: UUID, source: MirrorSource, greeting: @escaping @Sendable () -> [UInt8],
        received: [PeerFingerprint: MirrorPosition], delivery: MirrorDelivery, reactor: MirrorReactor
    ) {
        self.id = id
        self.source = source
        self.greeting = greeting
        self.delivery = delivery
        self.reactor = reactor
        kept = received
        outbox = Mutex(Outbox(first: source.first, count: source.count, keeps: source.read == nil))
    }

    // MARK: From any thread

    func append(_ entry: [UInt8]) -> UInt64? {
        guard entry.count <= MirrorLimits.entry else {
            reactor.loop.execute { self.close(with: .entryTooLarge(bytes: entry.count)) }
            return nil
        }
        let (number, isFirst) = outbox.withLock { $0.append(entry) }
        if isFirst { reactor.loop.execute { self.drain() } }
        return number
    }

    func finish() {
        outbox.withLock { $0.isFinished = true }
        reactor.loop.execute { self.drain() }
    }

    func connect(_ dial: MirrorDial) {
        dialing.withLock { $0 += 1 }
        reactor.loop.execute {
            self.add(dial)
            self.dialing.withLock { $0 -= 1 }
        }
    }

    var hasLinks: Bool { dialing.withLock { $0 > 0 } }

    var received: [PeerFingerprint: MirrorPosition] { states.withLock { $0.compactMapValues(\.received) } }

    var peers: [PeerFingerprint: MirrorPeerState] { states.withLock { $0.mapValues(\.state) } }

    // MARK: The own log

    var count: UInt64 { outbox.withLock(\.count) }

    /// How many entries there are in all, once there will be no more.
    var finishedCount: UInt64? { outbox.withLock { $0.isFinished ? $0.count : nil } }

    /// Some entries from this number on.
    func entries(from number: UInt64) throws -> [[UInt8]] {
        guard let read = source.read else {
            return outbox.withLock { $0.entries(from: number, bytes: Self.batchBytes) }
        }
        var entries = try read(number, Self.batchBytes)
        // A log that is ahead of what was appended, or returns more than was asked for, stays within bounds.
        let most = Int(count - number + 1)
        if entries.count > most { entries.removeLast(entries.count - most) }
        var bytes = 0
        var fitting = 0
        for entry in entries {
            bytes += 4 + entry.count
            guard bytes <= MirrorLimits.entry || fitting == 0 else { break }
            fitting += 1
        }
        guard entries.first.map({ $0.count <= MirrorLimits.entry }) ?? true else {
            throw MirrorError.file(path: "entry \(number)", reason: "it is longer than \(MirrorLimits.entry) bytes")
        }
        return Array(entries.prefix(fitting))
    }

    /// Sends what was appended since the last time to whoever has everything before it.
    private func drain() {
        reactor.loop.preconditionInEventLoop()
        let (first, entries, isFinished) = outbox.withLock { $0.takePending() }
        guard !isClosed else { return }
        if !entries.isEmpty {
            let frame = FrameCodec.encode(first: first, entries)
            for party in parties.values {
                party.connection?.offer(first: first, count: UInt64(entries.count), frame)
            }
        }
        if isFinished || entries.isEmpty {
            for party in parties.values { party.connection?.pump() }
            settle()
        }
    }

    // MARK: Links, on the loop

    private func add(_ dial: MirrorDial) {
        guard !isClosed else { return }
        dials[ObjectIdentifier(dial)] = dial
        dial.start()
    }

    /// What this side says first. A link to the same machine that is still there makes room: the newer one counts.
    func hello(to peer: Peer) -> Hello {
        let party = party(of: peer)
        if let older = party.connection {
            if let dial = dials.values.first(where: { $0.connection === older }) {
                dial.stop()
                dialStopped(dial, peer, .replaced)
            }
            older.leave(.replaced, "replaced by a newer connection")
        }
        var greeting = greeting()
        if greeting.count > MirrorLimits.entry {
            let bytes = greeting.count
            greeting = []
            reactor.loop.execute { self.close(with: .entryTooLarge(bytes: bytes)) }
        }
        let (first, count) = outbox.withLock { ($0.first, $0.count) }
        return Hello(
            channel: id, log: source.log, first: first, count: count, received: party.receiver.delivered,
            greeting: greeting)
    }

    /// Both sides have said hello on this connection: entries flow.
    func attach(_ connection: MirrorConnection, _ peer: Peer, said: Hello, heard: Hello) {
        let party = party(of: peer)
        party.peer = peer
        party.connection = connection
        party.isDone = false
        let resume = LogReceiver.resume(heard.received, log: said.log, first: said.first, count: said.count)
        let isNew = party.receiver.began(heard)
        if isNew {
            party.hasEnded = false
            party.isEndHandled = false
            party.waitingBytes = 0
        }
        publish(party, isConnected: true)
        connection.comeUp(peer, self, resume: resume)
        deliver(.connected(peer))
        if isNew { deliver(.began(peer, greeting: heard.greeting, log: heard.log, first: heard.first)) }
        connection.pauseReading(party.waitingBytes > MirrorLimits.window)
        if party.receiver.handled > 0 { connection.acknowledgeSoon() }
        connection.pump()
    }

    /// The connection of this peer is gone.
    func detach(_ connection: MirrorConnection, _ peer: Peer, reason: String) {
        guard let party = parties[peer.fingerprint], party.connection === connection else { return }
        party.connection = nil
        publish(party, isConnected: false)
        // An end that was handed over, but not handled yet, is the last that is heard of a peer that connected to us.
        let isDone = party.isDone || (party.hasEnded && !connection.isDialed)
        if !isClosed, !isDone { deliver(.disconnected(party.peer, reason: reason)) }
    }

    /// This dial will not be tried again.
    func dialStopped(_ dial: MirrorDial, _ peer: Peer?, _ closure: MirrorClosure?) {
        guard dials.removeValue(forKey: ObjectIdentifier(dial)) != nil, !isClosed else { return }
        if let closure {
            deliver(.closed(peer, closure))
            if closure != .replaced {
                hasFailed = true
                if let peer { parties[peer.fingerprint]?.isDone = true }
            }
        }
        settle()
    }

    private var hasFailed = false

    /// The peer ended the channel from its side, on a connection that came in.
    func closedByPeer(_ peer: Peer, _ closure: MirrorClosure) {
        guard !isClosed, let party = parties[peer.fingerprint], !party.isDone else { return }
        party.isDone = true
        hasFailed = true
        deliver(.closed(peer, closure))
        settle()
    }

    func deliver(_ event: MirrorEvent) { delivery.hand(event, nil) }

    func close(with closure: MirrorClosure? = nil) {
        reactor.loop.preconditionInEventLoop()
        guard !isClosed else { return }
        if let closure { deliver(.closed(nil, closure)) }
        isClosed = true
        outbox.withLock { $0.isClosed = true }
        for dial in dials.values { dial.stop() }
        dials.removeAll()
        // Peers that are connected hear of it now; of the others, the host keeps in mind that they have not.
        over(hasEnded: false)
        for party in parties.values { party.connection?.leave(.closed, "the channel was closed") }
        for report in finishing.values { report(false) }
        finishing.removeAll()
    }

    private func over(hasEnded: Bool) {
        delivery.finish()
        whenOver?(self, hasEnded)
        whenOver = nil
    }

    /// Calls `report` once every peer has everything of the finished log (true), or the time or the channel is over.
    func whenDelivered(within limit: TimeAmount, _ report: @escaping @Sendable (Bool) -> Void) {
        guard !isClosed else { return report(isAllDelivered) }
        finishingTicket += 1
        let ticket = finishingTicket
        finishing[ticket] = report
        reactor.loop.scheduleTask(in: limit) { self.finishing.removeValue(forKey: ticket)?(false) }
        settle()
    }

    private var isAllDelivered: Bool { !hasFailed && dials.isEmpty && parties.values.allSatisfy(\.isDelivered) }

    /// Something ended: is everything over?
    private func settle() {
        guard !isClosed, dials.isEmpty else { return }
        if parties.values.allSatisfy({ $0.isDelivered || $0.isDone }) {
            for report in finishing.values { report(isAllDelivered) }
            finishing.removeAll()
        }
        guard !parties.isEmpty || hasFailed, parties.values.allSatisfy(\.isDone) else { return }
        isClosed = true
        outbox.withLock { $0.isClosed = true }
        over(hasEnded: true)
    }

    // MARK: The peers' logs, on the loop

    /// Returns what is wrong with the sender, if anything is.
    func receive(_ entries: [[UInt8]], first: UInt64, from peer: Peer, over connection: MirrorConnection) -> String? {
        guard !isClosed, let party = parties[peer.fingerprint], party.connection === connection else { return nil }
        guard !party.hasEnded else { return "entries after the end of the log" }
        switch party.receiver.received(entries, first: first) {
        case .gap: return "entry \(first) came where an earlier one was due"
        case .known: connection.acknowledgeSoon()
        case .new(let entries, let first):
            guard let log = party.receiver.delivered?.log else { return nil }
            let bytes = entries.reduce(0) { $0 + 32 + $1.count }
            let last = first + UInt64(entries.count) - 1
            party.waitingBytes += bytes
            delivery.hand(.entries(party.peer, entries, first: first)) { [reactor] in
                if reactor.loop.inEventLoop {
                    self.handled(peer.fingerprint, log, through: last, bytes)
                } else {
                    reactor.loop.execute { self.handled(peer.fingerprint, log, through: last, bytes) }
                }
            }
            if party.waitingBytes > MirrorLimits.window { connection.pauseReading(true) }
        }
        return nil
    }

    private func handled(_ fingerprint: PeerFingerprint, _ log: UUID, through last: UInt64, _ bytes: Int) {
        guard let party = parties[fingerprint], party.receiver.delivered?.log == log else { return }
        party.waitingBytes = max(0, party.waitingBytes - bytes)
        if party.receiver.handled(through: last, of: log) {
            publish(party, isConnected: party.connection != nil)
            party.connection?.acknowledgeSoon()
        }
        if party.waitingBytes <= MirrorLimits.window / 2 { party.connection?.pauseReading(false) }
    }

    func handled(of peer: Peer) -> UInt64? { parties[peer.fingerprint]?.receiver.handled }

    func acknowledged(through number: UInt64, by peer: Peer) {
        guard !isClosed, let party = parties[peer.fingerprint], number > party.acknowledged else { return }
        party.acknowledged = number
        publish(party, isConnected: true)
        if source.trimmed, let all = parties.values.map(\.acknowledged).min() {
            outbox.withLock { $0.trim(through: all) }
        }
        deliver(.acknowledged(party.peer, through: number))
    }

    func peerFinished(_ peer: Peer, count: UInt64, over connection: MirrorConnection) -> String? {
        guard !isClosed, let party = parties[peer.fingerprint], party.connection === connection else { return nil }
        guard party.receiver.delivered?.through == count else { return "it finished at an entry that it did not send" }
        guard !party.hasEnded else {
            // It came over an earlier connection. While the consumer is still at it, the peer has to keep what it has.
            if party.isEndHandled { connection.sayIfTaken(.finishHeard) }
            return nil
        }
        party.hasEnded = true
        delivery.hand(.ended(party.peer)) { [reactor] in
            if reactor.loop.inEventLoop {
                self.endHandled(party, connection)
            } else {
                reactor.loop.execute { self.endHandled(party, connection) }
            }
        }
        return nil
    }

    private func endHandled(_ party: Party, _ connection: MirrorConnection) {
        party.isEndHandled = true
        // The one over which the end came may have been lost meanwhile.
        let connection = party.connection ?? connection
        connection.acknowledgeNow()
        connection.say(.finishHeard)
        // The side that opened the link may have more to say.
        guard !connection.isDialed else { return }
        party.isDone = true
        settle()
    }

    func finishHeard(by peer: Peer) {
        guard !isClosed, let party = parties[peer.fingerprint], !party.isDelivered else { return }
        party.isDelivered = true
        deliver(.delivered(party.peer))
        // The side that opened the link closes it.
        if let connection = party.connection, connection.isDialed {
            party.connection = nil
            party.isDone = true
            publish(party, isConnected: false)
            if let dial = dials.values.first(where: { $0.connection === connection }) {
                dial.stop()
                dials[ObjectIdentifier(dial)] = nil
            }
            connection.end("everything was delivered")
        }
        settle()
    }

    /// What was received of a log that ended.
    func endedPosition(of fingerprint: PeerFingerprint) -> MirrorPosition? {
        parties[fingerprint].flatMap { $0.hasEnded ? $0.receiver.delivered : nil }
    }

    func isConnected(to fingerprint: PeerFingerprint) -> Bool { parties[fingerprint]?.connection != nil }

    private func party(of peer: Peer) -> Party {
        if let party = parties[peer.fingerprint] { return party }
        let party = Party(peer, LogReceiver(kept[peer.fingerprint]))
        parties[peer.fingerprint] = party
        publish(party, isConnected: false)
        return party
    }

    private func publish(_ party: Party, isConnected: Bool) {
        let state = MirrorPeerState(peer: party.peer, isConnected: isConnected, acknowledged: party.acknowledged)
        states.withLock { $0[party.peer.fingerprint] = (state, party.receiver.position) }
    }
}
