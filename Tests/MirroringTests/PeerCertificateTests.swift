import Foundation
import NIOSSL
import Testing

@testable import Mirroring

@Suite struct PeerCertificateTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("identity-\(UUID())")

    /// FIPS 180-4's own examples, as NIST prints them.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `hashes are those of the standard`(text: String, digest: String) {
        #expect(Array(text.utf8).sha256.map { String(format: "%02x", $0) }.joined() == digest)
    }

    @Test func `each certificate is new, valid in every possible year, and fits its key`() throws {
        let texts = [try PeerCertificate.make(), try PeerCertificate.make()]
        let certificates = try texts.map { try #require(NIOSSLCertificate.fromPEMBytes(Array($0.utf8)).first) }
        #expect(certificates[0] != certificates[1])
        #expect(certificates[0].notValidBefore == 0)
        #expect(certificates[0].notValidAfter == 2_524_607_999)
        // BoringSSL compares the two.
        let key = try NIOSSLPrivateKey(bytes: Array(texts[0].utf8), format: .pem)
        for (certificate, fits) in [(certificates[0], true), (certificates[1], false)] {
            let server = TLSConfiguration.makeServerConfiguration(
                certificateChain: [.certificate(certificate)], privateKey: .privateKey(key))
            let context = try? NIOSSLContext(configuration: server)
            #expect((context != nil) == fits)
        }
    }

    /// Made by swift-certificates, before OpenSSL was used: paired machines stay paired.
    @Test func `an identity of an earlier version is read`() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent(PeerIdentity.fileName)
        try Data(Self.earlier.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        let identity = try PeerIdentity(folder: folder)
        #expect(identity.fingerprint.bytes.map { String(format: "%02x", $0) }.joined() == Self.earlierFingerprint)
        _ = try PeerTLS(identity)
        try FileManager.default.removeItem(at: folder)
    }

    @Test(arguments: ["CERTIFICATE", "PRIVATE KEY"])
    func `half an identity is an error, and stays unchanged`(half: String) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent(PeerIdentity.fileName)
        let end = "-----END \(half)-----"
        let start = try #require(Self.earlier.range(of: "-----BEGIN \(half)-----")).lowerBound
        let kept = Data((Self.earlier[start...].components(separatedBy: end)[0] + end + "\n").utf8)
        try kept.write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        #expect(throws: MirrorError.self) { try PeerIdentity(folder: folder) }
        #expect(try Data(contentsOf: file) == kept)
        try FileManager.default.removeItem(at: folder)
    }

    /// The certificate of a machine that was never paired.
    private static let earlier = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg6QuluVRpX/aeM9A+
        iT+uJBUkNsbzwfwS14Q7MC/B8gKhRANCAATT9mMy+4tnXZymASyAcKoZZY3LOE4i
        Tik0YEa3MEAuBlP8MooKd4T56i5ITZo98mwSj1l34yvoBzW5YvD4KlqY
        -----END PRIVATE KEY-----
        -----BEGIN CERTIFICATE-----
        MIIBMjCB2KADAgECAhRM7wWil5UgUsiPxiz/BBkeVC0HXzAKBggqhkjOPQQDAjAZ
        MRcwFQYDVQQDDA53b3Jrb3V0IG1pcnJvcjAeFw03MDAxMDEwMDAwMDBaFw00OTEy
        MzEyMzU5NTlaMBkxFzAVBgNVBAMMDndvcmtvdXQgbWlycm9yMFkwEwYHKoZIzj0C
        AQYIKoZIzj0DAQcDQgAE0/ZjMvuLZ12cpgEsgHCqGWWNyzhOIk4pNGBGtzBALgZT
        /DKKCneE+eouSE2aPfJsEo9Zd+Mr6Ac1uWLw+CpamDAKBggqhkjOPQQDAgNJADBG
        AiEA9nchGSYxdrlekWls1BwTt7mKT5x5xEdAr9wwyAoF7IICIQCNPCUY9S2ywsxH
        yPJR1XGvX9w8PTFb+ttdWf14ACX/oQ==
        -----END CERTIFICATE-----
        """

    private static let earlierFingerprint =
        "2832ff701c48a271e9ccb462303b871b513c734ecea281e39a22aec5db9a29b7"
}
