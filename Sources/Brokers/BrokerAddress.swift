import Foundation

/// The address of a broker in options and variables: `mqtt[s]://[USER@]HOST[:PORT][/PREFIX][?OPTION=VALUE&…]`.
///
/// | option | meaning |
/// | --- | --- |
/// | `qos` | 0 (default), 1 or 2 |
/// | `version` | 3.1.1 (default) or 5 |
/// | `discovery` | the prefix of Home Assistant's discovery topics, `homeassistant` by default; `off` for none |
/// | `ca` | a file with the certificates to trust instead of the system's |
/// | `topic`, `path` | for a sensor: the topic, and the path of the heart rate in its JSON |
package struct BrokerAddress: Sendable, Equatable, CustomStringConvertible {
    package enum ProtocolVersion: String, Sendable, Equatable { case v311 = "3.1.1", v5 = "5" }

    package var host: String
    package var port: Int
    package var usesTLS: Bool
    package var user: String?
    package var password: String?
    /// The levels before a session's topics. Nil for the default.
    package var prefix: String?
    package var qos = 0
    package var version = ProtocolVersion.v311
    /// The prefix of discovery topics. Nil for no discovery.
    package var discoveryPrefix: String? = "homeassistant"
    package var certificatesFile: String?
    package var topic: String?
    package var path: String?

    /// The address without its password and options.
    package var description: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return (usesTLS ? "mqtts://" : "mqtt://") + (user.map { "\($0)@" } ?? "") + "\(name):\(port)"
    }

    /// Parses the address of a broker to publish to.
    package init(publishing text: String) throws(BrokerError) {
        try self.init(text, options: ["qos", "version", "discovery", "ca"])
    }

    /// Parses the address of a broker to read heart rates from.
    package init(sensor text: String) throws(BrokerError) {
        try self.init(text, options: ["qos", "version", "ca", "topic", "path"])
        guard topic != nil else {
            throw .address(description, reason: "it needs a topic, such as ?topic=gym/heart-rate")
        }
    }

    private init(_ text: String, options allowed: Set<String>) throws(BrokerError) {
        let shown = Self.withoutPassword(text)
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            ["mqtt", "mqtts"].contains(scheme), parts.fragment == nil, let host = parts.host, !host.isEmpty
        else { throw .address(shown, reason: "an address looks like mqtt://USER@HOST:PORT/PREFIX") }
        self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        usesTLS = scheme == "mqtts"
        port = parts.port ?? (usesTLS ? 8883 : 1883)
        guard (1...65_535).contains(port) else { throw .address(shown, reason: "a port is 1 to 65535") }
        user = parts.user.flatMap { $0.isEmpty ? nil : $0 }
        password = parts.password
        let levels = parts.path.split(separator: "/", omittingEmptySubsequences: true).joined(separator: "/")
        prefix = levels.isEmpty ? nil : levels
        if let prefix, !Self.isTopic(prefix) { throw .address(shown, reason: "a prefix has no # and no +") }
        for item in parts.queryItems ?? [] {
            let value = item.value ?? ""
            guard allowed.contains(item.name) else {
                let known = allowed.sorted().joined(separator: ", ")
                throw .address(shown, reason: "unknown option '\(item.name)'; known are \(known)")
            }
            if let reason = take(item.name, value) { throw .address(shown, reason: reason) }
        }
        if certificatesFile != nil, !usesTLS { throw .address(shown, reason: "ca needs mqtts://") }
    }

    /// Returns why the value of an option cannot be used.
    private mutating func take(_ option: String, _ value: String) -> String? {
        switch option {
        case "qos":
            guard let qos = Int(value), (0...2).contains(qos) else { return "qos is 0, 1 or 2" }
            self.qos = qos
        case "version":
            guard let version = ProtocolVersion(rawValue: value) else { return "version is 3.1.1 or 5" }
            self.version = version
        case "discovery":
            guard Self.isTopic(value) else { return "discovery is a prefix of topics, or off" }
            discoveryPrefix = value == "off" ? nil : value
        case "ca": certificatesFile = value
        case "topic":
            guard !value.isEmpty, value.utf8.count <= 65_535, !value.contains("\0") else { return "topic is empty" }
            topic = value
        default: path = value.isEmpty ? nil : value
        }
        return nil
    }

    /// Whether messages may be published to it.
    static func isTopic(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 60_000 && !text.contains { "#+\0".contains($0) }
    }

    /// The address for messages, without the text between the user and the last @ of the host part.
    package static func withoutPassword(_ text: String) -> String {
        guard let start = text.range(of: "://")?.upperBound else { return text }
        let authority = text[start...].prefix { !"/?#".contains($0) }
        var rest = authority
        if !authority.contains("@"), let colon = authority.firstIndex(of: ":"),
            !authority[colon...].dropFirst().allSatisfy(\.isNumber)
        {
            // It is not a port, so it is a password with an unescaped slash. It extends to the last @.
            rest = text[start...]
        }
        guard let at = rest.lastIndex(of: "@"), let colon = text[start..<at].firstIndex(of: ":") else { return text }
        return String(text[..<colon]) + text[at...]
    }
}
