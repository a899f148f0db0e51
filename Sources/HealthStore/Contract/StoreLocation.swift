/// Where a health store is.
package enum StoreLocation: Sendable, Hashable {
    /// As long as the process lasts.
    case memory
    case file(String)
    case postgreSQL(PostgreSQLAddress)
    /// An address of a kind that no store is kept at, by its scheme: `postgresql`. What uses it throws ``fault``.
    case unknown(scheme: String)

    /// What the variable `HEALTHKIT_STORE` says (`memory`, a path, or an address that libpq takes), else
    /// `$XDG_DATA_HOME/healthkit/health.sqlite`, which is `~/.local/share/healthkit/health.sqlite` as a rule.
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

    /// The user's folder for stores and what stands beside them.
    static func dataFolder(variables: [String: String]) -> String {
        // The XDG base directory specification has a path that is not absolute ignored.
        let data = variables["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = variables["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
        return (data ?? home + "/.local/share") + "/healthkit"
    }

    /// What people call it: a path, or an address without what may be secret.
    package var name: String {
        switch self {
        case .memory: "memory"
        case .file(let path): path
        case .postgreSQL(let address): "\(address)"
        case .unknown(let scheme): "\(scheme)://…"
        }
    }

    /// Whether there is a store already, as far as that is known without asking a server.
    package var exists: Bool {
        if case .file(let path) = self { FileManager.default.fileExists(atPath: path) } else { true }
    }

    /// The subject of a sentence about it.
    package var title: String {
        switch self {
        case .memory: "The health store in memory"
        case .file, .postgreSQL, .unknown: "The health store \(name)"
        }
    }

    /// Beside the store's file; for a server, in the user's folder on this machine.
    package var journalFolder: URL? {
        localPath.map { URL(fileURLWithPath: $0 + "-sessions", isDirectory: true) }
    }

    /// The start of paths on this machine: of what belongs to the store but is not in it. Nil for a store in memory.
    package var localPath: String? {
        switch self {
        case .file(let path): path
        case .postgreSQL(let address): address.localPath
        case .memory, .unknown: nil
        }
    }

    /// Why nothing can be kept there; nil if something can. The rest of an address may hold a password and is not shown.
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

    /// What stands before `://` (RFC 3986, section 3.1); nil for a path.
    private static func scheme(of text: String) -> String? {
        text.prefixMatch(of: /([A-Za-z][A-Za-z0-9+.\-]*):\/\//).map { String($0.1) }
    }

    private static func absolute(_ path: String, home: String?) -> String {
        if path.hasPrefix("~/"), let home { return home + path.dropFirst() }
        return URL(fileURLWithPath: path).standardizedFileURL.path
    }
}
