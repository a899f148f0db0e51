package import Mirroring

/// The address of a companion, and its expected fingerprint. Nil for any paired machine.
package struct CompanionAddress: Sendable {
    package var address: MirrorAddress
    package var fingerprint: PeerFingerprint?
    /// If no fingerprint is expected: the accepted machines.
    package var accepted: Set<PeerFingerprint>?
}
