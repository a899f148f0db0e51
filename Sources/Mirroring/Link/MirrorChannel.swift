public import Foundation

#if Mirroring
import NIOCore

/// One side's end of a channel: two ordered logs of opaque entries, one in each direction, that outlive connections.
///
/// A channel is named by a UUID (one a workout session). Each side appends entries to its own log and receives the
/// other side's, in order, each exactly once, whatever happens to the connections in between. The side that opens it
/// connects to one or more peers (``connect(to:expecting:accepting:through:)``); at a peer,
/// ``MirrorHost/listen(on:accept:)`` offers it to the application.
///
/// All network work is done on one thread that the process shares. Methods may be called from any thread; none blocks.
public final class MirrorChannel: Sendable {
    public var id: UUID { end.id }
    let end: ChannelEnd

    /// - Parameters:
    ///   - id: the channel's name, the same on both sides.
    ///   - source: where this side's entries are kept.
    ///   - greeting: a compact start for this peer, which gets it before the first entry that it has not. Asked for at each
    ///     connect, on the network thread; at most ``MirrorLimits/entry`` bytes.
    ///   - received: what this side already has of each peer's log, if it was kept across processes.
    ///   - delivery: where events go.
    public convenience init(
        id: UUID = UUID(), source: MirrorSource = .memory(),
        greeting: @escaping @Sendable (PeerFingerprint) -> [UInt8] = { _ in [] },
        received: [PeerFingerprint: MirrorPosition] = [:], delivery: MirrorDelivery
    ) {
        self.init(
            id: id, source: source, greeting: greeting, received: received, delivery: delivery, reactor: .shared)
    }

    /// For measurements with a network thread apart: the host must have the same one.
    package init(
        id: UUID = UUID(), source: MirrorSource = .memory(),
        greeting: @escaping @Sendable (PeerFingerprint) -> [UInt8] = { _ in [] },
        received: [PeerFingerprint: MirrorPosition] = [:], delivery: MirrorDelivery, reactor: MirrorReactor
    ) {
        end = ChannelEnd(
            id: id, source: source, greeting: greeting, received: received, delivery: delivery, reactor: reactor)
    }

    /// Adds an entry to this side's log and returns its number. Never waits for the network.
    ///
    /// Returns nil, and appends nothing, once the log was finished or the channel is over. An entry above
    /// ``MirrorLimits/entry`` bytes closes the channel with ``MirrorClosure/entryTooLarge(bytes:)``.
    @discardableResult
    public func append(_ entry: [UInt8]) -> UInt64? { end.append(entry) }

    /// Connects to a peer, and again whenever the link is lost, until everything was delivered or the channel is closed. Of
    /// several addresses that lead to one machine one is used, and the others when its link is lost; what is delivered over
    /// one, or closed by the machine there, is so for all of them.
    ///
    /// - Parameters:
    ///   - address: where the peer listens; resolved again at each attempt.
    ///   - fingerprint: which of the paired machines it must be; nil accepts any of them.
    ///   - accepting: where none is named: which machines it may be; nil accepts any that is paired.
    ///   - host: this machine.
    public func connect(
        to address: MirrorAddress, expecting fingerprint: PeerFingerprint? = nil,
        accepting: Set<PeerFingerprint>? = nil, through host: MirrorHost
    ) {
        end.connect(
            MirrorDial(address, expecting: fingerprint, accepting: accepting, host: host.core, channelEnd: end))
    }

    /// Whether this side still connects to anybody: a link that it opened is there, or is tried again. False before the first
    /// ``connect(to:expecting:accepting:through:)``, and once every peer has closed or declined the channel, or has
    /// everything of a finished log. What is appended then reaches nobody, unless this side connects again, which a channel that is over
    /// cannot: begin another one. Already false when the ``MirrorEvent/closed(_:_:)`` of the last peer comes.
    public var hasLinks: Bool { end.hasLinks }

    /// Marks this side's log as complete. Links go on until each peer has everything; then the peer gets
    /// ``MirrorEvent/ended(_:)`` and this side ``MirrorEvent/delivered(_:)``. Peers that are away are still tried. Once
    /// the side that connects has delivered everything, its link is closed: what the other side appends then goes nowhere.
    public func finish() { end.finish() }

    /// Finishes, and waits until every peer has everything, or none has taken anything for as long as `limit`: one that is
    /// slow is waited for, and one that is connected and takes nothing twenty times as long. Returns whether every peer has
    /// everything.
    public func finish(within limit: Duration) async -> Bool {
        finish()
        return await withCheckedContinuation { continuation in
            end.reactor.loop.execute { [end] in
                end.whenDelivered(within: TimeAmount(limit)) { continuation.resume(returning: $0) }
            }
        }
    }

    /// Cuts every link at once. Peers get ``MirrorClosure/closedByPeer``; no further event comes on this side.
    ///
    /// - Parameter isReplaced: another channel takes the place of this one. To peers it is as if the link had been lost.
    public func close(isReplaced: Bool = false) {
        end.reactor.loop.execute { [end] in end.close(isReplaced: isReplaced) }
    }

    /// Ends the channel to a peer whose entries this side cannot take: it gets ``MirrorClosure/incompatible(_:)`` with the
    /// reason, and so does this side. Called by the handler of such entries, it keeps them from being acknowledged.
    public func refuse(_ fingerprint: PeerFingerprint, reason: String) {
        end.reactor.loop.execute { [end] in end.refuse(fingerprint, reason) }
    }

    /// What this side has handled of each peer's log, to be handed to a later channel of the same name.
    public var received: [PeerFingerprint: MirrorPosition] { end.received }

    /// The state of each peer that this channel has met.
    public var peers: [PeerFingerprint: MirrorPeerState] { end.peers }
}
#endif

extension MirrorChannel {
    /// A channel whose events are read with `for await`. See ``MirrorEvents`` for back-pressure and end.
    public static func withEvents(
        id: UUID = UUID(), source: MirrorSource = .memory(),
        greeting: @escaping @Sendable (PeerFingerprint) -> [UInt8] = { _ in [] },
        received: [PeerFingerprint: MirrorPosition] = [:]
    ) -> (channel: MirrorChannel, events: MirrorEvents) {
        let events = MirrorEvents()
        let channel = MirrorChannel(
            id: id, source: source, greeting: greeting, received: received, delivery: events.delivery)
        return (channel, events)
    }
}
