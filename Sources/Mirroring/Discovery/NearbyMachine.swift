/// A machine that announces in the local network that it listens for sessions, or waits to be paired.
///
/// The announcement is not verified. It only contains where to connect. The handshake verifies the machine.
public struct NearbyMachine: Sendable, Hashable {
    /// The announced name. Untrusted: any Unicode text of up to 63 bytes.
    public let name: String
    /// The listening addresses: IPv4 first, then global IPv6, then link-local IPv6 (`fe80::1%eth0`).
    public internal(set) var addresses: [MirrorAddress]
    /// The announced prefix of its certificate's fingerprint. Empty if it is missing.
    public let fingerprintPrefix: String
    /// Whether it waits in `workout mirror pair` instead of for sessions.
    public let waitsForPairing: Bool

    /// The announced length of a fingerprint: 64 bits.
    static let prefixLength = 16

    /// Returns whether it announces this fingerprint.
    public func claims(_ fingerprint: PeerFingerprint) -> Bool {
        fingerprintPrefix.count == Self.prefixLength && fingerprint.description.hasPrefix(fingerprintPrefix)
    }
}
