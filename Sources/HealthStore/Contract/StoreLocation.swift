/// The location of a health store.
package enum StoreLocation: Sendable, Hashable {
    /// In memory, until the process ends.
    case memory
    case file(String)
    case postgreSQL(PostgreSQLAddress)
    /// An address that this build cannot open, by its scheme, such as `postgresql`. Using it throws ``fault``.
    case unknown(scheme: String)

    /// The value of the variable `HEALTHKIT_STORE` (`memory`, a path, or an address for libpq), else
    /// `$XDG_DATA_HOME/healthkit/health.sqlite`, which is usually `~/.local/share/healthkit/health.sqlite`.
    package init(variables: [String: String]) {
        func variable(_ name: String) -> String? { variables[name].flatMap { $0.isEmpty ? nil : $0 } }
        if let text = variable("HEALTHKIT_STORE") {
            self =
                if text == "memory" {
                    .memory
                } else if let scheme = Self.scheme(of: text) {
                    if scheme == "postgresql" || scheme == "postgres" {
                        .postgreSQL(PostgreSQLAddress(text, variables: variables))
                    } else {
                        .unknown(scheme: scheme)
                    }
                } else {
                    .file(Self.absolute(text, home: variable("HOME")))
                }
            return
        }
        self = .file(Self.dataFolder(variables: variables) + "/health.sqlite")
    }

    /// The user's folder for stores and the files beside them.
    static func dataFolder(variables: [String: String]) -> String {
        // The XDG base directory specification requires that relative paths be ignored.
        let data = variables["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = variables["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
        return (data ?? home + "/.local/share") + "/healthkit"
    }

    /// Its name in messages: a path, or an address without secrets.
    package var name: String {
        switch self {
        case .memory: "memory"
        case .file(let path): path
        case .postgreSQL(let address): "\(address)"
        case .unknown(let scheme): "\(scheme)://…"
        }
    }

    /// Whether the store exists, as far as is known without asking a server.
    package var exists: Bool {
        if case .file(let path) = self { FileManager.default.fileExists(atPath: path) } else { true }
    }

    /// The subject of sentences about it.
    package var title: String {
        switch self {
        case .memory: "The health store in memory"
        case .file, .postgreSQL, .unknown: "The health store \(name)"
        }
    }

    /// Beside the store's file, or for a server in the user's folder on this machine.
    package var journalFolder: URL? {
        localPath.map { URL(fileURLWithPath: $0 + "-sessions", isDirectory: true) }
    }

    /// The prefix of paths on this machine for files that belong to the store but are not in it. Nil for a store in
    /// memory.
    package var localPath: String? {
        switch self {
        case .file(let path): path
        case .postgreSQL(let address): address.localPath
        case .memory, .unknown: nil
        }
    }

    /// Why nothing can be stored there. Nil if it can. The rest of an address may contain a password and is not shown.
    package var fault: HKError? {
        switch self {
        case .unknown(let scheme): return Self.fault(of: scheme)
        case .postgreSQL:
            #if PostgreSQL
            return nil
            #else
            return HKError.make(
                .errorInvalidArgument,
                "HEALTHKIT_STORE names a PostgreSQL store, and this program was built without PostgreSQL. Build it with the "
                    + "package trait PostgreSQL, or set HEALTHKIT_STORE to the path of a file or to memory.")
            #endif
        case .memory, .file: return nil
        }
    }

    static func fault(of scheme: String) -> HKError {
        HKError.make(
            .errorInvalidArgument,
            "HEALTHKIT_STORE names a store by \(scheme)://, which this version cannot use. Set it to the path of a file, to "
                + "memory or to postgresql://…; in config.json it is called store.")
    }

    /// The part before `://` (RFC 3986, section 3.1). Nil for a path.
    private static func scheme(of text: String) -> String? {
        text.prefixMatch(of: /([A-Za-z][A-Za-z0-9+.\-]*):\/\//).map { String($0.1) }
    }

    private static func absolute(_ path: String, home: String?) -> String {
        if path.hasPrefix("~/"), let home { return home + path.dropFirst() }
        return URL(fileURLWithPath: path).standardizedFileURL.path
    }
}
