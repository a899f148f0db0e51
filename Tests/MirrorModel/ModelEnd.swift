import Foundation
import Mirroring

/// One machine's end of a channel: what `ChannelEnd` does with frames and events, without network and threads. The
/// same ``LogReceiver`` decides what was received, what is sent again and what is new.
final class ModelEnd {
    final class Party {
        let peer: Peer
        var receiver: LogReceiver
        var acknowledged: UInt64 = 0
        var link: ModelLink?
        var isDelivered = false
        var hasEnded = false
        var isEndHandled = false
        var isDone = false
        var isRefused = false

        init(_ peer: Peer, _ receiver: LogReceiver) {
            self.peer = peer
            self.receiver = receiver
        }
    }

    /// The part of a log to send, and the receiver of the other side's log.
    struct Uses {
        /// At least one entry, from a number on.
        var read: (UInt64) -> [[UInt8]]
        var greet: (PeerFingerprint) -> [UInt8]
        var hand: (MirrorEvent, _ done: @escaping () -> Void) -> Void
        /// Everything up to this entry will be acknowledged.
        var acknowledges: (UInt64) -> Void = { _ in }
        /// For a companion: its end is over, and whether everything has arrived.
        var isOver: (ModelEnd, _ hasEnded: Bool) -> Void = { _, _ in }
        let witness: ModelWitness
    }

    let channel: UUID
    let log: UUID
    private(set) var count: UInt64
    private let kept: [PeerFingerprint: MirrorPosition]
    private let uses: Uses
    /// The machine to which this end still connects.
    private(set) var wanted: Set<Int>
    private(set) var parties: [PeerFingerprint: Party] = [:]
    private(set) var isClosed = false
    /// The answer to later connections.
    private(set) var farewell = Frame.Bye.closed
    private var isFinished = false
    private var hasFailed = false
    private var waitsForDelivery: ((Bool) -> Void)?

    init(
        _ channel: UUID, log: UUID, count: UInt64, kept: [PeerFingerprint: MirrorPosition], wanted: Set<Int>,
        _ uses: Uses
    ) {
        self.channel = channel
        self.log = log
        self.count = count
        self.kept = kept
        self.wanted = wanted
        self.uses = uses
    }

    func append() { if !isFinished, !isClosed { count += 1 } }

    func finish(_ report: @escaping (Bool) -> Void) {
        isFinished = true
        if isClosed { return report(isAllDelivered) }
        waitsForDelivery = report
        settle()
    }

    var isWaitedFor: Bool { waitsForDelivery != nil }

    func giveUp() { waitsForDelivery.take()?(false) }

    var hasLinks: Bool { !wanted.isEmpty }

    /// Ends a link that another one has replaced.
    func isTaken(_ fingerprint: PeerFingerprint) -> Bool { parties[fingerprint]?.link != nil }

    func hasNewer(than link: ModelLink, of peer: Peer) -> Bool {
        parties[peer.fingerprint]?.link.map { $0.number > link.number } ?? false
    }

    // MARK: Hello

    func hello(to peer: Peer) -> Hello {
        let party = party(of: peer)
        party.link?.leave(.replaced, "replaced by a newer connection")
        return Hello(
            channel: channel, log: log, first: 1, count: count, received: party.receiver.delivered,
            greeting: uses.greet(peer.fingerprint))
    }

    func attach(_ link: ModelLink, _ peer: Peer, said: Hello, heard: Hello) {
        let party = party(of: peer)
        guard party.link == nil, said.received == party.receiver.delivered else {
            return link.lose("another was quicker")
        }
        party.link = link
        party.isDone = false
        let resume = LogReceiver.resume(heard.received, log: said.log, first: said.first, count: said.count)
        let isNew = party.receiver.began(heard)
        if isNew {
            party.hasEnded = false
            party.isEndHandled = false
        }
        link.isUp = true
        link.next = resume + 1
        hand(.connected(peer))
        if isNew { hand(.began(peer, greeting: heard.greeting, log: heard.log, first: heard.first)) }
        if party.receiver.handled > 0 { link.owesAcknowledgement = true }
    }

    func lost(_ link: ModelLink, _ reason: String) {
        guard let party = parties.values.first(where: { $0.link === link }) else { return }
        party.link = nil
        let isDone = party.isDone || (party.hasEnded && !link.isDialed)
        if !isClosed, !isDone { hand(.disconnected(party.peer, reason: reason)) }
    }

    // MARK: Frames

    /// Sends missing entries in batches, and pending answers.
    func pump(_ link: ModelLink) {
        guard link.isUp, !link.isOver, let party = parties.values.first(where: { $0.link === link }) else { return }
        if link.owesAcknowledgement {
            link.owesAcknowledgement = false
            acknowledge(party, link)
        }
        if link.next <= count {
            let entries = uses.read(link.next).prefix(Int(count - link.next + 1))
            link.say(.entries(first: link.next, Array(entries)))
            link.next += UInt64(entries.count)
        }
        if isFinished, link.next > count, !link.sentFinished {
            link.sentFinished = true
            link.say(.finished(count))
        }
    }

    private func acknowledge(_ party: Party, _ link: ModelLink) {
        uses.acknowledges(party.receiver.handled)
        link.say(.acknowledged(party.receiver.handled))
    }

    func hasMore(for link: ModelLink) -> Bool {
        link.isUp && !link.isOver && !isClosed
            && (link.owesAcknowledgement || link.next <= count || (isFinished && !link.sentFinished))
    }

    func receive(_ frame: Frame, over link: ModelLink) {
        guard !isClosed, let party = parties.values.first(where: { $0.link === link }) else { return }
        switch frame {
        case .entries(let first, let entries): receive(entries, first, party, link)
        case .acknowledged(let number):
            guard number > party.acknowledged else { return }
            party.acknowledged = number
            hand(.acknowledged(party.peer, through: number))
        case .finished(let count):
            uses.witness.check(
                party.receiver.delivered?.through == count, "an end after entry \(count), which did not come")
            if party.hasEnded { return party.isEndHandled ? link.say(.finishAcknowledged) : () }
            party.hasEnded = true
            hand(.ended(party.peer)) { self.endHandled(party, link) }
        case .finishAcknowledged: finishAcknowledged(party)
        case .bye(let bye, let text): dismissed(bye, text, party, link)
        case .hello, .alive, .ping, .pairing: break
        }
    }

    private func receive(_ entries: [[UInt8]], _ first: UInt64, _ party: Party, _ link: ModelLink) {
        guard !party.isRefused else { return }
        uses.witness.check(!party.hasEnded, "entries after the end")
        switch party.receiver.received(entries, first: first) {
        case .gap: uses.witness.check(false, "entry \(first) came instead of an earlier one")
        case .known: link.owesAcknowledgement = true
        case .new(let entries, let first):
            guard let log = party.receiver.delivered?.log else { return }
            let last = first + UInt64(entries.count) - 1
            hand(.entries(party.peer, entries, first: first)) {
                if !party.isRefused, party.receiver.handled(through: last, of: log) {
                    party.link?.owesAcknowledgement = true
                }
            }
        }
    }

    private func endHandled(_ party: Party, _ link: ModelLink) {
        party.isEndHandled = true
        let link = party.link ?? link
        acknowledge(party, link)
        link.say(.finishAcknowledged)
        guard !link.isDialed else { return }
        party.isDone = true
        settle()
    }

    private func finishAcknowledged(_ party: Party) {
        guard !party.isDelivered else { return }
        party.isDelivered = true
        hand(.delivered(party.peer))
        if let link = party.link, link.isDialed {
            party.link = nil
            party.isDone = true
            wanted.remove(link.companion)
            link.lose("everything was delivered")
        }
        settle()
    }

    /// The other side has left with a reason.
    func dismissed(_ bye: Frame.Bye, _ text: String, _ party: Party?, _ link: ModelLink) {
        defer { link.lose("the peer closed it: \(text)") }
        let closure: MirrorClosure? =
            switch bye {
            case .closed: .closedByPeer
            case .declined: link.isDialed ? .declined : .closedByPeer
            case .replaced: link.isDialed ? .replaced : nil
            case .incompatible: .incompatible(text)
            case .later: nil
            }
        guard let closure else { return }
        if link.isDialed {
            guard wanted.remove(link.companion) != nil, !isClosed else { return }
            hasFailed = true
            party?.isDone = true
            hand(.closed(party?.peer, closure))
            settle()
        } else if let party {
            closed(party, closure)
        }
    }

    private func closed(_ party: Party, _ closure: MirrorClosure) {
        guard !isClosed, !party.isDone else { return }
        party.isDone = true
        hasFailed = true
        hand(.closed(party.peer, closure))
        settle()
    }

    // MARK: The end

    func refuse(_ fingerprint: PeerFingerprint, _ reason: String) {
        guard let party = parties[fingerprint] else { return }
        let link = party.link
        party.isRefused = true
        if let link, link.isDialed { wanted.remove(link.companion) }
        closed(party, .incompatible(reason))
        link?.leave(.incompatible, reason)
    }

    func close(isReplaced: Bool = false) {
        guard !isClosed else { return }
        isClosed = true
        if isReplaced { farewell = .replaced }
        wanted = []
        uses.isOver(self, false)
        for party in parties.values { party.link?.leave(farewell, "closed") }
        waitsForDelivery.take()?(false)
    }

    private var isAllDelivered: Bool { !hasFailed && wanted.isEmpty && parties.values.allSatisfy(\.isDelivered) }

    private func settle() {
        guard !isClosed, wanted.isEmpty else { return }
        if parties.values.allSatisfy({ $0.isDelivered || $0.isDone }) { waitsForDelivery.take()?(isAllDelivered) }
        guard !isClosed, !parties.isEmpty || hasFailed, parties.values.allSatisfy(\.isDone) else { return }
        isClosed = true
        uses.isOver(self, true)
    }

    func endedPosition(of fingerprint: PeerFingerprint) -> MirrorPosition? {
        parties[fingerprint].flatMap { $0.hasEnded ? $0.receiver.delivered : nil }
    }

    private func hand(_ event: MirrorEvent, then done: @escaping () -> Void = {}) { uses.hand(event, done) }

    private func party(of peer: Peer) -> Party {
        if let party = parties[peer.fingerprint] { return party }
        let party = Party(peer, LogReceiver(kept[peer.fingerprint]))
        parties[peer.fingerprint] = party
        return party
    }
}
