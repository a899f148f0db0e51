import Engine
import Mirroring
import SessionLog

/// A session that runs on another machine, as ``Companions`` sees it.
protocol FollowedSession: AnyObject, Sendable {
    var id: UUID { get }
    /// The fingerprint of the machine on which it runs, and its name.
    var origin: PeerFingerprint { get }
    var peerName: String { get }
    /// Whether that machine is connected.
    var isConnected: Bool { get }
    /// When the connection was lost. Nil while connected.
    var lostSince: Date? { get }
    var isOver: Bool { get }
    /// The hashes of received data, by position among the log's data.
    var taken: [Int] { get }
    /// The date of this machine's clock.
    var wall: Date { get }
    /// Returns the channel that answers an offer, and replaces an earlier one. Returns nil for a delayed offer.
    func channel(for offer: MirrorOffer) -> MirrorChannel?
    /// Stops waiting for the primary.
    func expire()
}

/// Receives the sessions that other machines mirror to this process: a store, for the app that set its start handler.
protocol MirrorReceiver: AnyObject, Sendable {
    /// Starts following a session of another machine.
    ///
    /// - Parameters:
    ///   - fingerprint: This machine's fingerprint, as the primary knows it.
    ///   - taken: The value of ``FollowedSession/taken`` when this process followed the session earlier.
    func follow(
        _ greeting: MirrorGreeting, _ header: SessionHeader, from peer: Peer, fingerprint: PeerFingerprint, taken: [Int]
    ) -> any FollowedSession
    /// Gives the app a followed session, or gives it again.
    func start(_ session: any SessionObserver)
}
