public import Foundation

/// Another machine that this one trusts, because the user compared its pairing code.
public struct Peer: Sendable, Hashable {
    public let fingerprint: PeerFingerprint
    /// The name that the user gave it. By default, the machine's own name at pairing.
    public var name: String
    /// Its last listening address, if known.
    public var address: MirrorAddress?
    /// When it was paired.
    public let added: Date

    public init(fingerprint: PeerFingerprint, name: String, address: MirrorAddress? = nil, added: Date = Date()) {
        self.fingerprint = fingerprint
        self.name = name
        self.address = address
        self.added = added
    }
}
