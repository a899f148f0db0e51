package import Mirroring

/// Where a companion listens, and who it has to be; nil for any machine that is paired.
package struct CompanionAddress: Sendable {
    package var address: MirrorAddress
    package var fingerprint: PeerFingerprint?
    /// Where that is nil: those that it may be.
    package var accepted: Set<PeerFingerprint>?

    package init(
        address: MirrorAddress, fingerprint: PeerFingerprint? = nil, accepted: Set<PeerFingerprint>? = nil
    ) {
        self.address = address
        self.fingerprint = fingerprint
        self.accepted = accepted
    }
}
