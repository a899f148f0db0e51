#if Mirroring
import Foundation
import Glibc
import NIOCore

/// Network information about an address.
extension MirrorAddress {
    /// The maximum number of addresses tried for one name.
    static let most = 8

    /// Returns the addresses of the host, the best first (RFC 6724, as the system's resolver orders them).
    func resolved() async throws(MirrorError) -> [SocketAddress] {
        let (host, port) = (host, port)
        let found: [SocketAddress] = await withCheckedContinuation { continuation in
            // The resolver may wait for a server, so it must not run on a thread for tasks.
            DispatchQueue.global().async { continuation.resume(returning: Self.resolve(host, port)) }
        }
        guard !found.isEmpty else { throw .connect(self, reason: "unknown host \(host)") }
        return found
    }

    private static func resolve(_ host: String, _ port: Int) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0, let list else { return [] }
        defer { freeaddrinfo(list) }
        let all = sequence(first: list) { $0.pointee.ai_next }
        return Array(all.compactMap { $0.pointee.ai_addr.flatMap { SocketAddress(of: $0) } }.prefix(most))
    }

    /// The addresses that the other machine can connect to if a listener uses all addresses, the likeliest first. Empty without a
    /// network.
    public var reachable: [MirrorAddress] {
        guard ["::", "0.0.0.0"].contains(host) else { return [self] }
        return Self.ordered(Self.own(), likely: Self.likely()).filter { host == "::" || !$0.contains(":") }
            .map { MirrorAddress(host: $0, port: port) }
    }

    /// Returns addresses that other machines can connect to: first those that this machine sends from, IPv4 before
    /// IPv6. Omits loopback and link-local addresses.
    static func ordered(_ own: [String], likely: [String]) -> [String] {
        func isOfOneLink(_ address: String) -> Bool {
            let address = address.lowercased()
            return address.hasPrefix("fe8") || address.hasPrefix("fe9") || address.hasPrefix("fea")
                || address.hasPrefix("feb") || address.hasPrefix("169.254.") || isLoopback(address)
        }
        var seen: Set<String> = []
        let all = own.filter { !isOfOneLink($0) && seen.insert($0).inserted }
        let sorted = all.filter { !$0.contains(":") } + all.filter { $0.contains(":") }
        return sorted.filter(likely.contains) + sorted.filter { !likely.contains($0) }
    }

    /// Returns whether only its own machine can reach an IP address (RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3).
    package static func isLoopback(_ ipAddress: String) -> Bool { ipAddress.hasPrefix("127.") || ipAddress == "::1" }

    /// Returns the addresses of all interfaces that are up.
    private static func own() -> [String] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0, let list else { return [] }
        defer { freeifaddrs(list) }
        return sequence(first: list) { $0.pointee.ifa_next }.compactMap { entry in
            guard entry.pointee.ifa_flags & UInt32(IFF_UP) != 0, let address = entry.pointee.ifa_addr
            else { return nil }
            return SocketAddress(of: address)?.ipAddress
        }
    }

    /// Returns the source addresses of packets to the internet. Connecting a datagram socket sends nothing. The
    /// destinations are documentation addresses (RFC 5737, RFC 3849).
    private static func likely() -> [String] {
        ["192.0.2.1", "2001:db8::1"].compactMap { nobody in
            guard let target = try? SocketAddress(ipAddress: nobody, port: 9) else { return nil }
            let descriptor = socket(
                target.protocol == .inet ? AF_INET : AF_INET6, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { return nil }
            defer { close(descriptor) }
            guard target.withSockAddr({ connect(descriptor, $0, socklen_t($1)) }) == 0 else { return nil }
            var own = sockaddr_storage()
            return withUnsafeMutablePointer(to: &own) { own in
                own.withMemoryRebound(to: sockaddr.self, capacity: 1) { own in
                    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
                    return getsockname(descriptor, own, &size) == 0 ? SocketAddress(of: own)?.ipAddress : nil
                }
            }
        }
    }
}

extension SocketAddress {
    /// Returns nil for an address that is neither IPv4 nor IPv6.
    fileprivate init?(of address: UnsafePointer<sockaddr>) {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            self = .init(address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee })
        case AF_INET6:
            self = .init(address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { $0.pointee })
        default: return nil
        }
    }
}
#endif
