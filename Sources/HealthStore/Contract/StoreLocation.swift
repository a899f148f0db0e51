/// Where a health store is.
package enum StoreLocation: Sendable, Hashable {
    /// As long as the process lasts.
    case memory
    case file(String)

    /// What the variable `HEALTHKIT_STORE` says (`memory` or a path), else
    /// `$XDG_DATA_HOME/healthkit/health.sqlite`, which is `~/.local/share/healthkit/health.sqlite` as a rule.
    package init(variables: [String: String]) {
        func variable(_ name: String) -> String? { variables[name].flatMap { $0.isEmpty ? nil : $0 } }
        if let text = variable("HEALTHKIT_STORE") {
            self = text == "memory" ? .memory : .file(Self.absolute(text, home: variable("HOME")))
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
        }
    }

    /// Beside the store's file.
    package var journalFolder: URL? {
        guard case .file(let path) = self else { return nil }
        return URL(fileURLWithPath: path + "-sessions", isDirectory: true)
    }

    private static func absolute(_ path: String, home: String?) -> String {
        if path.hasPrefix("~/"), let home { return home + path.dropFirst() }
        return URL(fileURLWithPath: path).standardizedFileURL.path
    }
}
