#if Mirroring
public import Foundation
import NIOSSL

/// This machine's key (P-256) and self-signed certificate, which identify it to peers.
///
/// Both are in one file that only the user can read. Whoever has a copy of the file can pose as this machine. If the
/// file is lost, all machines have to be paired again.
public struct PeerIdentity: Sendable {
    static let fileName = "identity.pem"

    public let fingerprint: PeerFingerprint
    let certificate: NIOSSLCertificate
    let key: NIOSSLPrivateKey

    /// Reads the identity in a folder, or creates it at first use. Several processes may do so at once.
    ///
    /// A file that others can read is an error, because the key may be stolen.
    public init(folder: URL) throws(MirrorError) {
        try PrivateFile.makeFolder(folder)
        let file = folder.appendingPathComponent(Self.fileName)
        if let known = try PrivateFile.read(file) {
            self = try Self.parse(known, file)
            return
        }
        self = try PrivateFile.exclusively(folder.appendingPathComponent("identity.lock")) {
            () throws(MirrorError) in
            if let known = try PrivateFile.read(file) { return try Self.parse(known, file) }
            let made = try Self.make(file)
            try PrivateFile.write(made, to: file)
            return try Self.parse(made, file)
        }
    }

    private init(_ certificate: NIOSSLCertificate, _ key: NIOSSLPrivateKey) throws {
        self.certificate = certificate
        self.key = key
        fingerprint = try PeerFingerprint(of: certificate)
    }

    private static func parse(_ pem: Data, _ file: URL) throws(MirrorError) -> PeerIdentity {
        let mode = (try? FileManager.default.attributesOfItem(atPath: file.path))?[.posixPermissions] as? Int
        if let mode, mode & 0o077 != 0 {
            throw .exposed(path: file.path, mode: mode)
        }
        do {
            guard let certificate = try NIOSSLCertificate.fromPEMBytes(Array(pem)).first else {
                throw MirrorError.identity(path: file.path, reason: "key or certificate is missing")
            }
            return try PeerIdentity(certificate, NIOSSLPrivateKey(bytes: Array(pem), format: .pem))
        } catch let error as MirrorError {
            throw error
        } catch {
            throw .identity(path: file.path, reason: "\(error)")
        }
    }

    private static func make(_ file: URL) throws(MirrorError) -> Data {
        do throws(PeerCertificate.Failure) {
            return Data(try PeerCertificate.make().utf8)
        } catch {
            throw .identity(path: file.path, reason: error.description)
        }
    }
}

extension PeerFingerprint {
    init(of certificate: NIOSSLCertificate) throws {
        self.init(ofDER: try certificate.toDERBytes())
    }

    init(ofDER bytes: [UInt8]) {
        self.bytes = bytes.sha256
    }
}
#endif
