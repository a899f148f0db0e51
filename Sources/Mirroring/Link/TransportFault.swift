#if Mirroring
import Glibc
import NIOCore
import NIOPosix
import NIOSSL

/// Describes errors of the network and TLS in words that help the user.
package enum TransportFault {
    package static func sentence(_ error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError: connection(error)
        case let error as IOError: String(cString: strerror(error.errnoCode)).lowercasedFirst
        case ChannelError.connectTimeout(let limit): "no answer within \(limit.nanoseconds / 1_000_000_000) s"
        case NIOSSLError.uncleanShutdown: "the connection was cut"
        case is NIOSSLError, is BoringSSLError: tls("\(error)")
        default: "\(error)"
        }
    }

    /// Returns whether TLS failed, rather than that the connection was lost.
    static func isBroken(_ error: any Error) -> Bool {
        switch error {
        case NIOSSLError.uncleanShutdown: false
        case is NIOSSLError, is BoringSSLError: true
        default: false
        }
    }

    private static func connection(_ error: NIOConnectionError) -> String {
        // A name may have IPv4 and IPv6 addresses. The reason of the last attempt is enough.
        if let last = error.connectionErrors.last { return sentence(last.error) }
        return error.dnsAError == nil && error.dnsAAAAError == nil
            ? "\(error)" : "unknown host \(error.host)"
    }

    /// Returns the reason from BoringSSL's dump of its error queue. Only its name matters.
    private static func tls(_ dump: String) -> String {
        let marker = "OPENSSL_internal:"
        guard let start = dump.firstRange(of: marker)?.upperBound else { return "TLS failed" }
        let reason = dump[start...].prefix { $0.isUppercase || $0.isNumber || $0 == "_" }
        if reason.contains("ALERT") && (reason.contains("CERTIFICATE") || reason.contains("UNKNOWN_CA")) {
            return "the machine there is not paired with this one; run 'workout mirror pair' on both"
        }
        return "TLS failed: \(reason.lowercased().replacing("_", with: " "))"
    }
}

extension String {
    fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
#endif
