import DBus
import Foundation
import PrivateBus
import Testing

@testable import Bluetooth

/// An `org.bluez` on a private bus that behaves as bluetoothd does, unless a script says otherwise.
///
/// Its sessions (scans, subscriptions, agents) hang on the caller's connection, as bluetoothd's do.
@BusActor
final class FakeBlueZ {
    enum Answer: Sendable {
        case ok([DBusValue] = [])
        case error(String, String)
        case never
        /// What it does by itself.
        case usual
    }

    typealias Objects = [String: [String: [String: DBusValue]]]

    let bus: PrivateBus
    private(set) var connection: DBusConnection
    private(set) var objects: Objects = [:]
    /// Every call, as `Connect /org/bluez/hci0/dev_…`.
    private(set) var calls: [String] = []
    /// The filters that were set, in their order.
    private(set) var filters: [[String: DBusValue]] = []
    /// Who scans: the callers' names.
    private(set) var scans: Set<String> = []
    /// Who is subscribed: the characteristic's path and the caller's name.
    private(set) var subscriptions: Set<[String]> = []
    private(set) var agents: [String: String] = [:]
    /// What agents have answered; scripts put it here.
    var answers: [[DBusValue]] = []
    /// What to do on a call, by its member; what it answers is sent. `.usual` goes on as without it.
    var script: [String: @BusActor (DBusMessage) async -> Answer] = [:]
    /// What a device has after its link is up; told once `Connect` is answered.
    var services: [String: Objects] = [:]
    /// Looked at after every call and signal.
    let changed = BusWaiters()

    static let limit = Duration.seconds(240)

    /// On a new bus, with the adapter hci0, which is on.
    init() async throws {
        bus = try await PrivateBus()
        connection = try await DBusConnection.open(bus.address, atMost: Self.limit)
        try await serve()
        add("/org/bluez", ["org.bluez.AgentManager1": [:]])
        addAdapter("hci0", "00:1A:7D:DA:71:10")
    }

    private func serve() async throws {
        connection.onCall = { [weak self] call in
            self?.take(call)
            return true
        }
        connection.onSignal = { [weak self] signal, _ in
            // A connection that closes takes its sessions with it.
            guard signal.member == "NameOwnerChanged", let name = signal.body.first?.asString,
                signal.body.last?.asString == ""
            else { return }
            self?.forgetSessions(of: name)
        }
        try await connection.addMatch(
            "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged'", atMost: Self.limit)
        try await connection.call(.bus("RequestName", .string(BlueZ.service), .uint32(4)), atMost: Self.limit)
    }

    private func forgetSessions(of name: String) {
        scans.remove(name)
        subscriptions = subscriptions.filter { $0[1] != name }
        agents[name] = nil
        changed.look()
    }

    func close() {
        // Scripts mostly hold the fake.
        script = [:]
        connection.close()
        bus.kill()
    }

    // MARK: objects

    static func path(_ address: String, adapter: String = "hci0") -> String {
        "/org/bluez/\(adapter)/dev_" + address.split(separator: ":").joined(separator: "_")
    }

    func addAdapter(_ name: String, _ address: String, _ more: [String: DBusValue] = [:]) {
        var properties: [String: DBusValue] = [
            "Address": .string(address), "Powered": .boolean(true), "Discovering": .boolean(false),
            "Roles": .strings(["central", "peripheral"]),
        ]
        properties.merge(more) { $1 }
        add("/org/bluez/\(name)", ["org.bluez.Adapter1": properties])
    }

    /// A device that has been heard; with the services of a strap once connected.
    @discardableResult
    func addStrap(
        _ address: String, adapter: String = "hci0", heard: Bool = true, _ more: [String: DBusValue] = [:]
    ) -> String {
        let path = Self.path(address, adapter: adapter)
        var properties: [String: DBusValue] = [
            "Address": .string(address), "AddressType": .string("random"), "Name": .string("Strap"),
            "Adapter": .objectPath("/org/bluez/\(adapter)"), "Connected": .boolean(false),
            "Paired": .boolean(false), "Trusted": .boolean(false), "ServicesResolved": .boolean(false),
            "UUIDs": .strings([BluetoothUUID.heartRateService.full]),
        ]
        if heard { properties["RSSI"] = .int16(-60) }
        properties.merge(more) { $1 }
        services[path] = Self.strapServices(path)
        add(path, ["org.bluez.Device1": properties])
        return path
    }

    /// Heart rate (0x2A37 at handle 12), body sensor location and a battery's level.
    static func strapServices(_ device: String) -> Objects {
        var objects: Objects = [:]
        func add(_ service: String, _ uuid: BluetoothUUID, _ characteristics: [(String, BluetoothUUID, [String])]) {
            objects["\(device)/\(service)"] = [
                "org.bluez.GattService1": [
                    "UUID": .string(uuid.full), "Device": .objectPath(device), "Primary": .boolean(true),
                ]
            ]
            for (name, uuid, flags) in characteristics {
                objects["\(device)/\(service)/\(name)"] = [
                    "org.bluez.GattCharacteristic1": [
                        "UUID": .string(uuid.full), "Service": .objectPath("\(device)/\(service)"),
                        "Flags": .strings(flags), "Notifying": .boolean(false),
                    ]
                ]
            }
        }
        add(
            "service000a", .heartRateService,
            [
                ("char000b", .heartRateMeasurement, ["notify"]), ("char000e", .bodySensorLocation, ["read"]),
                ("char0010", .heartRateControlPoint, ["write"]),
            ])
        add("service0020", .batteryService, [("char0021", .batteryLevel, ["read", "notify"])])
        return objects
    }

    static func measurement(_ device: String) -> String { device + "/service000a/char000b" }

    func add(_ path: String, _ interfaces: [String: [String: DBusValue]]) {
        objects[path, default: [:]].merge(interfaces) { $1 }
        signal("/", BlueZ.objectManager, "InterfacesAdded", .objectPath(path), Self.value(interfaces))
    }

    /// Takes an object and, unless told otherwise, everything below away.
    func remove(_ path: String, tellingChildren: Bool = true) {
        let below = objects.keys.filter { $0.hasPrefix(path + "/") }.sorted().reversed()
        for child in below {
            let interfaces = objects.removeValue(forKey: child)?.keys.sorted() ?? []
            if tellingChildren { tellRemoved(child, interfaces) }
        }
        tellRemoved(path, objects.removeValue(forKey: path)?.keys.sorted() ?? [])
    }

    func remove(_ path: String, interface: String) {
        objects[path]?[interface] = nil
        tellRemoved(path, [interface])
    }

    private func tellRemoved(_ path: String, _ interfaces: [String]) {
        signal("/", BlueZ.objectManager, "InterfacesRemoved", .objectPath(path), .strings(interfaces))
    }

    func change(_ path: String, _ interface: String, _ properties: [String: DBusValue], withdrawn: [String] = []) {
        objects[path]?[interface]?.merge(properties) { $1 }
        for name in withdrawn { objects[path]?[interface]?[name] = nil }
        signal(
            path, BlueZ.properties, "PropertiesChanged", .string(interface), .properties(properties),
            .strings(withdrawn))
    }

    /// The adapter goes off, and with it every scan.
    func switchOff(_ adapter: String = "/org/bluez/hci0") {
        scans = []
        change(adapter, BlueZ.adapter, ["Powered": .boolean(false), "Discovering": .boolean(false)])
    }

    func changeDevice(_ path: String, _ properties: [String: DBusValue]) {
        change(path, BlueZ.device, properties)
    }

    func property(_ path: String, _ interface: String, _ name: String) -> DBusValue? {
        objects[path]?[interface]?[name]
    }

    func signal(_ path: String, _ interface: String, _ member: String, _ body: DBusValue...) {
        var message = DBusMessage.signal(path, interface, member)
        message.body = body
        try? connection.send(message)
        changed.look()
    }

    private static func value(_ interfaces: [String: [String: DBusValue]]) -> DBusValue {
        .dictionary(
            key: "s", value: "a{sv}",
            interfaces.sorted { $0.key < $1.key }.map { .init(key: .string($0.key), value: .properties($0.value)) })
    }

    var managedObjects: DBusValue {
        .dictionary(
            key: "o", value: "a{sa{sv}}",
            objects.sorted { $0.key < $1.key }.map { .init(key: .objectPath($0.key), value: Self.value($0.value)) })
    }

    // MARK: what devices do

    /// A notification, told once for each subscriber.
    func notify(_ device: String, _ bytes: [UInt8]) {
        let path = Self.measurement(device)
        for subscription in subscriptions where subscription[0] == path {
            change(path, BlueZ.characteristic, ["Value": .bytes(bytes)])
        }
    }

    func link(_ device: String) {
        changeDevice(device, ["Connected": .boolean(true)])
    }

    func resolve(_ device: String) {
        for (path, interfaces) in (services[device] ?? [:]).sorted(by: { $0.key < $1.key }) { add(path, interfaces) }
        changeDevice(device, ["ServicesResolved": .boolean(true)])
    }

    /// The link breaks; newer versions say why.
    func drop(_ device: String, reason: String? = nil) {
        if let reason {
            signal(device, BlueZ.device, "Disconnected", .string("org.bluez.Reason.\(reason)"), .string(""))
        }
        changeDevice(device, ["Connected": .boolean(false), "ServicesResolved": .boolean(false)])
    }

    /// Heard once more.
    func advertise(_ device: String, _ rssi: Int16 = -58) {
        changeDevice(device, ["RSSI": .int16(rssi)])
    }

    // MARK: the daemon's life

    /// Dies: its name, its objects and everybody's sessions are gone; nobody is told of the objects.
    func crash() {
        connection.close()
        scans = []
        subscriptions = []
        agents = [:]
        changed.look()
    }

    /// Comes back after ``crash()`` with the objects that it has then.
    func start(_ prepare: (FakeBlueZ) -> Void = { _ in }) async throws {
        connection = try await DBusConnection.open(bus.address, atMost: Self.limit)
        prepare(self)
        try await serve()
        changed.look()
    }

    func reset() { objects = ["/org/bluez": ["org.bluez.AgentManager1": [:]]] }

    // MARK: calls

    func count(_ call: String) -> Int { calls.count { $0.hasPrefix(call) } }

    /// Waits until `condition` holds of the fake.
    func wait(_ what: Comment, until condition: @escaping @BusActor () -> Bool) async throws {
        do throws(DBusCallError) {
            _ = try await changed.wait(atMost: Self.limit) { condition() ? true : nil }
        } catch {
            Issue.record("waited in vain: \(what); calls: \(calls)")
            throw error
        }
    }

    private func take(_ call: DBusMessage) {
        let member = call.member ?? ""
        if member == "Set", call.body.count == 3 {
            calls.append("Set \(call.body[1].asString ?? "") \(call.path ?? "")")
        } else if member == "RemoveDevice" {
            calls.append("RemoveDevice \(call.body.first?.asPath ?? "")")
        } else {
            calls.append("\(member) \(call.path ?? "")")
        }
        changed.look()
        guard let scripted = script[member] else { return answer(call, usual(call)) }
        Task {
            let answer = await scripted(call)
            if case .usual = answer { return self.answer(call, usual(call)) }
            self.answer(call, answer)
        }
    }

    private func answer(_ call: DBusMessage, _ answer: Answer) {
        switch answer {
        case .ok(let body):
            var reply = call.reply()
            reply.body = body
            try? connection.send(reply)
        case .error(let name, let text): try? connection.send(call.error(name, text))
        case .never, .usual: break
        }
        changed.look()
    }

    private func usual(_ call: DBusMessage) -> Answer {
        let path = call.path ?? ""
        let sender = call.sender ?? ""
        if call.interface == BlueZ.objectManager { return .ok([managedObjects]) }
        guard objects[path] != nil else {
            return .error("org.freedesktop.DBus.Error.UnknownObject", "Method \"\(call.member ?? "")\" doesn't exist")
        }
        switch call.member {
        case "Set":
            guard call.body.count == 3, let interface = call.body[0].asString, let name = call.body[1].asString else {
                return .error("org.bluez.Error.InvalidArguments", "Invalid arguments in method call")
            }
            change(path, interface, [name: call.body[2].unwrapped])
            return .ok()
        case "Get":
            guard call.body.count == 2, let interface = call.body[0].asString, let name = call.body[1].asString,
                let value = property(path, interface, name)
            else { return .error("org.freedesktop.DBus.Error.InvalidArgs", "No such property") }
            return .ok([.variant(value)])
        case "SetDiscoveryFilter":
            filters.append(call.body.first?.asProperties ?? [:])
            return .ok()
        case "StartDiscovery":
            guard scans.insert(sender).inserted else {
                return .error("org.bluez.Error.InProgress", "Operation already in progress")
            }
            change(path, BlueZ.adapter, ["Discovering": .boolean(true)])
            return .ok()
        case "StopDiscovery":
            guard scans.remove(sender) != nil else {
                return .error("org.bluez.Error.Failed", "No discovery started")
            }
            change(path, BlueZ.adapter, ["Discovering": .boolean(false)])
            return .ok()
        case "RemoveDevice":
            guard let device = call.body.first?.asPath, objects[device] != nil else {
                return .error("org.bluez.Error.DoesNotExist", "Does Not Exist")
            }
            remove(device)
            return .ok()
        case "Connect":
            if property(path, BlueZ.device, "Connected") == .boolean(true) { return .ok() }
            link(path)
            resolve(path)
            return .ok()
        case "Disconnect":
            guard property(path, BlueZ.device, "Connected") == .boolean(true) else {
                return .error("org.bluez.Error.NotConnected", "Not Connected")
            }
            drop(path)
            return .ok()
        case "Pair":
            changeDevice(path, ["Connected": .boolean(true), "Paired": .boolean(true)])
            return .ok()
        case "CancelPairing":
            return .error("org.bluez.Error.DoesNotExist", "Does Not Exist")
        case "RegisterAgent":
            agents[sender] = call.body.first?.asPath
            return .ok()
        case "UnregisterAgent":
            agents[sender] = nil
            return .ok()
        case "StartNotify":
            subscriptions.insert([path, sender])
            change(path, BlueZ.characteristic, ["Notifying": .boolean(true)])
            return .ok()
        case "StopNotify":
            guard subscriptions.remove([path, sender]) != nil else {
                return .error("org.bluez.Error.Failed", "No notify session started")
            }
            if !subscriptions.contains(where: { $0[0] == path }) {
                change(path, BlueZ.characteristic, ["Notifying": .boolean(false)])
            }
            return .ok()
        case "ReadValue":
            let value = property(path, BlueZ.characteristic, "Value") ?? .bytes([1])
            change(path, BlueZ.characteristic, ["Value": value])
            return .ok([value])
        case "WriteValue":
            return .ok()
        default:
            return .error("org.freedesktop.DBus.Error.UnknownMethod", "No such method")
        }
    }

    /// What the agent that `caller` has registered answers, asked as bluetoothd does while it pairs. Nil: it refuses.
    func answer(of caller: String, _ member: String, _ body: [DBusValue]) async -> DBusMessage? {
        guard let path = agents[caller] else { return nil }
        var message = DBusMessage.call(caller, path, BlueZ.agent, member)
        message.body = body
        return try? await connection.call(message, atMost: Self.limit)
    }
}
