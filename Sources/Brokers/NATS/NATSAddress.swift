package import Foundation

/// The address of NATS servers in options and variables:
/// `nats[s]://[USER@]HOST[:PORT][,HOST[:PORT]…][/PREFIX][?OPTION=VALUE&…]`.
///
/// | option | meaning |
/// | --- | --- |
/// | `creds` | a file with the user's JWT and seed, as `nsc` writes it |
/// | `nkey` | a file with the seed of an NKey, whose public key is USER |
/// | `ca` | a file with the certificates to trust instead of the system's |
/// | `person` | the person who trains; by default the one of the publishing program |
package struct NATSAddress: Sendable, Equatable, CustomStringConvertible {
    package struct Host: Sendable, Equatable, CustomStringConvertible {
        package var name: String
        package var port: Int

        package var description: String { (name.contains(":") ? "[\(name)]" : name) + ":\(port)" }
    }

    package var hosts: [Host]
    package var usesTLS: Bool
    package var user: String?
    package var password: String?
    /// The first part of each subject.
    package var prefix: String
    package var credentialsFile: String?
    package var seedFile: String?
    package var certificatesFile: String?
    package var person: String?
    /// The session that is followed.
    package var session: UUID?

    package static let defaultPrefix = "workouts"
    private static let defaultPort = 4222

    package static func isAddress(_ text: String) -> Bool {
        text.lowercased().hasPrefix("nats://") || text.lowercased().hasPrefix("natss://")
    }

    /// Splits a list at its commas, except for those between the hosts of NATS addresses.
    package static func list(_ text: String) -> [String] {
        var parts: [String] = []
        for part in text.split(separator: ",").map({ $0.trimmingCharacters(in: .whitespaces) }) where !part.isEmpty {
            if let last = parts.last, isAddress(last), !last.dropFirst(8).contains(where: "/?".contains),
                !part.contains("://")
            {
                parts[parts.count - 1] += "," + part
            } else {
                parts.append(part)
            }
        }
        return parts
    }

    /// The address without its password and options.
    package var description: String {
        let names = hosts.map(\.description)
        return (usesTLS ? "natss://" : "nats://") + (user.map { "\($0)@" } ?? "") + names.joined(separator: ",")
    }

    /// The address with its options, without its password.
    package var text: String {
        let options = [("creds", credentialsFile), ("nkey", seedFile), ("ca", certificatesFile), ("person", person)]
        var parts = URLComponents()
        parts.path = "/" + prefix.replacing(".", with: "/")
        parts.queryItems = options.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
        if parts.queryItems?.isEmpty == true { parts.queryItems = nil }
        return description + (parts.string ?? "")
    }

    /// The addresses for the client, one for each server.
    var servers: [String] { hosts.map { "nats://\($0)" } }

    package init(_ text: String) throws(BrokerError) {
        let shown = BrokerAddress.withoutPassword(text)
        func refused(_ reason: String) -> BrokerError { .address(shown, reason: reason) }
        guard Self.isAddress(text), let start = text.range(of: "://")?.upperBound else {
            throw refused("an address looks like nats://USER@HOST:PORT/PREFIX")
        }
        usesTLS = text.lowercased().hasPrefix("natss")
        let rest = text[start...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        // A list of hosts is not valid in a URL, so only the parts before and after it are parsed.
        guard let parts = URLComponents(string: "nats://x" + rest[authority.endIndex...]), parts.fragment == nil else {
            throw refused("an address looks like nats://USER@HOST:PORT/PREFIX")
        }
        var hosts = authority
        if let at = authority.lastIndex(of: "@") {
            let words = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                .map { String($0).removingPercentEncoding ?? String($0) }
            user = words.first.flatMap { $0.isEmpty ? nil : $0 }
            password = words.count > 1 ? words[1] : nil
            hosts = authority[authority.index(after: at)...]
        }
        self.hosts = []
        for host in hosts.split(separator: ",", omittingEmptySubsequences: false) {
            guard let parsed = Self.host(host) else { throw refused("'\(host)' is not a host") }
            self.hosts.append(parsed)
        }
        var levels = parts.path.split(separator: "/")
        session = levels.last.flatMap { UUID(uuidString: String($0)) }
        if session != nil { levels.removeLast() }
        prefix = levels.isEmpty ? Self.defaultPrefix : levels.joined(separator: ".")
        guard Self.isSubject(prefix) else { throw refused("a prefix has letters, digits, - and _") }
        for item in parts.queryItems ?? [] {
            let value = item.value ?? ""
            guard !value.isEmpty else { throw refused("\(item.name) is empty") }
            switch item.name {
            case "creds": credentialsFile = value
            case "nkey": seedFile = value
            case "ca": certificatesFile = value
            case "person":
                guard Self.isSubject(value), !value.contains(".") else {
                    throw refused("a person has letters, digits, - and _")
                }
                person = value
            default: throw refused("unknown option '\(item.name)'; known are ca, creds, nkey, person")
            }
        }
        if certificatesFile != nil, !usesTLS { throw refused("ca needs natss://") }
        if seedFile != nil, user == nil { throw refused("nkey needs the public key as USER") }
    }

    private static func host(_ text: Substring) -> Host? {
        guard let parts = URLComponents(string: "nats://\(text)"), let name = parts.host, !name.isEmpty,
            parts.user == nil
        else { return nil }
        let port = parts.port ?? defaultPort
        guard (1...65_535).contains(port) else { return nil }
        return Host(
            name: name.hasPrefix("[") && name.hasSuffix("]") ? String(name.dropFirst().dropLast()) : name, port: port)
    }

    /// Whether a text is a valid subject, without wildcards and reserved names.
    static func isSubject(_ text: String) -> Bool {
        !text.isEmpty && !text.hasPrefix("$") && text.utf8.count <= 200
            && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { token in
                !token.isEmpty
                    && token.utf8.allSatisfy { byte in
                        switch byte {
                        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                            true
                        default: false
                        }
                    }
            }
    }
}

/// The subjects of one session.
package struct SessionSubjects: Sendable, Equatable {
    package let prefix: String
    package let person: String
    package let session: UUID

    package init(prefix: String, person: String, session: UUID) {
        self.prefix = prefix
        self.person = person
        self.session = session
    }

    /// Parses the subject of a session's log or of its end.
    package init?(_ subject: String, prefix: String) {
        guard subject.hasPrefix(prefix + ".") else { return nil }
        let tokens = subject.dropFirst(prefix.count + 1).split(separator: ".", omittingEmptySubsequences: false)
        guard tokens.count == 3, ["log", "end"].contains(tokens[2]), let session = UUID(uuidString: String(tokens[1]))
        else {
            return nil
        }
        self.init(prefix: prefix, person: String(tokens[0]), session: session)
    }

    /// The lines of its log, in order.
    package var log: String { "\(prefix).\(person).\(session.uuidString).log" }
    /// One message when the log is complete.
    package var end: String { "\(prefix).\(person).\(session.uuidString).end" }

    /// The subjects that a stream needs to keep sessions.
    package static func all(prefix: String) -> String { "\(prefix).>" }
    /// The subjects of the logs and ends of some sessions.
    package static func sessions(prefix: String, person: String?, session: UUID?) -> String {
        "\(prefix).\(person ?? "*").\(session?.uuidString ?? "*").*"
    }
    /// The subjects of the ends of all sessions, or of one person's.
    package static func ends(prefix: String, person: String?) -> String { "\(prefix).\(person ?? "*").*.end" }

    /// A text as a part of a subject.
    package static func token(_ text: String) -> String {
        let token = String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) ? $0 : "-" })
        return token.isEmpty ? "-" : token
    }
}
