#if Mirroring
import DBus
import Glibc

/// The part of Avahi's D-Bus interface that is used here (avahi-daemon 0.6 to 0.8, `org.freedesktop.Avahi.*.xml`).
enum Avahi {
    static let service = "org.freedesktop.Avahi"
    static let server = "org.freedesktop.Avahi.Server"
    static let browser = "org.freedesktop.Avahi.ServiceBrowser"
    static let group = "org.freedesktop.Avahi.EntryGroup"
    /// The announced service type (RFC 6763, section 7). Not registered with IANA.
    static let type = "_openhealthkit._tcp"

    /// Any interface, any protocol (`AVAHI_IF_UNSPEC`, `AVAHI_PROTO_UNSPEC`).
    static let any: Int32 = -1
    static let ipv4: Int32 = 0
    static let ipv6: Int32 = 1

    /// `AvahiServerState`.
    enum ServerState: Int32 { case invalid, registering, running, collision, failure }
    /// `AvahiEntryGroupState`.
    enum GroupState: Int32 { case uncommitted, registering, established, collision, failure }

    static func call(_ path: String, _ interface: String, _ member: String, _ body: DBusValue...) -> DBusMessage {
        DBusMessage(
            kind: .call, destination: service, path: path, interface: interface, member: member, body: body)
    }

    static let watchesOwner =
        "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(service)'"
    /// The bus itself. No other connection can use its name.
    static let bus = "org.freedesktop.DBus"

    /// Returns the owner of Avahi's name after this signal: an empty text for no owner, nil if the signal is about
    /// something else or does not come from the bus. A rule of ``watchesOwner`` selects among signals to everybody, but
    /// any program can send a signal directly to us.
    static func owner(after signal: DBusMessage) -> String? {
        guard signal.sender == bus, signal.member == "NameOwnerChanged", signal.body.count == 3,
            signal.body[0].asString == service
        else { return nil }
        return signal.body[2].asString
    }

    static let watchesSignals = "type='signal',sender='\(service)'"

    /// One instance of a service on one interface and protocol: the result of a browser, and the input of a resolver.
    struct Item: Hashable {
        var interface: Int32
        var network: Int32
        var name: String
        var type: String
        var domain: String

        /// Reads the body of `ItemNew` and `ItemRemove`: `iisssu`.
        init?(_ body: [DBusValue]) {
            guard body.count >= 5, let interface = body[0].asInt32, let network = body[1].asInt32,
                let name = body[2].asString, let type = body[3].asString, let domain = body[4].asString
            else { return nil }
            self.interface = interface
            self.network = network
            self.name = name
            self.type = type
            self.domain = domain
        }

        var resolve: DBusMessage {
            Avahi.call(
                "/", Avahi.server, "ResolveService", .int32(interface), .int32(network), .string(name), .string(type),
                .string(domain), .int32(network), .uint32(0))
        }
    }

    /// The answer of a resolver.
    struct Resolution {
        var address: MirrorAddress
        var texts: [String: String]

        /// Reads the body of `ResolveService`'s reply: `iissssisqaayu`.
        init?(_ body: [DBusValue]) {
            guard body.count >= 10, let interface = body[0].asInt32, let host = body[7].asString,
                let port = body[8].asUInt16, port > 0, case .array(_, let texts) = body[9]
            else { return nil }
            // A link-local address is useless without its link (RFC 4007, section 11).
            let scope = host.lowercased().hasPrefix("fe80:") ? "%" + Self.interfaceName(interface) : ""
            address = MirrorAddress(host: host + scope, port: Int(port))
            self.texts = texts.compactMap(\.asBytes).reduce(into: [:]) { result, text in
                // The first value of a key is used (RFC 6763, section 6.4).
                let parts = text.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2 else { return }
                let name = String(decoding: parts[0], as: UTF8.self).lowercased()
                if result[name] == nil { result[name] = String(decoding: parts[1], as: UTF8.self) }
            }
        }

        private static func interfaceName(_ index: Int32) -> String {
            var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE) + 1)
            guard index > 0, if_indextoname(UInt32(index), &name) != nil else { return "\(index)" }
            return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }
}
#endif
