public import Foundation
import NIOCore

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
    ///   - network: where listeners are announced, and peers are looked for that are not where they were; nil for nowhere.
    ///   - report: called with one line whenever a connection was refused or a link failed. On any thread.
    public convenience init(
        folder: URL, name: String, network: LocalNetwork? = nil,
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(MirrorError) {
        try self.init(folder: folder, name: name, network: network, reactor: .shared, report: report)
    }

    /// For measurements and tests with a network thread apart.
    package init(
        folder: URL, name: String, network: LocalNetwork? = nil, reactor: MirrorReactor,
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(MirrorError) {
        identity = try PeerIdentity(folder: folder)
        peers = PeerBook(folder: folder)
        self.name = name
        let tls: PeerTLS
        do { tls = try PeerTLS(identity) } catch {
            throw .identity(path: folder.path, reason: "\(error)")
        }
        core = HostCore(reactor: reactor, tls: tls, book: peers, network: network, report: report)
    }

    /// Listens for paired machines.
    ///
    /// - Parameters:
    ///   - address: port 0 chooses a free one (``MirrorListener/address``).
    ///   - accept: asked for each channel that this process has not seen. Called on the network thread; must not block.
    public func listen(
        on address: MirrorAddress, accept: @escaping @Sendable (MirrorOffer) -> MirrorAnswer
    ) async throws(MirrorError) -> MirrorListener {
        try await MirrorListener.open(address, core, accept) { announce($0, waitsForPairing: false) }
    }

    /// Announces a listener in the local network until the task is cancelled; nil where there is nothing to announce.
    func announce(_ listener: SocketAddress?, waitsForPairing: Bool) -> Task<Void, Never>? {
        guard let network = core.network, let listener,
            let announcement = Announcement(
                name: name, of: identity.fingerprint, on: listener, waitsForPairing: waitsForPairing)
        else { return nil }
        return Task { [report = core.report] in await network.announce(announcement, report: report) }
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
