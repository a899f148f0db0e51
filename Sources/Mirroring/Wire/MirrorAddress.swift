/// The address where a peer listens: a host name or IP address, and a TCP port.
///
/// Names are resolved at each attempt to connect, so a peer with a new address is found.
public struct MirrorAddress: Sendable, Hashable, CustomStringConvertible {
    /// The default port of a listener. Unassigned by IANA.
    public static let defaultPort = 7_654

    /// All addresses of this machine, IPv6 and IPv4, for a listener.
    public static let everywhere = MirrorAddress(host: "::")

    public var host: String
    public var port: Int

    public init(host: String, port: Int = defaultPort) {
        self.host = host
        self.port = port
    }

    /// An address that a ``MirrorCarrier`` knows.
    /// - Parameter url: Without a password.
    public init(carriedBy url: String) {
        host = url
        port = 0
    }

    /// Whether the machine is reached through a ``MirrorCarrier``; ``host`` is a URL then.
    public var isCarried: Bool { host.contains("://") }

    /// Reads `HOST`, `HOST:PORT`, `[IPV6]:PORT`, `[IPV6]` or a bare IPv6 address. Returns nil for an empty host or a
    /// port outside 0 … 65535. With port 0, a listener chooses a free one.
    public init?(_ text: String) {
        let host: Substring
        let port: Substring?
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
            port = rest.isEmpty ? nil : rest.dropFirst()
        } else if let colon = text.firstIndex(of: ":"), colon == text.lastIndex(of: ":") {
            host = text[..<colon]
            port = text[text.index(after: colon)...]
        } else {
            host = text[...]
            port = nil
        }
        guard !host.isEmpty, !host.contains(where: { $0.isWhitespace || "/@?#".contains($0) }) else { return nil }
        self.init(host: String(host))
        if let port {
            guard let number = UInt16(port) else { return nil }
            self.port = Int(number)
        }
    }

    /// The address as the user types it: without the default port.
    public var typed: String { port == Self.defaultPort ? host : description }

    public var description: String { isCarried ? host : host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
