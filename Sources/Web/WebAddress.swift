package import Mirroring

/// Where pages are served: as people write it on the command line.
package enum WebAddress {
    /// Unassigned by IANA.
    package static let defaultPort = 8_421

    /// Only this machine's own.
    package static let standard = MirrorAddress(host: "127.0.0.1", port: defaultPort)

    /// Reads `HOST`, `HOST:PORT`, `PORT`, and `everywhere` for all addresses. Nil for what is none of these.
    package static func parse(_ text: String) -> MirrorAddress? {
        if let port = UInt16(text) { return MirrorAddress(host: standard.host, port: Int(port)) }
        guard var address = MirrorAddress(text) else { return nil }
        if address.host == text || text.hasSuffix("]") { address.port = defaultPort }
        if address.host == "everywhere" || address.host == "*" { address.host = MirrorAddress.everywhere.host }
        return address
    }
}
