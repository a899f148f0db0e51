import Crypto
public import Foundation
import NIOSSL
import SwiftASN1
import X509

/// This machine's own key (P-256) and self-signed certificate, by which peers know it.
///
/// Both lie in one file that only the user can read. Whoever has the file is this machine to its peers; whoever loses
/// it has to pair again. Dates and names in the certificate mean nothing: peers compare its fingerprint.
public struct PeerIdentity: Sendable {
    static let fileName = "identity.pem"

    public let fingerprint: PeerFingerprint
    let certificate: NIOSSLCertificate
    let key: NIOSSLPrivateKey

    /// Reads the identity in this folder, or makes one at first use. Several processes may do so at once.
    ///
    /// A file that others may read is an error: the key has to be taken for stolen.
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
            let text = String(decoding: pem, as: UTF8.self)
            let documents = try PEMDocument.parseMultiple(pemString: text)
            guard let key = documents.first(where: { $0.discriminator == "PRIVATE KEY" }),
                let certificate = documents.first(where: { $0.discriminator == "CERTIFICATE" })
            else { throw MirrorError.identity(path: file.path, reason: "key or certificate is missing") }
            return try PeerIdentity(
                NIOSSLCertificate(bytes: certificate.derBytes, format: .der),
                NIOSSLPrivateKey(bytes: key.derBytes, format: .der))
        } catch let error as MirrorError {
            throw error
        } catch {
            throw .identity(path: file.path, reason: "\(error)")
        }
    }

    private static func make(_ file: URL) throws(MirrorError) -> Data {
        do {
            let key = P256.Signing.PrivateKey()
            let name = try DistinguishedName { CommonName("workout mirror") }
            let certificate = try Certificate(
                version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: .init(key.publicKey),
                notValidBefore: Date(timeIntervalSince1970: 0),
                // The last second that a certificate's UTC time can name before 2050.
                notValidAfter: Date(timeIntervalSince1970: 2_524_607_999),
                issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
                extensions: Certificate.Extensions(), issuerPrivateKey: .init(key))
            let text = try [key.pemRepresentation, certificate.serializeAsPEM().pemString].joined(separator: "\n")
            return Data((text + "\n").utf8)
        } catch {
            throw .identity(path: file.path, reason: "\(error)")
        }
    }
}

extension PeerFingerprint {
    init(of certificate: NIOSSLCertificate) throws {
        self.init(ofDER: try certificate.toDERBytes())
    }

    init(ofDER bytes: [UInt8]) {
        self.bytes = Array(SHA256.hash(data: bytes))
    }
}
