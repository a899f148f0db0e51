import Brokers
public import Foundation

/// The machines to mirror sessions to, and the address to listen on for mirrored sessions.
///
/// Both can also be servers of NATS, `nats://HOST,HOST/PREFIX`, through which paired machines find each other wherever they are. What they
/// send is encrypted between the two machines. Needs the package trait `Brokers`.
///
/// If a property is nil, the environment supplies it: `HEALTHKIT_MIRROR` and `HEALTHKIT_MIRROR_LISTEN`, then `mirror` and `mirrorListen` of
/// `config.json`, then the paired machines.
public struct CompanionSettings: Sendable {
    /// Addresses as `HOST:PORT`. The port defaults to 7654. Nil means the paired machines at their last addresses.
    public var peers: [String]?
    /// The address to listen on as `HOST:PORT`. Port 0 chooses a free one. Nil means port 7654 of all addresses if a
    /// machine is paired. Otherwise this process doesn't listen.
    public var listen: String?
    /// The folder of this machine's key and of the paired machines. Nil means `$XDG_CONFIG_HOME/healthkit/mirror`.
    public var folder: URL?
    /// Whether this machine also saves workouts that other machines mirror to it, once they are finished.
    public var savesWorkouts = false
    /// Whether to announce a listener on the local network, and to search there for paired machines with new addresses. Needs Avahi.
    /// `HEALTHKIT_MIRROR_DISCOVERY=off` and `mirrorDiscovery` of `config.json` turn it off.
    public var discovers: Bool
    /// With the password of servers of NATS.
    var brokers = PublishSettings.none
    /// The environment's setting for ``discovers``.
    private var discovery: String?
    /// Why `config.json` can't be read. It may contain other settings than the defaults.
    private var fault: HKError?

    /// Creates settings. Without arguments, the environment supplies everything. Nothing is read or opened before a
    /// session or a store needs it.
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

    /// Settings that neither mirror nor listen.
    package static let none = CompanionSettings(peers: [])

    /// - Parameter variables: Environment variables, completed by the settings of `config.json`.
    init(variables: [String: String], fault: HKError? = nil) {
        self.fault = fault
        peers = variables["HEALTHKIT_MIRROR"].map { NATSAddress.list($0) }
        brokers = PublishSettings(passwordFrom: variables)
        listen = variables["HEALTHKIT_MIRROR_LISTEN"].flatMap { $0.isEmpty ? nil : $0 }
        discovery = variables["HEALTHKIT_MIRROR_DISCOVERY"]
        discovers = discovery != "off"
        folder = ConfigurationFile.folder(variables: variables)?.appendingPathComponent("mirror")
    }

    /// Throws ``HKError/Code/errorInvalidArgument`` if the environment has an invalid setting.
    func check() throws {
        if let fault { throw fault }
        guard let discovery, !["", "on", "off"].contains(discovery) else { return }
        throw HKError.make(
            .errorInvalidArgument,
            "HEALTHKIT_MIRROR_DISCOVERY must be on or off, not '\(discovery)'.")
    }

    /// Returns these settings, with missing ones from another value.
    func completed(by other: CompanionSettings) -> CompanionSettings {
        var settings = self
        settings.peers = peers ?? other.peers
        settings.listen = listen ?? other.listen
        settings.folder = folder ?? other.folder
        settings.discovers = discovers && other.discovers
        settings.brokers = other.brokers
        return settings
    }
}
