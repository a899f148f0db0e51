package import Mirroring

/// Where a companion listens, and who it has to be; nil for any machine that is paired.
package struct CompanionAddress: Sendable {
    package var address: MirrorAddress
    package var fingerprint: PeerFingerprint?
    /// Where that is nil: those that it may be.
    package var accepted: Set<PeerFingerprint>?
}
