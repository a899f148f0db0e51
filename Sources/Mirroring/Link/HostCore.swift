#if Mirroring
import Foundation
import NIOCore
import NIOSSL
import Synchronization

/// The shared part of a ``MirrorHost``'s listeners and links: trusted peers, and incoming channels.
///
/// @unchecked Sendable: mutable properties are only used on the reactor's loop.
final class HostCore: @unchecked Sendable {
    /// How many ended channels are remembered. A peer that missed the end then learns of it, instead of opening the
    /// channel again.
    static let remembered = 1_024

    let reactor: MirrorReactor
    let tls: PeerTLS
    let book: PeerBook
    /// The network in which to announce listeners and search for peers with new addresses. Nil for none.
    let network: LocalNetwork?
    /// The way to machines that are not reached by TCP. Nil for none.
    let carrier: (any MirrorCarrier)?
    let report: @Sendable (String) -> Void

    private struct Key: Hashable {
        var peer: PeerFingerprint
        var channel: UUID
    }

    private enum Memory {
        case ended(MirrorPosition)
        /// The channel was closed here while the peer was away. Contains the name of this side's log.
        case closed(UUID)
    }

    private var ends: [Key: ChannelEnd] = [:]
    /// The number of incoming connections.
    private var arrivals = 0

    func nextArrival() -> Int {
        arrivals += 1
        return arrivals
    }

    private var memories: [Key: Memory] = [:]
    private var memoryOrder: [Key] = []

    init(
        reactor: MirrorReactor, tls: PeerTLS, book: PeerBook, network: LocalNetwork?,
        carrier: (any MirrorCarrier)? = nil, report: @escaping @Sendable (String) -> Void
    ) {
        self.reactor = reactor
        self.tls = tls
        self.book = book
        self.network = network
        self.carrier = carrier
        self.report = report
    }

    /// Returns the peer, or nil if the machine is not paired or the peer book can't be read.
    func peer(_ fingerprint: PeerFingerprint) -> Peer? {
        do { return try book.peer(fingerprint) } catch {
            report("mirroring: \(error)")
            return nil
        }
    }

    /// Returns the last peer that listened there.
    func peer(at address: MirrorAddress) -> Peer? { try? book.peer(at: address) }

    /// Returns whether a connected peer is still paired. The book is read about once a second for all connections.
    func stillTrusts(_ fingerprint: PeerFingerprint) -> Bool {
        let now = reactor.now
        if trusted.map({ now - $0.since >= .seconds(1) }) ?? true {
            do {
                trusted = (now, Set(try book.all().map(\.fingerprint)))
                isBookUnreadable = false
            } catch {
                // If the book can't be read (no file descriptor left), no peer counts as unpaired.
                if !isBookUnreadable { report("mirroring: \(error)") }
                isBookUnreadable = true
                trusted = (now, trusted?.fingerprints)
            }
        }
        return trusted?.fingerprints?.contains(fingerprint) ?? true
    }

    /// Whether an unreadable book was reported, so that it is reported once.
    private var isBookUnreadable = false
    private var trusted: (since: ContinuousClock.Instant, fingerprints: Set<PeerFingerprint>?)?

    /// Stores the address of a peer. Does not run on the loop, because it waits for the disk.
    func note(_ address: MirrorAddress, of peer: Peer) {
        guard peer.address != address else { return }
        Self.notes.async { [book, report] in
            do { try book.note(address, of: peer.fingerprint) } catch { report("mirroring: \(error)") }
        }
    }

    private static let notes = DispatchQueue(label: "mirroring.notes")

    /// Searches for a peer's addresses in the local network. `found` is called on the loop, with an empty array if there are none.
    func browse(for fingerprint: PeerFingerprint, _ found: @escaping @Sendable ([MirrorAddress]) -> Void) {
        guard let network else { return }
        Task { [reactor] in
            let isIt: @Sendable (NearbyMachine) -> Bool = { $0.claims(fingerprint) && !$0.waitsForPairing }
            let machines = (try? await network.machines(until: isIt)) ?? []
            let addresses = machines.filter(isIt).flatMap(\.addresses)
            reactor.loop.execute { found(addresses) }
        }
    }

    /// The next step for an incoming connection.
    enum Reception {
        case attach(ChannelEnd)
        case dismiss(Frame.Bye, String)
    }

    /// Finds the channel of a peer's hello on an incoming connection.
    func receive(
        _ hello: Hello, from peer: Peer, arrival: Int, _ accept: (MirrorOffer) -> Reception
    ) -> Reception {
        let key = Key(peer: peer.fingerprint, channel: hello.channel)
        if let known = ends[key] { return .attach(known) }
        let position = MirrorPosition(log: hello.log, through: hello.count)
        switch memories[key] {
        // Only a peer that knew the closed channel learns of it. A restarted process with the same name opens a new
        // one.
        case .closed(let log) where hello.received?.log == log:
            memories[key] = nil
            return .dismiss(.closed, "the channel was closed")
        case .ended(position):
            // It missed that this side has everything. An end without a consumer informs it.
            return .attach(
                ChannelEnd(
                    id: hello.channel, source: .memory(), greeting: { _ in [] }, received: [peer.fingerprint: position],
                    delivery: .direct { _ in }, reactor: reactor))
        case .closed, .ended, nil: break
        }
        guard ends.count(where: { $0.key.peer == peer.fingerprint }) < MirrorLimits.channels else {
            return .dismiss(.later, "too many channels")
        }
        switch accept(
            MirrorOffer(
                peer: peer, channel: hello.channel, greeting: hello.greeting, log: position, arrival: arrival))
        {
        case .attach(let channelEnd):
            guard channelEnd.id == hello.channel else {
                report("mirroring: channel \(hello.channel) was accepted under the name \(channelEnd.id); declined")
                return .dismiss(.declined, "declined")
            }
            memories[key] = nil
            ends[key] = channelEnd
            channelEnd.whenOver = { [weak self] channelEnd, hasEnded in self?.over(key, channelEnd, hasEnded) }
            return .attach(channelEnd)
        case .dismiss(let bye, let text): return .dismiss(bye, text)
        }
    }

    private func over(_ key: Key, _ channelEnd: ChannelEnd, _ hasEnded: Bool) {
        ends[key] = nil
        if hasEnded, let position = channelEnd.endedPosition(of: key.peer) {
            memories[key] = .ended(position)
        } else if !hasEnded, !channelEnd.isConnected(to: key.peer) {
            memories[key] = .closed(channelEnd.log)
        } else {
            return
        }
        memoryOrder.append(key)
        if memoryOrder.count > Self.remembered { memories[memoryOrder.removeFirst()] = nil }
    }
}
#endif
