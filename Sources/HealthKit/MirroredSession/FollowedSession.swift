import Mirroring
import Recordings

/// A session that runs on another machine, as ``Companions`` keep it.
protocol FollowedSession: AnyObject, Sendable {
    var id: UUID { get }
    /// The machine on which it runs, and what that is called.
    var origin: PeerFingerprint { get }
    var peerName: String { get }
    /// Whether that machine is connected at present.
    var isConnected: Bool { get }
    /// Since when it is away; nil while it is there.
    var lostSince: Date? { get }
    var isOver: Bool { get }
    /// By its place among the log's data, what each piece was that came here.
    var taken: [Int] { get }
    /// What this machine's clock reads.
    var wall: Date { get }
    /// The channel that answers an offer, where one of before is closed; nil for an offer that comes too late.
    func channel(for offer: MirrorOffer) -> MirrorChannel?
    /// The primary is not waited for any longer.
    func expire()
}

/// Who takes in the sessions that other machines mirror to this process: a store, for the app that set its start handler.
protocol MirrorReceiver: AnyObject, Sendable {
    /// Follows a session of another machine from here on.
    ///
    /// - Parameters:
    ///   - fingerprint: this machine, as the primary calls it.
    ///   - taken: ``FollowedSession/taken`` of the time when this process followed the session before.
    func follow(
        _ greeting: MirrorGreeting, _ header: SessionHeader, from peer: Peer, fingerprint: PeerFingerprint, taken: [Int]
    ) -> any FollowedSession
    /// The app gets a session that is followed, or gets it again.
    func start(_ session: any SessionObserver)
}
