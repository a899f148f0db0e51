public import Foundation

/// This machine, as others see it: its identity, the peers that it trusts, and the door to both.
public final class MirrorHost: Sendable {
    public let identity: PeerIdentity
    public let peers: PeerBook
    /// What this machine calls itself at pairing.
    public let name: String
    let core: HostCore

    /// - Parameters:
    ///   - folder: where the key, the certificate and the peers lie; made if it does not exist, readable by the user only.
    ///   - name: what this machine calls itself at pairing, such as its host name.
    ///   - report: called with one line whenever a connection was refused or a link failed. On any thread.
    public convenience init(
        folder: URL, name: String, report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(MirrorError) {
        try self.init(folder: folder, name: name, reactor: .shared, report: report)
    }

    /// For measurements and tests with a network thread apart.
    package init(
        folder: URL, name: String, reactor: MirrorReactor, report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(MirrorError) {
        identity = try PeerIdentity(folder: folder)
        peers = PeerBook(folder: folder)
        self.name = name
        let tls: PeerTLS
        do { tls = try PeerTLS(identity) } catch {
            throw .identity(path: folder.path, reason: "\(error)")
        }
        core = HostCore(reactor: reactor, tls: tls, book: peers, report: report)
    }

    /// Listens for paired machines.
    ///
    /// - Parameters:
    ///   - address: port 0 chooses a free one (``MirrorListener/address``).
    ///   - accept: asked for each channel that this process has not seen. Called on the network thread; must not block.
    public func listen(
        on address: MirrorAddress, accept: @escaping @Sendable (MirrorOffer) -> MirrorAnswer
    ) async throws(MirrorError) -> MirrorListener {
        try await MirrorListener.open(address, core, accept)
    }
}

/// A channel that a peer opened and that this process has not seen yet.
public struct MirrorOffer: Sendable, Hashable {
    public let peer: Peer
    /// The name of the channel; the ``MirrorChannel`` that answers must have the same.
    public let channel: UUID
    /// The compact start.
    public let greeting: [UInt8]
    /// The peer's log, and how many entries it has now.
    public let log: MirrorPosition
}

/// What an application says to an offer.
public enum MirrorAnswer: Sendable {
    /// Opens the channel; its events begin.
    case accept(MirrorChannel)
    /// Not wanted: the peer gets ``MirrorClosure/declined`` and does not ask again.
    case decline
    /// Not ready: the peer asks again later.
    case later
}

/// What a person compares at pairing.
public struct PairingCode: Sendable, Hashable {
    /// Six digits, the same on both machines unless somebody stands between them.
    public let code: String
    /// What the other machine calls itself. Not verified by anything yet.
    public let peerName: String
    public let fingerprint: PeerFingerprint
}
