import DBus
import Foundation
import PrivateBus
import Testing

@testable import Mirroring

/// An `org.freedesktop.Avahi` on a private bus that behaves like avahi-daemon, in a network that tests make up.
@BusActor
final class FakeAvahi {
    struct Service: Equatable {
        var name: String
        var interface: Int32 = 2
        var network: Int32 = Avahi.ipv4
        var address = "192.0.2.7"
        var port: UInt16 = 7_654
        var texts: [String] = []
        /// Whether it answers requests to resolve it.
        var answers = true
    }

    static let limit = Duration.seconds(240)

    let bus: PrivateBus
    private var connection: DBusConnection
    var services: [Service] = []
    /// Announcements of programs, by the paths of their entry groups.
    private(set) var announced: [String: Service] = [:]
    /// Names that other programs on this machine have.
    var taken: Set<String> = []
    var state = Avahi.ServerState.running
    /// Whether browsers get the signal that everything was found.
    var tellsAllForNow = true
    /// The requested names.
    private(set) var resolving: Set<String> = []
    private var browsers: [String: String] = [:]
    private var owners: [String: String] = [:]
    private var count = 0
    /// Checked after each call.
    let changed = BusWaiters()

    init() async throws {
        bus = try await PrivateBus()
        connection = try await DBusConnection.open(bus.address, atMost: Self.limit)
        try await serve()
    }

    nonisolated var network: LocalNetwork { LocalNetwork { [address = bus.address] in address } }

    private func serve() async throws {
        connection.onCall = { [weak self] call in
            guard let self else { return true }
            take(call)
            changed.recheck()
            return true
        }
        connection.onSignal = { [weak self] signal, _ in
            // When a connection closes, its announcements and browsers end.
            guard let self, signal.body.count == 3, let name = signal.body[0].asString, signal.body[2].asString == ""
            else {
                return
            }
            for (path, owner) in owners where owner == name {
                announced[path] = nil
                browsers[path] = nil
            }
            changed.recheck()
        }
        try await connection.addMatch(
            "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged'", atMost: Self.limit)
        try await connection.call(.bus("RequestName", .string(Avahi.service), .uint32(4)), atMost: Self.limit)
    }

    func close() {
        connection.close()
        bus.kill()
    }

    /// Acts as if avahi-daemon were stopped: it forgets everything.
    func stop() {
        connection.close()
        announced = [:]
        browsers = [:]
    }

    func start() async throws {
        connection = try await DBusConnection.open(bus.address, atMost: Self.limit)
        try await serve()
    }

    @discardableResult
    func wait<Value: Sendable>(until condition: @escaping @BusActor () -> Value?) async throws -> Value {
        try await changed.wait(atMost: Self.limit, until: condition)
    }

    /// Sets the state of the server, and signals it to everybody.
    func change(to state: Avahi.ServerState) throws {
        self.state = state
        try connection.send(
            .signal("/", Avahi.server, "StateChanged", .int32(state.rawValue), .string("")))
    }

    /// Another machine in the network had the name first.
    func collide(_ path: String) throws {
        try notify(path, Avahi.group, "StateChanged", .int32(Avahi.GroupState.collision.rawValue), .string("taken"))
    }

    private func take(_ call: DBusMessage) {
        let path = call.path ?? ""
        switch call.member {
        case "GetState": answer(call, .int32(state.rawValue))
        case "ServiceBrowserNew":
            let browser = object("ServiceBrowser", of: call)
            browsers[browser] = call.sender
            answer(call, .objectPath(browser))
            for service in services { try? notify(browser, Avahi.browser, "ItemNew", body: item(service)) }
            if tellsAllForNow { try? notify(browser, Avahi.browser, "AllForNow") }
        case "ResolveService": resolve(call)
        case "EntryGroupNew": answer(call, .objectPath(object("EntryGroup", of: call)))
        case "AddService":
            guard let name = call.body[3].asString, let port = call.body[7].asUInt16 else {
                return refuse(call, "InvalidServiceError")
            }
            if taken.contains(name) { return refuse(call, "CollisionError") }
            guard case .array(_, let texts) = call.body[8] else { return refuse(call, "InvalidServiceError") }
            announced[path] = Service(
                name: name, interface: call.body[0].asInt32 ?? 0, network: call.body[1].asInt32 ?? 0, port: port,
                texts: texts.compactMap(\.asBytes).map { String(decoding: $0, as: UTF8.self) })
            answer(call)
        case "Reset":
            announced[path] = nil
            answer(call)
        case "Commit": answer(call)
        case "GetAlternativeServiceName": answer(call, .string((call.body[0].asString ?? "") + " #2"))
        default: refuse(call, "NotSupportedError")
        }
    }

    private func resolve(_ call: DBusMessage) {
        if let name = call.body[2].asString { resolving.insert(name) }
        let service = services.first { item($0)[0...2] == call.body[0...2] }
        guard let service else { return refuse(call, "TimeoutError") }
        guard service.answers else { return }
        var reply = call.reply()
        reply.body =
            item(service).dropLast() + [
                .string("host.local"), .int32(service.network), .string(service.address), .uint16(service.port),
                .array(of: "ay", service.texts.map { .bytes(Array($0.utf8)) }), .uint32(0),
            ]
        try? connection.send(reply)
    }

    func item(_ service: Service) -> [DBusValue] {
        [
            .int32(service.interface), .int32(service.network), .string(service.name), .string(Avahi.type),
            .string("local"), .uint32(4),
        ]
    }

    /// The browsers of programs, and their owners.
    var watchers: [String: String] { browsers }

    func appear(_ service: Service) throws {
        services.append(service)
        for browser in browsers.keys { try notify(browser, Avahi.browser, "ItemNew", body: item(service)) }
    }

    func vanish(_ service: Service) throws {
        services.removeAll { $0 == service }
        for browser in browsers.keys { try notify(browser, Avahi.browser, "ItemRemove", body: item(service)) }
    }

    func notifyAllForNow() throws {
        for browser in browsers.keys { try notify(browser, Avahi.browser, "AllForNow") }
    }

    /// avahi-daemon addresses signals to the owner of the object.
    private func notify(_ path: String, _ interface: String, _ member: String, _ body: DBusValue...) throws {
        try notify(path, interface, member, body: body)
    }

    private func notify(_ path: String, _ interface: String, _ member: String, body: [DBusValue]) throws {
        var signal = DBusMessage.signal(path, interface, member)
        signal.destination = owners[path]
        signal.body = body
        try connection.send(signal)
    }

    private func object(_ kind: String, of call: DBusMessage) -> String {
        count += 1
        let path = "/Client\(count)/\(kind)\(count)"
        owners[path] = call.sender
        return path
    }

    private func answer(_ call: DBusMessage, _ body: DBusValue...) {
        var reply = call.reply()
        reply.body = body
        try? connection.send(reply)
    }

    private func refuse(_ call: DBusMessage, _ error: String) {
        try? connection.send(call.error("org.freedesktop.Avahi.\(error)", "because"))
    }
}
