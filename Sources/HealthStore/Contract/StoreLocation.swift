/// Where a health store is.
package enum StoreLocation: Sendable, Hashable {
    /// As long as the process lasts.
    case memory
    case file(String)
    /// An address of a kind that no store is kept at, by its scheme: `postgresql`. What uses it throws ``fault``.
    case unknown(scheme: String)

    /// What the variable `HEALTHKIT_STORE` says (`memory` or a path), else
    /// `$XDG_DATA_HOME/healthkit/health.sqlite`, which is `~/.local/share/healthkit/health.sqlite` as a rule.
    package init(variables: [String: String]) {
        func variable(_ name: String) -> String? { variables[name].flatMap { $0.isEmpty ? nil : $0 } }
        if let text = variable("HEALTHKIT_STORE") {
            self =
                if text == "memory" {
                    .memory
                } else if let scheme = Self.scheme(of: text) {
                    .unknown(scheme: scheme)
                } else {
                    .file(Self.absolute(text, home: variable("HOME")))
                }
            return
        }
        // The XDG base directory specification has a path that is not absolute ignored.
        let data = variable("XDG_DATA_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        let folder = data ?? (variable("HOME") ?? NSHomeDirectory()) + "/.local/share"
        self = .file(folder + "/healthkit/health.sqlite")
    }

    /// The subject of a sentence about it.
    var title: String {
        switch self {
        case .memory: "The health store in memory"
        case .file(let path): "The health store \(path)"
        case .unknown(let scheme): "The health store \(scheme)://…"
        }
    }

    /// Beside the store's file.
    package var journalFolder: URL? {
        guard case .file(let path) = self else { return nil }
        return URL(fileURLWithPath: path + "-sessions", isDirectory: true)
    }

    /// Why nothing can be kept there; nil if something can. The rest of an address may hold a password and is not shown.
    package var fault: HKError? {
        if case .unknown(let scheme) = self { Self.fault(of: scheme) } else { nil }
    }

    static func fault(of scheme: String) -> HKError {
        HKError.make(
            .errorInvalidArgument,
            "HEALTHKIT_STORE names a store by \(scheme)://, which this version cannot use. Set it to the path of a file or to "
                + "memory; in config.json it is called store.")
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
