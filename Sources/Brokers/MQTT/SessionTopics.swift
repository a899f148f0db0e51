/// The topics of a session below their prefix. Other people's displays read them, so a topic keeps its name and
/// meaning. See the article "Publishing to MQTT".
package struct SessionTopics: Sendable, Equatable {
    /// The version of topics and payloads, `version` in the JSON. Additions do not change it.
    package static let version = 1
    /// The payloads of ``availability``.
    static let online = "online"
    static let offline = "offline"

    package let prefix: String

    package init(prefix: String) { self.prefix = prefix }

    /// The default prefix of a machine.
    package init(ofMachine name: String) { prefix = "workout/" + Self.level(name) }

    /// The topics of one of several people who train at a machine.
    package func of(athlete name: String) -> SessionTopics { SessionTopics(prefix: prefix + "/" + Self.level(name)) }

    package var availability: String { prefix + "/availability" }
    package var state: String { prefix + "/state" }
    package var heartRate: String { prefix + "/heart-rate" }
    package var zone: String { prefix + "/zone" }
    package var power: String { prefix + "/power" }
    package var pace: String { prefix + "/pace" }
    package var battery: String { prefix + "/battery" }
    package var elapsed: String { prefix + "/elapsed" }
    /// All figures as one JSON object.
    package var session: String { prefix + "/session" }

    /// A name as one level of a topic, and as Home Assistant's part of an ID: letters and digits of ASCII, `_` for everything else.
    static func level(_ name: String) -> String {
        let level = name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
        return level.isEmpty ? "_" : String(level)
    }
}
