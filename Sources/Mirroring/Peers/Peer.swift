public import Foundation

/// Another machine that this one trusts, because a person compared its pairing code.
public struct Peer: Sendable, Hashable {
    public let fingerprint: PeerFingerprint
    /// What the person calls it. At pairing, the name that the machine gave itself.
    public var name: String
    /// Where it listened last, if it ever did.
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
