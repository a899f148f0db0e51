public import Foundation

/// This machine's own key (P-256) and self-signed certificate, by which peers know it.
public struct PeerIdentity: Sendable {
    public let fingerprint: PeerFingerprint

    /// Reads the identity in this folder, or makes one at first use.
    public init(folder: URL) throws(MirrorError) {
        throw .identity(path: folder.path, reason: "not yet")
    }
}
