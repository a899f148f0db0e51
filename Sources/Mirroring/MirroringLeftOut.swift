#if !Mirroring
public import Foundation

// Replaces the network in a build without the package trait `Mirroring`. Everything that needs the network fails with
// an error about the missing trait.

public struct PeerIdentity: Sendable {
    public let fingerprint: PeerFingerprint
}

public final class MirrorHost: Sendable {
    public let identity: PeerIdentity
    public let peers: PeerBook
    public let name: String

    /// - Throws: ``MirrorError/leftOut`` always.
    public init(
        folder: URL, name: String, network: LocalNetwork? = nil, carrier: (any MirrorCarrier)? = nil,
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(MirrorError) {
        throw .leftOut
    }

    public func listen(
        on address: MirrorAddress, accept: @escaping @Sendable (MirrorOffer) -> MirrorAnswer
    ) async throws(MirrorError) -> MirrorListener {
        throw .leftOut
    }
}

public final class MirrorListener: Sendable {
    public let address: MirrorAddress

    private init(_ address: MirrorAddress) { self.address = address }

    public func untilQuiet(within limit: Duration) async {}

    public func close() async {}
}

public enum MirrorAnswer: Sendable {
    case accept(MirrorChannel)
    case decline
    case later
}

/// A channel without a connection. It accepts no entries, because there is no ``MirrorHost`` to connect through.
public final class MirrorChannel: Sendable {
    public let id: UUID

    public init(
        id: UUID = UUID(), source: MirrorSource = .memory(),
        greeting: @escaping @Sendable (PeerFingerprint) -> [UInt8] = { _ in [] },
        received: [PeerFingerprint: MirrorPosition] = [:], delivery: MirrorDelivery
    ) {
        self.id = id
    }

    @discardableResult
    public func append(_ entry: [UInt8]) -> UInt64? { nil }

    public func connect(
        to address: MirrorAddress, expecting fingerprint: PeerFingerprint? = nil,
        accepting: Set<PeerFingerprint>? = nil, through host: MirrorHost
    ) {}

    public var hasLinks: Bool { false }

    public func finish() {}

    public func finish(within limit: Duration) async -> Bool { false }

    public func close(isReplaced: Bool = false) {}

    public func refuse(_ fingerprint: PeerFingerprint, reason: String) {}

    public var received: [PeerFingerprint: MirrorPosition] { [:] }

    public var peers: [PeerFingerprint: MirrorPeerState] { [:] }
}

public struct LocalNetwork: Sendable {
    public static let system = LocalNetwork()

    public func machines() async throws(MirrorError) -> [NearbyMachine] { throw .leftOut }
}

extension MirrorAddress {
    public var reachable: [MirrorAddress] { [] }
}
#endif
