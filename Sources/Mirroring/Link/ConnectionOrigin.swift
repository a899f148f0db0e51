#if Mirroring
import Glibc
package import NIOCore

/// The origin of a connection, for limits: an IPv4 address or an IPv6 /64 network, because one machine may use all addresses of it.
package struct ConnectionOrigin: Hashable {
    private let bytes: [UInt8]

    package init(_ address: SocketAddress?) {
        switch address {
        case .v4: bytes = Self.bytes(of: address, family: AF_INET, count: 4)
        case .v6:
            let all = Self.bytes(of: address, family: AF_INET6, count: 16)
            // A listener on all addresses sees IPv4 ones mapped into one such network (RFC 4291, 2.5.5.2).
            let isMapped = all.prefix(10).allSatisfy { $0 == 0 } && all[10...11].allSatisfy { $0 == 0xFF }
            bytes = Array(isMapped ? all.suffix(4) : all.prefix(8))
        case .unixDomainSocket, nil: bytes = []
        }
    }

    /// Returns the bytes of an address from its text, since the members of NIO's structs belong to another C module in
    /// each build.
    private static func bytes(of address: SocketAddress?, family: Int32, count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        _ = inet_pton(family, address?.ipAddress ?? "", &bytes)
        return bytes
    }
}
#endif
