public import Foundation

/// One side's end of a channel: two ordered logs of opaque entries, one in each direction, that outlive connections.
///
/// A channel is named by a UUID (one a workout session). Each side appends entries to its own log and receives the
/// other side's, in order, each exactly once, whatever happens to the connections in between. The side that opens it
/// connects to one or more peers (``connect(to:expecting:through:)``); at a peer, ``MirrorHost/listen(on:accept:)``
/// offers it to the application.
///
/// All network work is done on one thread that the process shares. Methods may be called from any thread; none blocks.
public final class MirrorChannel: Sendable {
    public let id: UUID

    /// - Parameters:
    ///   - id: the channel's name, the same on both sides.
    ///   - source: where this side's entries are kept.
    ///   - greeting: asked for whenever a peer joins that has nothing of this log yet: a compact start, which the peer
    ///     gets before the first entry. At most ``MirrorLimits/entry`` bytes. Called on the network thread.
    ///   - received: what this side already has of each peer's log, if it was kept across processes.
    ///   - delivery: where events go.
    public init(
        id: UUID = UUID(), source: MirrorSource = .memory(),
        greeting: @escaping @Sendable () -> [UInt8] = { [] },
        received: [PeerFingerprint: MirrorPosition] = [:], delivery: MirrorDelivery
    ) {
        self.id = id
    }

    /// A channel whose events are read with `for await`. See ``MirrorEvents`` for back-pressure and end.
    public static func withEvents(
        id: UUID = UUID(), source: MirrorSource = .memory(),
        greeting: @escaping @Sendable () -> [UInt8] = { [] },
        received: [PeerFingerprint: MirrorPosition] = [:]
    ) -> (channel: MirrorChannel, events: MirrorEvents) {
        (
            MirrorChannel(id: id, source: source, greeting: greeting, received: received, delivery: .direct { _ in }),
            MirrorEvents()
        )
    }

    /// Adds an entry to this side's log and returns its number. Never waits for the network.
    ///
    /// Entries above ``MirrorLimits/entry`` bytes, and entries after ``finish()`` or ``close()``, are a programmer's error.
    @discardableResult
    public func append(_ entry: [UInt8]) -> UInt64 { 0 }

    /// Connects to a peer, and again whenever the link is lost, until the channel is finished or closed.
    ///
    /// - Parameters:
    ///   - address: where the peer listens; resolved again at each attempt.
    ///   - fingerprint: which of the paired machines it must be; nil accepts any of them.
    ///   - host: this machine.
    public func connect(
        to address: MirrorAddress, expecting fingerprint: PeerFingerprint? = nil, through host: MirrorHost
    ) {}

    /// Marks this side's log as complete. Links go on until each connected peer has everything; then the peer gets
    /// ``MirrorEvent/ended(_:)`` and this side ``MirrorEvent/delivered(_:)``. Peers that are away are still tried.
    public func finish() {}

    /// Finishes, and waits until every peer has everything, but no longer than `limit`. Returns whether every peer has.
    public func finish(within limit: Duration) async -> Bool { false }

    /// Cuts every link at once. Peers get ``MirrorClosure/closedByPeer``; no further event comes on this side.
    public func close() {}

    /// What this side has of each peer's log, to be handed to a later channel of the same name.
    public var received: [PeerFingerprint: MirrorPosition] { [:] }

    /// The state of each peer that this channel has met.
    public var peers: [PeerFingerprint: MirrorPeerState] { [:] }
}

/// How much of a log was received.
public struct MirrorPosition: Sendable, Hashable {
    /// Which log (``MirrorSource/log``).
    public var log: UUID
    /// The number of the last entry that was handled; 0 is none.
    public var through: UInt64

    public init(log: UUID, through: UInt64) {
        self.log = log
        self.through = through
    }
}

/// Where one peer of a channel stands.
public struct MirrorPeerState: Sendable, Hashable {
    public var peer: Peer
    public var isConnected: Bool
    /// The number of the last entry of this side's log that the peer has handled.
    public var acknowledged: UInt64
}
