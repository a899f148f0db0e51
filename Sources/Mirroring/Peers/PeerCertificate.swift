#if Mirroring
import COpenSSL

/// A new key (P-256) with a self-signed certificate, for peers.
///
/// Its dates and names don't matter: peers compare its fingerprint.
enum PeerCertificate {
    /// OpenSSL's error message.
    struct Failure: Error, CustomStringConvertible {
        var description: String

        fileprivate init(_ operation: String) {
            var reason = [CChar](repeating: 0, count: 256)
            ERR_error_string_n(ERR_get_error(), &reason, reason.count)
            ERR_clear_error()
            let text = reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            description = "OpenSSL cannot \(operation): \(String(decoding: text, as: UTF8.self))"
        }
    }

    /// The last second that a certificate's UTC time can name: the end of 2049.
    private static let lastSecond = 2_524_607_999

    /// Creates the key (PKCS #8) and the certificate (X.509 version 3, ECDSA with SHA-256). Returns both in one text,
    /// each in PEM.
    static func make() throws(Failure) -> String {
        let key = try makeKey()
        defer { EVP_PKEY_free(key) }
        guard let certificate = X509_new() else { throw Failure("make a certificate") }
        defer { X509_free(certificate) }
        // Version 3 is written as 2 (RFC 5280, 4.1.2.1). A serial number is positive.
        let name = X509_get_subject_name(certificate)
        let isSigned =
            X509_set_version(certificate, 2) == 1
            && ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), .random(in: 1...UInt64(Int64.max))) == 1
            && ASN1_TIME_set(X509_getm_notBefore(certificate), 0) != nil
            && ASN1_TIME_set(X509_getm_notAfter(certificate), lastSecond) != nil
            && X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, "workout mirror", -1, -1, 0) == 1
            && X509_set_issuer_name(certificate, name) == 1
            && X509_set_pubkey(certificate, key) == 1
            && X509_sign(certificate, key, EVP_sha256()) > 0
        guard isSigned else { throw Failure("sign a certificate") }
        return try text("a key") { PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil) }
            + text("a certificate") { PEM_write_bio_X509($0, certificate) }
    }

    private static func makeKey() throws(Failure) -> OpaquePointer {
        let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil)
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1,
            EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1,
            EVP_PKEY_keygen(context, &key) == 1, let key
        else { throw Failure("make a key") }
        return key
    }

    /// Returns the text that `write` writes.
    private static func text(_ what: String, _ write: (OpaquePointer) -> Int32) throws(Failure) -> String {
        guard let memory = BIO_new(BIO_s_mem()) else { throw Failure("write \(what)") }
        defer { BIO_free(memory) }
        guard write(memory) == 1 else { throw Failure("write \(what)") }
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(memory))
        guard BIO_read(memory, &bytes, Int32(bytes.count)) == bytes.count else { throw Failure("write \(what)") }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension [UInt8] {
    /// The SHA-256 (FIPS 180-4) of these bytes: 32 of them.
    package var sha256: [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        SHA256(self, count, &digest)
        return digest
    }
}
#endif
