package import Mirroring

/// The address of the server, as users write it on the command line.
package enum WebAddress {
    /// The default port. Unassigned by IANA.
    package static let defaultPort = 8_421

    /// The loopback address, which only this machine can reach.
    package static let standard = MirrorAddress(host: "127.0.0.1", port: defaultPort)

    /// Reads `HOST`, `HOST:PORT`, `PORT`, and `everywhere` for all addresses. Returns nil for anything else.
    package static func parse(_ text: String) -> MirrorAddress? {
        if let port = UInt16(text) { return MirrorAddress(host: standard.host, port: Int(port)) }
        guard var address = MirrorAddress(text) else { return nil }
        if address.host == text || text.hasSuffix("]") { address.port = defaultPort }
        if address.host == "everywhere" || address.host == "*" { address.host = MirrorAddress.everywhere.host }
        return address
    }
}
