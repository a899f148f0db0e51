/// A machine that says in the local network that it listens for sessions, or that it waits to be paired.
///
/// What it says is not verified by anything: it tells where to look, and the handshake tells who is there.
public struct NearbyMachine: Sendable, Hashable {
    /// What it calls itself. Chosen by whoever is in the network: any Unicode text of up to 63 bytes.
    public let name: String
    /// Where it listens; IPv4 first, then global IPv6, then IPv6 of one link only (`fe80::1%eth0`).
    public internal(set) var addresses: [MirrorAddress]
    /// How the fingerprint of its certificate begins, as it says; empty where it says nothing.
    public let fingerprintPrefix: String
    /// Whether it waits in `workout mirror pair`, rather than for sessions.
    public let waitsForPairing: Bool

    /// How much of a fingerprint is announced: 64 bits.
    static let prefixLength = 16

    /// Whether it says that it is this one.
    public func claims(_ fingerprint: PeerFingerprint) -> Bool {
        fingerprintPrefix.count == Self.prefixLength && fingerprint.description.hasPrefix(fingerprintPrefix)
    }
}
