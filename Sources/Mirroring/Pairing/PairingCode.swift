/// The code that users compare during pairing.
public struct PairingCode: Sendable, Hashable {
    /// Six digits, the same on both machines unless somebody intercepts the connection.
    public let code: String
    /// The other machine's name. Not verified yet.
    public let peerName: String
    public let fingerprint: PeerFingerprint
}
