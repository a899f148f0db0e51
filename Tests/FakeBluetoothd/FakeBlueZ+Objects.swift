import Bluetooth
package import DBus
import GATT

/// The objects: adapters, devices, their services.
extension FakeBlueZ {
    package static func path(_ address: String, adapter: String = "hci0") -> String {
        "/org/bluez/\(adapter)/dev_" + address.split(separator: ":").joined(separator: "_")
    }

    package func addAdapter(_ name: String, _ address: String, _ more: [String: DBusValue] = [:]) {
        var properties: [String: DBusValue] = [
            "Address": .string(address), "Powered": .boolean(true), "Discovering": .boolean(false),
            "Roles": .strings(["central", "peripheral"]),
        ]
        properties.merge(more) { $1 }
        add("/org/bluez/\(name)", ["org.bluez.Adapter1": properties])
    }

    /// A discovered device, with the services of a strap once it is connected.
    @discardableResult
    package func addStrap(
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

    /// Heart rate (0x2A37 at handle 12), body sensor location and battery level.
    package static func strapServices(_ device: String) -> Objects {
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

    package static func measurement(_ device: String) -> String { device + "/service000a/char000b" }

    package func add(_ path: String, _ interfaces: [String: [String: DBusValue]]) {
        objects[path, default: [:]].merge(interfaces) { $1 }
        signal("/", BlueZ.objectManager, "InterfacesAdded", .objectPath(path), Self.value(interfaces))
    }

    /// Removes an object and, by default, everything below it.
    package func remove(_ path: String, tellingChildren: Bool = true) {
        let below = objects.keys.filter { $0.hasPrefix(path + "/") }.sorted().reversed()
        for child in below {
            let interfaces = objects.removeValue(forKey: child)?.keys.sorted() ?? []
            if tellingChildren { notifyRemoved(child, interfaces) }
        }
        notifyRemoved(path, objects.removeValue(forKey: path)?.keys.sorted() ?? [])
    }

    package func remove(_ path: String, interface: String) {
        objects[path]?[interface] = nil
        notifyRemoved(path, [interface])
    }

    private func notifyRemoved(_ path: String, _ interfaces: [String]) {
        signal("/", BlueZ.objectManager, "InterfacesRemoved", .objectPath(path), .strings(interfaces))
    }

    package func change(
        _ path: String, _ interface: String, _ properties: [String: DBusValue], withdrawn: [String] = []
    ) {
        objects[path]?[interface]?.merge(properties) { $1 }
        for name in withdrawn { objects[path]?[interface]?[name] = nil }
        signal(
            path, BlueZ.properties, "PropertiesChanged", .string(interface), .properties(properties),
            .strings(withdrawn))
    }

    /// Turns the adapter off, which ends every scan.
    package func switchOff(_ adapter: String = "/org/bluez/hci0") {
        scans = []
        change(adapter, BlueZ.adapter, ["Powered": .boolean(false), "Discovering": .boolean(false)])
    }

    package func changeDevice(_ path: String, _ properties: [String: DBusValue]) {
        change(path, BlueZ.device, properties)
    }

    package func property(_ path: String, _ interface: String, _ name: String) -> DBusValue? {
        objects[path]?[interface]?[name]
    }

    package func signal(_ path: String, _ interface: String, _ member: String, _ body: DBusValue...) {
        var message = DBusMessage.signal(path, interface, member)
        message.body = body
        try? connection.send(message)
        changed.recheck()
    }

    private static func value(_ interfaces: [String: [String: DBusValue]]) -> DBusValue {
        .dictionary(
            key: "s", value: "a{sv}",
            interfaces.sorted { $0.key < $1.key }.map { .init(key: .string($0.key), value: .properties($0.value)) })
    }

    package var managedObjects: DBusValue {
        .dictionary(
            key: "o", value: "a{sa{sv}}",
            objects.sorted { $0.key < $1.key }.map { .init(key: .objectPath($0.key), value: Self.value($0.value)) })
    }
}

// MARK: Devices

extension FakeBlueZ {
    /// Sends a notification once for each subscriber.
    package func notify(_ device: String, _ bytes: [UInt8]) {
        let path = Self.measurement(device)
        for subscription in subscriptions where subscription[0] == path {
            change(path, BlueZ.characteristic, ["Value": .bytes(bytes)])
        }
    }

    package func link(_ device: String) {
        changeDevice(device, ["Connected": .boolean(true)])
    }

    package func resolve(_ device: String) {
        for (path, interfaces) in (services[device] ?? [:]).sorted(by: { $0.key < $1.key }) { add(path, interfaces) }
        changeDevice(device, ["ServicesResolved": .boolean(true)])
    }

    /// Breaks the link; newer versions report the reason.
    package func drop(_ device: String, reason: String? = nil) {
        if let reason {
            signal(device, BlueZ.device, "Disconnected", .string("org.bluez.Reason.\(reason)"), .string(""))
        }
        changeDevice(device, ["Connected": .boolean(false), "ServicesResolved": .boolean(false)])
    }

    /// Receives another advertisement.
    package func advertise(_ device: String, _ rssi: Int16 = -58) {
        changeDevice(device, ["RSSI": .int16(rssi)])
    }
}
