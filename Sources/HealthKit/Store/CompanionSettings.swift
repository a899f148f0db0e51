public import Foundation

/// Which machines sessions are mirrored to, and where mirrored sessions come in.
///
/// What is nil is asked of the environment: `HEALTHKIT_MIRROR` and `HEALTHKIT_MIRROR_LISTEN`, then `mirror` and
/// `mirrorListen` of `config.json`, then the machines that are paired.
public struct CompanionSettings: Sendable {
    /// `HOST:PORT` each; without a port, 7654. Nil: those that are paired, at the address they had last.
    public var peers: [String]?
    /// `HOST:PORT`; port 0 chooses a free one. Nil: port 7654 of all addresses if a machine is paired, else nowhere.
    public var listen: String?
    /// Where this machine's key and the machines that it trusts are kept; nil for `$XDG_CONFIG_HOME/healthkit/mirror`.
    public var folder: URL?
    /// Whether workouts that other machines mirror to this one are saved here too, once they are finished there.
    public var savesWorkouts = false

    public init(
        peers: [String]? = nil, listen: String? = nil, folder: URL? = nil, savesWorkouts: Bool = false
    ) {
        self.peers = peers
        self.listen = listen
        self.folder = folder
        self.savesWorkouts = savesWorkouts
    }

    /// Neither mirrors nor listens.
    package static let none = CompanionSettings(peers: [])

    package init(variables: [String: String]) {
        self.init(variables: variables, configured: Result { try ConfigurationFile.read(variables: variables) })
    }

    init(variables: [String: String], configured file: Result<ConfigurationFile?, any Error>) {
        let file = try? file.get()
        peers = (variables["HEALTHKIT_MIRROR"] ?? file?.mirror).map {
            $0.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        }
        listen = variables["HEALTHKIT_MIRROR_LISTEN"] ?? file?.mirrorListen
        folder = ConfigurationFile.folder(variables: variables)?.appendingPathComponent("mirror")
    }

    /// With what code left open taken from another one.
    func completed(by other: CompanionSettings) -> CompanionSettings {
        var settings = self
        settings.peers = peers ?? other.peers
        settings.listen = listen ?? other.listen
        settings.folder = folder ?? other.folder
        return settings
    }
}
