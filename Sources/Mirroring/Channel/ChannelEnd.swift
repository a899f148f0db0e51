#if Mirroring
import Foundation
import NIOCore
import Synchronization

/// The implementation of ``MirrorChannel``: its own log goes out, the peers' logs come in.
///
/// @unchecked Sendable: the outbox and properties that other threads read are behind mutexes; everything else is only used on the
/// reactor's loop.
final class ChannelEnd: @unchecked Sendable {
    /// The approximate number of bytes read from the log for one frame.
    static let batchBytes = 1 << 16

    let id: UUID
    let reactor: MirrorReactor
    private let source: MirrorSource
    private let greeting: @Sendable (PeerFingerprint) -> [UInt8]
    private let delivery: MirrorDelivery
    private let outbox: Mutex<Outbox>
    private let states = Mutex<[PeerFingerprint: (state: MirrorPeerState, received: MirrorPosition?)]>([:])

    private var parties: [PeerFingerprint: ChannelParty] = [:]
    private let kept: [PeerFingerprint: MirrorPosition]
    private let dials = ChannelDials()
    private var isClosed = false
    /// The reason sent to peers that are still connecting.
    private(set) var farewell = (bye: Frame.Bye.closed, text: "the channel was closed")
    private let waits = DeliveryWaits()
    /// Called when this end is closed or has received everything, so that its name can be forgotten.
    var whenOver: ((ChannelEnd, _ hasEnded: Bool) -> Void)?

    init(
        id: UUID, source: MirrorSource, greeting: @escaping @Sendable (PeerFingerprint) -> [UInt8],
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

    func connect(_ dial: any ChannelDial) {
        dials.expect()
        reactor.loop.execute { self.add(dial) }
    }

    var hasLinks: Bool { dials.hasAny }

    var received: [PeerFingerprint: MirrorPosition] { states.withLock { $0.compactMapValues(\.received) } }

    var peers: [PeerFingerprint: MirrorPeerState] { states.withLock { $0.mapValues(\.state) } }

    // MARK: The own log

    var count: UInt64 { outbox.withLock(\.count) }

    /// The number of entries, once the log is finished.
    var finishedCount: UInt64? { outbox.withLock { $0.isFinished ? $0.count : nil } }

    /// Returns some entries starting at this number.
    func entries(from number: UInt64) throws -> [[UInt8]] {
        guard let read = source.read else {
            let entries = outbox.withLock { $0.entries(from: number, bytes: Self.batchBytes) }
            guard let resend = source.resend else { return entries }
            return entries.enumerated().map { resend(number + UInt64($0.offset), $0.element) }
        }
        return try MirrorSource.fitting(read(number, Self.batchBytes), from: number, of: count)
    }

    /// Sends newly appended entries to peers that have all earlier ones.
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

    private func add(_ dial: any ChannelDial) {
        dials.take(isClosed ? nil : dial)
        if !isClosed { dial.start() }
    }

    func turn(of dial: any ChannelDial, with peer: Peer) -> DialAction {
        let party = parties[peer.fingerprint]
        if party?.isDelivered == true { return .leave }
        return party?.connection != nil || dials.isTaken(peer.fingerprint, besides: dial) ? .wait : .sendHello
    }

    /// Called if a dial has lost its link to this machine.
    func released(_ peer: Peer) { dials.released(peer.fingerprint) }

    func hasRoom(for hello: Hello, of peer: Peer) -> Bool { parties[peer.fingerprint]?.hasRoom(for: hello) ?? true }

    /// Returns whether this peer has a later connection.
    func hasNewer(than connection: any ChannelLink, of peer: Peer) -> Bool {
        parties[peer.fingerprint]?.connection.map { $0.number > connection.number } ?? false
    }

    /// Returns this side's hello. It replaces an existing link to the same machine.
    func hello(to peer: Peer) -> Hello {
        let party = party(of: peer)
        party.connection?.leave(.replaced, "replaced by a newer connection")
        var greeting = greeting(peer.fingerprint)
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

    /// Begins to send entries, after both sides have sent hello on this connection.
    func attach(_ connection: any ChannelLink, _ peer: Peer, sent: Hello, received: Hello) {
        // If it was lost during the hello, nothing would ever remove it, and no other link could replace it.
        guard !connection.isOver else { return }
        let party = party(of: peer)
        guard party.connection == nil, sent.received == party.receiver.delivered else {
            return connection.end("another connection was faster")
        }
        party.peer = peer
        party.connection = connection
        party.isDone = false
        let resume = LogReceiver.resume(received.received, log: sent.log, first: sent.first, count: sent.count)
        let isNew = party.receiver.began(received)
        if isNew {
            party.hasEnded = false
            party.isEndHandled = false
        }
        publish(party, isConnected: true)
        connection.established(peer, self, resume: resume)
        deliver(.connected(peer), party, costing: 512)
        if isNew {
            let began = MirrorEvent.began(peer, greeting: received.greeting, log: received.log, first: received.first)
            deliver(began, party, costing: 128 + received.greeting.count)
        }
        connection.pauseReading(party.waitingBytes > MirrorLimits.window)
        if party.receiver.handled > 0 { connection.acknowledgeSoon() }
        connection.pump()
    }

    /// Handles the end of this peer's connection.
    func detach(_ connection: any ChannelLink, _ peer: Peer, reason: String) {
        guard let party = parties[peer.fingerprint], party.connection === connection else { return }
        party.connection = nil
        publish(party, isConnected: false)
        if !connection.isDialed { released(peer) }
        // If the end was delivered but is not handled yet, it is the last event of a peer that connected to us.
        let isDone = party.isDone || (party.hasEnded && !connection.isDialed)
        if !isClosed, !isDone { deliver(.disconnected(party.peer, reason: reason)) }
    }

    /// Stops this dial and others to the same machine for good: the answer to one applies to all.
    func dialStopped(_ dial: any ChannelDial, _ peer: Peer?, _ closure: MirrorClosure?) {
        guard dials.remove(dial), !isClosed else { return }
        if let closure {
            hasFailed = true
            if let peer {
                dials.stop(for: peer.fingerprint)
                parties[peer.fingerprint]?.isDone = true
            }
            deliver(.closed(peer, closure))
        }
        settle()
    }

    private var hasFailed = false

    /// Ends the exchange with this peer, although neither log was finished.
    func closed(_ peer: Peer, _ closure: MirrorClosure) {
        guard !isClosed, let party = parties[peer.fingerprint], !party.isDone else { return }
        party.isDone = true
        hasFailed = true
        deliver(.closed(peer, closure))
        settle()
    }

    func deliver(_ event: MirrorEvent) { delivery.hand(event, nil) }

    /// Ends the exchange with a peer whose entries this side can't read. The peer gets the reason, and waiting entries
    /// are never acknowledged.
    func refuse(_ fingerprint: PeerFingerprint, _ reason: String) {
        guard let party = parties[fingerprint] else { return }
        let connection = party.connection
        party.isRefused = true
        dials.stop(for: fingerprint)
        closed(party.peer, .incompatible(reason))
        connection?.leave(.incompatible, reason)
    }

    /// Delivers events that a peer can cause any number of times.
    private func deliver(_ event: MirrorEvent, _ party: ChannelParty, costing bytes: Int) {
        party.waitingBytes += bytes
        deliver(event) { self.consumed(bytes, party) }
    }

    /// Delivers an event. `handled` is called on the loop once the consumer has handled it.
    private func deliver(_ event: MirrorEvent, then handled: @escaping @Sendable () -> Void) {
        delivery.hand(event) { [reactor] in
            if reactor.loop.inEventLoop { handled() } else { reactor.loop.execute(handled) }
        }
    }

    /// - Parameter isReplaced: Another channel replaces this one, so peers should wait for it.
    func close(with closure: MirrorClosure? = nil, isReplaced: Bool = false) {
        reactor.loop.preconditionInEventLoop()
        guard !isClosed else { return }
        if let closure { deliver(.closed(nil, closure)) }
        isClosed = true
        outbox.withLock { $0.isClosed = true }
        dials.stopAll()
        // Connected peers learn of it now. For the others, the host remembers that they have to.
        over(hasEnded: false)
        if isReplaced { farewell = (.replaced, "another channel replaces it") }
        for party in parties.values { party.connection?.leave(farewell.bye, farewell.text) }
        waits.notify(false)
    }

    private func over(hasEnded: Bool) {
        delivery.finish()
        whenOver?(self, hasEnded)
        whenOver = nil
    }

    /// Calls `report` with true once every peer has the complete finished log. Calls it with false if no peer accepted anything for `limit`
    /// (much longer for a connected peer), or if the channel is over.
    func whenDelivered(within limit: TimeAmount, _ report: @escaping @Sendable (Bool) -> Void) {
        guard !isClosed else { return report(isAllDelivered) }
        waits.add(within: limit, on: reactor.loop, while: { [weak self] in self?.isAnybodyTaking ?? false }, report)
        settle()
    }

    private var isAnybodyTaking: Bool { parties.values.contains { $0.connection != nil && !$0.isDelivered } }

    private var isAllDelivered: Bool { !hasFailed && dials.isEmpty && parties.values.allSatisfy(\.isDelivered) }

    /// Closes this end if everything is over.
    private func settle() {
        guard !isClosed, dials.isEmpty else { return }
        if parties.values.allSatisfy({ $0.isDelivered || $0.isDone }) {
            waits.notify(isAllDelivered)
        }
        guard !parties.isEmpty || hasFailed, parties.values.allSatisfy(\.isDone) else { return }
        isClosed = true
        outbox.withLock { $0.isClosed = true }
        over(hasEnded: true)
    }

    // MARK: The peers' logs, on the loop

    /// Receives entries. Returns what is wrong with the sender, or nil.
    func receive(_ entries: [[UInt8]], first: UInt64, from peer: Peer, over connection: any ChannelLink) -> String? {
        guard !isClosed, let party = parties[peer.fingerprint], party.connection === connection else { return nil }
        guard !party.isRefused else { return nil }
        guard !party.hasEnded else { return "entries after the end of the log" }
        switch party.receiver.received(entries, first: first) {
        case .gap: return "entry \(first) came instead of an earlier one"
        case .known: connection.acknowledgeSoon()
        case .new(let entries, let first):
            guard let log = party.receiver.delivered?.log else { return nil }
            let bytes = entries.reduce(0) { $0 + 32 + $1.count }
            let last = first + UInt64(entries.count) - 1
            party.waitingBytes += bytes
            deliver(.entries(party.peer, entries, first: first)) {
                self.handled(party, log, through: last, bytes)
            }
            if party.waitingBytes > MirrorLimits.window { connection.pauseReading(true) }
        }
        return nil
    }

    private func handled(_ party: ChannelParty, _ log: UUID, through last: UInt64, _ bytes: Int) {
        if !party.isRefused, party.receiver.handled(through: last, of: log) {
            publish(party, isConnected: party.connection != nil)
            party.connection?.acknowledgeSoon()
        }
        // Waiting entries may belong to a log that was discarded meanwhile.
        consumed(bytes, party)
    }

    private func consumed(_ bytes: Int, _ party: ChannelParty) {
        party.waitingBytes -= bytes
        if party.waitingBytes <= MirrorLimits.window / 2 { party.connection?.pauseReading(false) }
    }

    func handled(of peer: Peer) -> UInt64? { parties[peer.fingerprint]?.receiver.handled }

    func acknowledged(through number: UInt64, by peer: Peer) {
        guard !isClosed, let party = parties[peer.fingerprint], number > party.acknowledged else { return }
        party.acknowledged = number
        waits.prolong()
        publish(party, isConnected: true)
        if source.trimmed, let all = parties.values.map(\.acknowledged).min() {
            outbox.withLock { $0.trim(through: all) }
        }
        deliver(.acknowledged(party.peer, through: number))
    }

    func peerFinished(_ peer: Peer, count: UInt64, over connection: any ChannelLink) -> String? {
        guard !isClosed, let party = parties[peer.fingerprint], party.connection === connection else { return nil }
        guard party.receiver.delivered?.through == count else { return "it finished at an entry that it did not send" }
        guard !party.hasEnded else {
            // It came over an earlier connection. Until the consumer has handled it, the peer has to keep its entries.
            if party.isEndHandled { connection.sendIfWritable(.finishAcknowledged) }
            return nil
        }
        party.hasEnded = true
        deliver(.ended(party.peer)) { self.endHandled(party, connection) }
        return nil
    }

    private func endHandled(_ party: ChannelParty, _ connection: any ChannelLink) {
        party.isEndHandled = true
        // The connection that delivered the end may have been lost meanwhile.
        let connection = party.connection ?? connection
        connection.acknowledgeNow()
        connection.send(.finishAcknowledged)
        // The side that opened the link may still have entries to send.
        guard !connection.isDialed else { return }
        party.isDone = true
        settle()
    }

    func finishAcknowledged(by peer: Peer) {
        guard !isClosed, let party = parties[peer.fingerprint], !party.isDelivered else { return }
        party.isDelivered = true
        deliver(.delivered(party.peer))
        // The side that opened the link closes it.
        if let connection = party.connection, connection.isDialed {
            party.connection = nil
            party.isDone = true
            publish(party, isConnected: false)
            // Stop dialling other addresses of this machine too: it has everything.
            dials.stop(for: peer.fingerprint)
            connection.end("everything was delivered")
        }
        settle()
    }

    /// The name of this side's log.
    var log: UUID { source.log }

    /// Returns the received position of a log that ended.
    func endedPosition(of fingerprint: PeerFingerprint) -> MirrorPosition? {
        parties[fingerprint].flatMap { $0.hasEnded ? $0.receiver.delivered : nil }
    }

    func isConnected(to fingerprint: PeerFingerprint) -> Bool { parties[fingerprint]?.connection != nil }

    private func party(of peer: Peer) -> ChannelParty {
        if let party = parties[peer.fingerprint] { return party }
        let party = ChannelParty(peer, LogReceiver(kept[peer.fingerprint]))
        parties[peer.fingerprint] = party
        publish(party, isConnected: false)
        return party
    }

    private func publish(_ party: ChannelParty, isConnected: Bool) {
        let state = MirrorPeerState(peer: party.peer, isConnected: isConnected, acknowledged: party.acknowledged)
        states.withLock { $0[party.peer.fingerprint] = (state, party.receiver.position) }
    }
}
#endif
