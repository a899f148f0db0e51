/// Decides from a request alone whether it is allowed. Pure.
///
/// - `Host` must be a name of this machine, to prevent DNS rebinding.
/// - Requests that change something need the key, and must not come from pages of other sites (`Origin` and `Sec-Fetch-Site`, Fetch
///   Metadata).
/// - Reading needs the key if the server is reachable from other machines.
package struct WebAccess: Sendable {
    package static let cookieName = "workout-key"

    package var key: WebKey
    /// Whether only this machine can reach the server. Then pages can be read without the key.
    package var isLoopback: Bool
    package var isSecure: Bool
    /// Names of the server in lower case, besides its address.
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

    /// - Parameter isPublic: Whether anybody may read it: the form for the key, and its styles.
    package func refusal(of request: WebRequest, isPublic: Bool = false) -> Refusal? {
        guard isOurs(host: request.header("Host"), request) else { return .wrongHost }
        let changes = request.method != "GET" && request.method != "HEAD"
        if changes, !isOfOurPages(request) { return .foreign }
        if isPublic || hasKey(request) { return nil }
        return isLoopback && !changes ? nil : .withoutKey
    }

    /// The cookie with the key: valid for a year, and not readable by scripts.
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

    /// The host without port and IPv6 brackets; nil if it is invalid.
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
        // A name may end with the root's dot.
        return sides[0].hasSuffix(".") ? String(sides[0].dropLast()) : String(sides[0])
    }

    private static func isPort(_ text: Substring) -> Bool { UInt16(text) != nil }
}

extension WebKey {
    /// Returns whether the request has the key, in the cookie or as a bearer token.
    package func isShown(by request: WebRequest) -> Bool {
        if let cookie = request.cookie(WebAccess.cookieName), isSame(as: cookie) { return true }
        guard let bearer = request.header("Authorization"), bearer.lowercased().hasPrefix("bearer ") else {
            return false
        }
        return isSame(as: String(bearer.dropFirst("bearer ".count)))
    }
}
