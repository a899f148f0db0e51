import Glibc
import NIOCore

/// Where a connection comes from, as far as limits go: an IPv4 address, or an IPv6 network of 64 bits, of which one machine
/// may use every address.
struct ConnectionOrigin: Hashable {
    private let bytes: [UInt8]

    init(_ address: SocketAddress?) {
        switch address {
        case .v4(let address): bytes = withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
        case .v6(let address):
            let all = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
            // A listener on all addresses sees IPv4 ones mapped into one such network (RFC 4291, 2.5.5.2).
            let isMapped = all.prefix(10).allSatisfy { $0 == 0 } && all[10...11].allSatisfy { $0 == 0xFF }
            bytes = Array(isMapped ? all.suffix(4) : all.prefix(8))
        case .unixDomainSocket, nil: bytes = []
        }
    }
}
