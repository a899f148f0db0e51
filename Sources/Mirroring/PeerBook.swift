public import Foundation

/// The machines that this one trusts. Several processes may use the same book.
public final class PeerBook: Sendable {
    public let file: URL

    public init(folder: URL) { file = folder.appendingPathComponent("peers.json") }

    /// All peers, oldest first.
    public func all() throws(MirrorError) -> [Peer] { [] }

    public func peer(_ fingerprint: PeerFingerprint) throws(MirrorError) -> Peer? { nil }

    /// The peer of this name, fingerprint or beginning of a fingerprint (8 digits or more).
    public func find(_ text: String) throws(MirrorError) -> Peer { throw .unknownPeer(text) }

    /// Adds a peer, or replaces the one of the same fingerprint.
    public func add(_ peer: Peer) throws(MirrorError) {}

    public func rename(_ fingerprint: PeerFingerprint, to name: String) throws(MirrorError) {}

    /// Forgets a peer: its connections end within seconds and it gets no further ones.
    public func forget(_ fingerprint: PeerFingerprint) throws(MirrorError) {}
}
