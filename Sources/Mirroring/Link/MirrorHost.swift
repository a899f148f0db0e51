#if Mirroring
public import Foundation
import NIOCore

/// This machine for mirroring: its identity, the peers that it trusts, and listening for them.
public final class MirrorHost: Sendable {
    public let identity: PeerIdentity
    public let peers: PeerBook
    /// What this machine calls itself at pairing.
    public let name: String
    let core: HostCore

    /// - Parameters:
    ///   - folder: the folder of the key, the certificate and the peers; created if necessary, readable only by the user.
    ///   - name: what this machine calls itself at pairing, such as its host name.
    ///   - network: the network in which to announce listeners and search for peers with new addresses; nil for none.
    ///   - report: called with one line whenever a connection was refused or a link failed. On any thread.
    public convenience init(
        folder: URL, name: String, network: LocalNetwork? = nil,
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(MirrorError) {
        try self.init(folder: folder, name: name, network: network, reactor: .shared, report: report)
    }

    /// For measurements and tests with a network thread of their own.
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
    ///   - accept: called for each new channel, on the network thread; must not block.
    public func listen(
        on address: MirrorAddress, accept: @escaping @Sendable (MirrorOffer) -> MirrorAnswer
    ) async throws(MirrorError) -> MirrorListener {
        try await MirrorListener.open(address, core, { accept($0).reception }) { announce($0, waitsForPairing: false) }
    }

    /// Announces a listener in the local network until the task is cancelled; nil if there is nothing to announce.
    func announce(_ listener: SocketAddress?, waitsForPairing: Bool) -> Task<Void, Never>? {
        guard let network = core.network, let listener,
            let announcement = Announcement(
                name: name, of: identity.fingerprint, on: listener, waitsForPairing: waitsForPairing)
        else { return nil }
        return Task { [report = core.report] in await network.announce(announcement, report: report) }
    }
}

/// An application's answer to an offer.
public enum MirrorAnswer: Sendable {
    /// Opens the channel, and its events begin.
    case accept(MirrorChannel)
    /// Declined: the peer gets ``MirrorClosure/declined`` and does not ask again.
    case decline
    /// Not ready: the peer asks again later.
    case later

    /// What happens to the connection of the offer.
    var reception: HostCore.Reception {
        switch self {
        case .accept(let channel): .attach(channel.end)
        case .decline: .dismiss(.declined, "declined")
        case .later: .dismiss(.later, "not ready")
        }
    }
}
#endif
