#if !Mirroring
package import Mirroring

/// The server's replacement in a build without the package trait `Mirroring`, and so without SwiftNIO.
package final class WebServer: Sendable {
    package let address: MirrorAddress
    package let fingerprint: PeerFingerprint?
    package var isLoopback: Bool { fingerprint == nil }

    private init(_ address: MirrorAddress) {
        self.address = address
        fingerprint = nil
    }

    /// - Throws: ``MirrorError/leftOut`` always.
    package static func listen(
        on address: MirrorAddress, hasKey: @escaping @Sendable (WebRequest) -> Bool = { _ in false },
        report: @escaping @Sendable (String) -> Void = { _ in }, identity: () throws -> PeerIdentity
    ) async throws -> WebServer {
        throw MirrorError.leftOut
    }

    package func run(_ answer: @escaping @Sendable (WebRequest) async -> WebResponse) async throws {}
}
#endif
