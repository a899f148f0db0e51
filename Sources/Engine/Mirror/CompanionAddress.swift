package import Mirroring

/// The address of a companion, and its expected fingerprint. Nil for any paired machine.
package struct CompanionAddress: Sendable {
    package var address: MirrorAddress
    package var fingerprint: PeerFingerprint?
    /// If no fingerprint is expected: the accepted machines.
    package var accepted: Set<PeerFingerprint>?

    package init(address: MirrorAddress, fingerprint: PeerFingerprint? = nil, accepted: Set<PeerFingerprint>? = nil) {
        self.address = address
        self.fingerprint = fingerprint
        self.accepted = accepted
    }
}
