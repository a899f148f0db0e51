public import Foundation

#if Mirroring
import NIOCore

/// One side's end of a channel: two ordered logs of opaque entries, one in each direction, that outlive connections.
///
/// The name of a channel is a UUID (one for each workout session). Each side appends entries to its own log and
/// receives the other side's, in order, each exactly once, whatever happens to the connections in between. The side
/// that opens it connects to one or more peers (``connect(to:expecting:accepting:through:)``). At a peer,
/// ``MirrorHost/listen(on:accept:)`` offers it to the application.
///
/// All network work runs on one thread that the process shares. Methods may be called from any thread. None of them
/// blocks.
public final class MirrorChannel: Sendable {
    public var id: UUID { end.id }
    let end: ChannelEnd

    /// Creates a channel.
    ///
    /// - Parameters:
    ///   - id: The channel's name, the same on both sides.
    ///   - source: The storage of this side's entries.
    ///   - greeting: Returns a compact start for this peer, which gets it before the first entry that it lacks. Called
    ///     at each connect, on the network thread. At most ``MirrorLimits/entry`` bytes.
    ///   - received: How much of each peer's log this side already has, if it was kept across processes.
    ///   - delivery: The way in which events are delivered.
    public convenience init(
        id: UUID = UUID(), source: MirrorSource = .memory(),
        greeting: @escaping @Sendable (PeerFingerprint) -> [UInt8] = { _ in [] },
        received: [PeerFingerprint: MirrorPosition] = [:], delivery: MirrorDelivery
    ) {
        self.init(
            id: id, source: source, greeting: greeting, received: received, delivery: delivery, reactor: .shared)
    }

    /// Creates a channel on its own network thread, for measurements. The host must have the same thread.
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

    /// Connects to a peer, and again whenever the link is lost, until everything was delivered or the channel is
    /// closed. If several addresses lead to one machine, one is used, and the others take over when its link is lost. A
    /// delivery or a closing by the machine over one of them applies to all.
    ///
    /// - Parameters:
    ///   - address: The address where the peer listens. It is resolved again at each attempt.
    ///   - fingerprint: The paired machine that it must be. Nil accepts any of them.
    ///   - accepting: If no fingerprint is given: the machines that it may be. Nil accepts any paired one.
    ///   - host: This machine.
    public func connect(
        to address: MirrorAddress, expecting fingerprint: PeerFingerprint? = nil,
        accepting: Set<PeerFingerprint>? = nil, through host: MirrorHost
    ) {
        end.connect(
            MirrorDial(address, expecting: fingerprint, accepting: accepting, host: host.core, channelEnd: end))
    }

    /// Whether this side still has or seeks a connection: a link that it opened is up, or is tried again.
    ///
    /// False before the first ``connect(to:expecting:accepting:through:)``, and once every peer has closed or declined
    /// the channel, or has everything of a finished log. Entries appended then reach nobody unless this side connects
    /// again. A channel that is over cannot connect again: begin another one. The property is already false when the
    /// ``MirrorEvent/closed(_:_:)`` of the last peer comes.
    public var hasLinks: Bool { end.hasLinks }

    /// Marks this side's log as complete. Links stay up until each peer has everything. Then the peer gets
    /// ``MirrorEvent/ended(_:)`` and this side ``MirrorEvent/delivered(_:)``. Peers that are away are still tried. Once
    /// the connecting side has delivered everything, it closes its link, and entries that the other side appends
    /// afterwards are lost.
    public func finish() { end.finish() }

    /// Finishes, and waits until every peer has everything, or no peer has accepted anything for `limit`. A slow peer
    /// extends the wait. A connected peer that accepts nothing gets twenty times the limit. Returns whether every peer
    /// has everything.
    public func finish(within limit: Duration) async -> Bool {
        finish()
        return await withCheckedContinuation { continuation in
            end.reactor.loop.execute { [end] in
                end.whenDelivered(within: TimeAmount(limit)) { continuation.resume(returning: $0) }
            }
        }
    }

    /// Closes every link at once. Peers get ``MirrorClosure/closedByPeer``. No further event comes on this side.
    ///
    /// - Parameter isReplaced: Whether another channel replaces this one. Peers then behave as if the link had been
    ///   lost.
    public func close(isReplaced: Bool = false) {
        end.reactor.loop.execute { [end] in end.close(isReplaced: isReplaced) }
    }

    /// Ends the channel to a peer whose entries this side cannot read. Both sides get
    /// ``MirrorClosure/incompatible(_:)`` with the reason. If the handler of such entries calls it, they are not
    /// acknowledged.
    public func refuse(_ fingerprint: PeerFingerprint, reason: String) {
        end.reactor.loop.execute { [end] in end.refuse(fingerprint, reason) }
    }

    /// How much of each peer's log this side has handled, to be passed to a later channel of the same name.
    public var received: [PeerFingerprint: MirrorPosition] { end.received }

    /// The state of each peer that this channel has been connected to.
    public var peers: [PeerFingerprint: MirrorPeerState] { end.peers }
}
#endif

extension MirrorChannel {
    /// Creates a channel whose events are read with `for await`. See ``MirrorEvents`` for back-pressure and end.
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
