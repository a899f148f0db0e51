#if Mirroring
public import Foundation
import NIOCore

/// This machine as a participant of mirroring: its identity, the peers that it trusts, and its listeners.
public final class MirrorHost: Sendable {
    public let identity: PeerIdentity
    public let peers: PeerBook
    /// The name of this machine for pairing.
    public let name: String
    let core: HostCore

    /// Creates a host.
    ///
    /// - Parameters:
    ///   - folder: The folder of the key, the certificate and the peers. It is created if necessary, readable only by
    ///     the user.
    ///   - name: The name of this machine for pairing, such as its host name.
    ///   - network: The network in which to announce listeners and search for peers with new addresses. Nil for none.
    ///   - carrier: The way to machines that are not reached by TCP. Nil for none.
    ///   - report: Called with one line whenever a connection was refused or a link failed, on any thread.
    public convenience init(
        folder: URL, name: String, network: LocalNetwork? = nil, carrier: (any MirrorCarrier)? = nil,
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(MirrorError) {
        try self.init(
            folder: folder, name: name, network: network, carrier: carrier, reactor: .shared, report: report)
    }

    /// Creates a host with its own network thread, for measurements and tests.
    package init(
        folder: URL, name: String, network: LocalNetwork? = nil, carrier: (any MirrorCarrier)? = nil,
        reactor: MirrorReactor,
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(MirrorError) {
        identity = try PeerIdentity(folder: folder)
        peers = PeerBook(folder: folder)
        self.name = name
        let tls: PeerTLS
        do { tls = try PeerTLS(identity) } catch {
            throw .identity(path: folder.path, reason: "\(error)")
        }
        core = HostCore(
            reactor: reactor, tls: tls, book: peers, network: network, carrier: carrier, report: report)
    }

    /// Listens for paired machines.
    ///
    /// - Parameters:
    ///   - address: The address to listen on. Port 0 chooses a free one (``MirrorListener/address``).
    ///   - accept: Called for each new channel, on the network thread. It must not block.
    public func listen(
        on address: MirrorAddress, accept: @escaping @Sendable (MirrorOffer) -> MirrorAnswer
    ) async throws(MirrorError) -> MirrorListener {
        let accept: @Sendable (MirrorOffer) -> HostCore.Reception = { accept($0).reception }
        guard address.isCarried else {
            return try await MirrorListener.open(address, core, accept) { announce($0, waitsForPairing: false) }
        }
        return try await MirrorListener.open(carriedAt: address, of: identity.fingerprint, core, accept)
    }

    /// Announces a listener in the local network until the task is cancelled. Returns nil if there is nothing to
    /// announce.
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
    /// Opens the channel. Its events begin.
    case accept(MirrorChannel)
    /// Declines the channel: the peer gets ``MirrorClosure/declined`` and does not try again.
    case decline
    /// Postpones the channel: the peer tries again later.
    case later

    /// The step for the connection of the offer.
    var reception: HostCore.Reception {
        switch self {
        case .accept(let channel): .attach(channel.end)
        case .decline: .dismiss(.declined, "declined")
        case .later: .dismiss(.later, "not ready")
        }
    }
}
#endif
