/// Who may see and who may ask, decided by the request alone. Pure.
///
/// - A name in `Host` that this machine does not have is refused: else a page of anybody could be told by its name server that it
///   lives here (DNS rebinding).
/// - What changes something is refused to the pages of others, by `Origin` and `Sec-Fetch-Site` (Fetch Metadata), and needs the key.
/// - Seeing needs the key where others than this machine's own users can come to the server.
package struct WebAccess: Sendable {
    package static let cookieName = "workout-key"

    package var key: WebKey
    /// Only this machine reaches the server: pages are seen without the key.
    package var isLoopback: Bool
    package var isSecure: Bool
    /// By which the server may be called besides the address that it was reached by. In small letters.
    package var names: Set<String>

    package init(key: WebKey, isLoopback: Bool, isSecure: Bool, names: some Sequence<String>) {
        self.key = key
        self.isLoopback = isLoopback
        self.isSecure = isSecure
        self.names = Set(names.map { $0.lowercased() })
    }

    package enum Refusal: Sendable, Equatable {
        case wrongHost, foreign, withoutKey

        package var status: Int {
            switch self {
            case .wrongHost: 421
            case .foreign: 403
            case .withoutKey: 401
            }
        }
    }

    package func hasKey(_ request: WebRequest) -> Bool { key.isShown(by: request) }

    /// - Parameter isPublic: Of what anybody may have: the form that takes the key, and what it is drawn with.
    package func refusal(of request: WebRequest, isPublic: Bool = false) -> Refusal? {
        guard isOurs(host: request.header("Host"), request) else { return .wrongHost }
        let changes = request.method != "GET" && request.method != "HEAD"
        if changes, !isOfOurPages(request) { return .foreign }
        if isPublic || hasKey(request) { return nil }
        return isLoopback && !changes ? nil : .withoutKey
    }

    /// The cookie that a browser keeps the key in: for a year, and out of reach of scripts.
    package var cookie: String {
        "\(Self.cookieName)=\(key.text); Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax"
            + (isSecure ? "; Secure" : "")
    }

    private func isOurs(host: String?, _ request: WebRequest) -> Bool {
        guard let host, let name = Self.name(ofHost: host) else { return false }
        return name == request.localAddress || names.contains(name)
            || isLoopback && ["localhost", "127.0.0.1", "::1"].contains(name)
    }

    private func isOfOurPages(_ request: WebRequest) -> Bool {
        if let site = request.header("Sec-Fetch-Site"), site != "same-origin", site != "none" { return false }
        guard let origin = request.header("Origin") else { return true }
        return origin.lowercased() == "\(isSecure ? "https" : "http")://\(request.header("Host") ?? "")".lowercased()
    }

    /// Without the port and the brackets of IPv6; nil for what is no host.
    static func name(ofHost host: String) -> String? {
        let host = host.lowercased()
        if host.hasPrefix("[") {
            guard let end = host.firstIndex(of: "]") else { return nil }
            let rest = host[host.index(after: end)...]
            guard rest.isEmpty || rest.first == ":" && isPort(rest.dropFirst()) else { return nil }
            return String(host[host.index(after: host.startIndex)..<end])
        }
        let sides = host.split(separator: ":", omittingEmptySubsequences: false)
        guard sides.count == 1 || sides.count == 2 && isPort(sides[1]), !sides[0].isEmpty else { return nil }
        // A name may have its root's dot.
        return sides[0].hasSuffix(".") ? String(sides[0].dropLast()) : String(sides[0])
    }

    private static func isPort(_ text: Substring) -> Bool { UInt16(text) != nil }
}

extension WebKey {
    /// Whether the request has it, in the cookie or as a bearer token.
    package func isShown(by request: WebRequest) -> Bool {
        if let cookie = request.cookie(WebAccess.cookieName), isSame(as: cookie) { return true }
        guard let bearer = request.header("Authorization"), bearer.lowercased().hasPrefix("bearer ") else {
            return false
        }
        return isSame(as: String(bearer.dropFirst("bearer ".count)))
    }
}
