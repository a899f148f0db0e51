import Foundation

/// The address of a store on PostgreSQL, and the person whose data is used.
package struct PostgreSQLAddress: Sendable, Hashable, CustomStringConvertible {
    /// A connection string for libpq, without the person. May contain a password.
    package let connection: String
    /// The name of the person.
    package let person: String
    /// The prefix of paths on this machine for files that belong to the store but are not in it, such as journals of
    /// running sessions.
    package let localPath: String
    private let localFolder: String

    package static let defaultPerson = "default"

    /// - Parameters:
    ///   - text: A connection URI (PostgreSQL's manual, section 34.1.1.2), with the parameter `person` to choose one.
    ///   - variables: `HEALTHKIT_PERSON` names the person if the address does not.
    package init(_ text: String, variables: [String: String]) {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var person: String?
        let parameters = (parts.count > 1 ? parts[1] : "").split(separator: "&").filter { parameter in
            guard parameter.hasPrefix("person=") else { return true }
            person = String(parameter.dropFirst("person=".count)).removingPercentEncoding
            return false
        }
        let chosen = [person, variables["HEALTHKIT_PERSON"]].compactMap { $0 }.first { !$0.isEmpty }
        self.init(
            connection: String(parts[0]) + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&")),
            person: chosen ?? Self.defaultPerson,
            localFolder: StoreLocation.dataFolder(variables: variables) + "/postgresql/")
    }

    private init(connection: String, person: String, localFolder: String) {
        self.connection = connection
        self.person = person
        self.localFolder = localFolder
        let name = "\(Self.shown(connection))?person=\(person)"
        // A name for each store and person, of characters that every file system accepts.
        let safe = name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "_" }.joined().suffix(60)
        localPath = localFolder + safe + "-" + String(Self.fingerprint(name), radix: 16)
    }

    /// The same store for another person.
    package func with(person: String) -> PostgreSQLAddress {
        PostgreSQLAddress(connection: connection, person: person, localFolder: localFolder)
    }

    /// The address to be shown: without user, password and parameters.
    package var description: String { "\(Self.shown(connection)) (person \(person))" }

    /// Without secrets.
    private static func shown(_ address: String) -> String {
        let start = address.prefix { $0 != "?" }
        guard let scheme = start.range(of: "://") else { return String(start) }
        let rest = start[scheme.upperBound...]
        let host = rest.lastIndex(of: "@").map { rest[rest.index(after: $0)...] } ?? rest
        return "postgresql://\(host)"
    }

    /// FNV-1a (draft-eastlake-fnv): the same on every machine and in every version.
    private static func fingerprint(_ text: String) -> UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}

/// A person in a store that several people share.
package struct StoredPerson: Sendable, Equatable {
    package var name: String
    /// The database role whose members may use this person's data. Nil for every role of the store.
    package var login: String?

    package init(name: String, login: String? = nil) {
        self.name = name
        self.login = login
    }
}
