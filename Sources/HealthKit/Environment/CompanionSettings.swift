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
    /// Whether the local network is reported where this process listens, and asked for machines that are not where they were:
    /// through Avahi, where it runs. `HEALTHKIT_MIRROR_DISCOVERY=off` and `mirrorDiscovery` of `config.json` turn it off.
    public var discovers: Bool
    /// What the environment says of that.
    private var discovery: String?
    /// Why `config.json` cannot be read: it may say something else than what is assumed.
    private var fault: HKError?

    /// Without arguments: everything as the environment says. Nothing is read or opened before a session or a store
    /// needs it.
    public init(
        peers: [String]? = nil, listen: String? = nil, folder: URL? = nil, savesWorkouts: Bool = false,
        discovers: Bool = true
    ) {
        self.peers = peers
        self.listen = listen
        self.folder = folder
        self.savesWorkouts = savesWorkouts
        self.discovers = discovers
    }

    /// Neither mirrors nor listens.
    package static let none = CompanionSettings(peers: [])

    /// - Parameter variables: with what `config.json` says in place of those that are not set.
    init(variables: [String: String], fault: HKError? = nil) {
        self.fault = fault
        peers = variables["HEALTHKIT_MIRROR"].map {
            $0.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        }
        listen = variables["HEALTHKIT_MIRROR_LISTEN"].flatMap { $0.isEmpty ? nil : $0 }
        discovery = variables["HEALTHKIT_MIRROR_DISCOVERY"]
        discovers = discovery != "off"
        folder = ConfigurationFile.folder(variables: variables)?.appendingPathComponent("mirror")
    }

    /// Throws ``HKError/Code/errorInvalidArgument`` where the environment says what cannot be.
    func check() throws {
        if let fault { throw fault }
        guard let discovery, !["", "on", "off"].contains(discovery) else { return }
        throw HKError.make(
            .errorInvalidArgument,
            "HEALTHKIT_MIRROR_DISCOVERY must be on or off, not '\(discovery)'.")
    }

    /// With what code left open taken from another one.
    func completed(by other: CompanionSettings) -> CompanionSettings {
        var settings = self
        settings.peers = peers ?? other.peers
        settings.listen = listen ?? other.listen
        settings.folder = folder ?? other.folder
        settings.discovers = discovers && other.discovers
        return settings
    }
}
