/// What a person compares at pairing.
public struct PairingCode: Sendable, Hashable {
    /// Six digits, the same on both machines unless somebody stands between them.
    public let code: String
    /// What the other machine calls itself. Not verified by anything yet.
    public let peerName: String
    public let fingerprint: PeerFingerprint
}
