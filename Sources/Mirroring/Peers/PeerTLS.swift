#if Mirroring
package import NIOCore
package import NIOSSL

/// TLS 1.3 with certificates on both sides, verified by fingerprint only.
struct PeerTLS: Sendable {
    private let serving: NIOSSLContext
    private let dialing: NIOSSLContext

    init(_ identity: PeerIdentity) throws {
        var server = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(identity.certificate)], privateKey: .privateKey(identity.key))
        server.minimumTLSVersion = .tlsv13
        // Requests the peer's certificate; `verify` checks it.
        server.certificateVerification = .noHostnameVerification
        server.trustRoots = .certificates([])
        server.shutdownTimeout = .milliseconds(500)
        serving = try NIOSSLContext(configuration: server)
        var client = TLSConfiguration.makeClientConfiguration()
        client.minimumTLSVersion = .tlsv13
        client.certificateVerification = .noHostnameVerification
        client.trustRoots = .certificates([])
        client.certificateChain = [.certificate(identity.certificate)]
        client.privateKey = .privateKey(identity.key)
        client.shutdownTimeout = .milliseconds(500)
        dialing = try NIOSSLContext(configuration: client)
    }

    /// Returns the handler of one connection. `trusts` is called once with the fingerprint of the peer's certificate,
    /// after the peer proved that it has the key. It replaces all other checks.
    func handler(isDialing: Bool, trusts: @escaping @Sendable (PeerFingerprint) -> Bool) throws -> NIOSSLHandler {
        let verify: NIOSSLCustomVerificationCallback = { certificates, promise in
            let fingerprint = certificates.first.flatMap { try? PeerFingerprint(of: $0) }
            promise.succeed(fingerprint.map(trusts) == true ? .certificateVerified : .failed)
        }
        return isDialing
            ? try NIOSSLClientHandler(context: dialing, serverHostname: nil, customVerificationCallback: verify)
            : NIOSSLServerHandler(context: serving, customVerificationCallback: verify)
    }
}

extension PeerIdentity {
    /// Returns the context of a server whose clients have no certificate, such as browsers.
    package func serverContext() throws -> NIOSSLContext {
        var server = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(certificate)], privateKey: .privateKey(key))
        server.minimumTLSVersion = .tlsv12
        server.shutdownTimeout = .milliseconds(500)
        return try NIOSSLContext(configuration: server)
    }
}

extension ChannelHandlerContext {
    /// Closes without TLS's closing handshake, which would wait for the peer. The file descriptor is free at once.
    package func closeAtOnce() {
        if let tls = try? pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self) {
            tls.close(promise: nil)
        } else {
            close(promise: nil)
        }
    }
}

extension NIOSSLHandler {
    /// The fingerprint of the peer's certificate. Read after the handshake, because a resumed TLS session skips the verification.
    var peerFingerprint: PeerFingerprint? { peerCertificate.flatMap { try? PeerFingerprint(of: $0) } }
}
#endif
