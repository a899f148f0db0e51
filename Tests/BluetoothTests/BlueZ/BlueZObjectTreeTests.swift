import DBus
import Testing

@testable import Bluetooth
@testable import GATT

struct BlueZObjectTreeTests {
    private static let owner = ":1.5"
    private static let adapter = "/org/bluez/hci1"
    private static let device = "/org/bluez/hci1/dev_C0_DE_00_00_00_01"

    private static func interfaces(_ interfaces: [String: [String: DBusValue]]) -> DBusValue {
        .dictionary(
            key: "s", value: "a{sv}", interfaces.map { .init(key: .string($0.key), value: .properties($0.value)) })
    }

    private static func added(_ path: String, _ objects: [String: [String: DBusValue]]) -> DBusMessage {
        signal("/", BlueZ.objectManager, "InterfacesAdded", [.objectPath(path), interfaces(objects)])
    }

    private static func removed(_ path: String, _ interfaces: String...) -> DBusMessage {
        signal("/", BlueZ.objectManager, "InterfacesRemoved", [.objectPath(path), .strings(interfaces)])
    }

    private static func changed(_ path: String, _ interface: String, _ properties: [String: DBusValue]) -> DBusMessage {
        signal(
            path, BlueZ.properties, "PropertiesChanged",
            [.string(interface), .properties(properties), .strings([])])
    }

    private static func signal(
        _ path: String, _ interface: String, _ member: String, _ body: [DBusValue], from sender: String = owner
    ) -> DBusMessage {
        var message = DBusMessage.signal(path, interface, member)
        message.sender = sender
        message.body = body
        return message
    }

    private static func ownerChanged(_ old: String, _ new: String) -> DBusMessage {
        signal(
            "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged",
            [.string("org.bluez"), .string(old), .string(new)], from: "org.freedesktop.DBus")
    }

    /// With one adapter and one device.
    private static func loaded() -> BlueZObjectTree {
        var tree = BlueZObjectTree()
        _ = tree.ownerChanged(to: owner)
        let objects = DBusValue.dictionary(
            key: "o", value: "a{sa{sv}}",
            [
                .init(
                    key: .objectPath(adapter),
                    value: interfaces([
                        BlueZ.adapter: ["Address": .string("00:00:00:00:00:01"), "Powered": .boolean(true)]
                    ])),
                .init(
                    key: .objectPath(device),
                    value: interfaces([
                        BlueZ.device: ["Address": .string("C0:DE:00:00:00:01"), "RSSI": .int16(-60)]
                    ])),
            ])
        _ = tree.load(objects, from: owner)
        return tree
    }

    @Test func `the snapshot contains every object`() {
        let tree = Self.loaded()
        #expect(tree.isLoaded && tree.generation == 1)
        #expect(tree.adapters[Self.adapter]?.isPowered == true)
        #expect(tree.devices[Self.device]?.signal == -60)
        #expect(tree.devicePath(DeviceAddress(value: 0xC0DE_0000_0001), adapter: Self.adapter) == Self.device)
    }

    @Test func `signals of other senders, and those before the snapshot, change nothing`() {
        var tree = Self.loaded()
        let before = tree
        let foreign = Self.signal(
            Self.device, BlueZ.properties, "PropertiesChanged",
            [.string(BlueZ.device), .properties(["RSSI": .int16(-1)]), .strings([])], from: ":1.99")
        #expect(tree.apply(foreign).isEmpty)
        #expect(tree == before)
        var early = BlueZObjectTree()
        _ = early.ownerChanged(to: Self.owner)
        #expect(early.apply(Self.added(Self.device, [BlueZ.device: [:]])).isEmpty)
        #expect(early.load(.strings([]), from: ":1.99").isEmpty && !early.isLoaded)
    }

    @Test func `an object that is added twice is merged`() {
        var tree = Self.loaded()
        let again = Self.added(Self.device, [BlueZ.device: ["Name": .string("Strap")]])
        #expect(tree.apply(again) == [.device(Self.device)])
        #expect(tree.devices[Self.device]?.name == "Strap")
        #expect(tree.devices[Self.device]?.signal == -60)
    }

    @Test func `a daemon that stops or is replaced takes its objects with it`() {
        var tree = Self.loaded()
        #expect(tree.apply(Self.ownerChanged(Self.owner, ":1.9")) == [.ended])
        #expect(tree.devices.isEmpty && tree.adapters.isEmpty && !tree.isLoaded && tree.generation == 2)
        #expect(tree.apply(Self.ownerChanged(":1.9", "")) == [.ended])
        #expect(tree.owner == nil && tree.generation == 3)
        #expect(tree.apply(Self.ownerChanged("", ":1.10")) == [])
        #expect(tree.owner == ":1.10")
    }

    @Test func `an adapter that disappears takes only its own devices with it`() {
        var tree = Self.loaded()
        let other = "/org/bluez/hci10/dev_C0_DE_00_00_00_02"
        _ = tree.apply(Self.added(other, [BlueZ.device: [:]]))
        let events = tree.apply(Self.removed(Self.adapter, BlueZ.adapter))
        #expect(events == [.deviceRemoved(Self.device), .adapterRemoved(Self.adapter)])
        #expect(tree.devices.keys.sorted() == [other])
        #expect(tree.apply(Self.removed(Self.device, BlueZ.device)).isEmpty)
    }

    @Test(arguments: [
        changed(device, BlueZ.device, ["RSSI": .string("x"), "Connected": .byte(1), "UUIDs": .string("180D")]),
        changed(device, BlueZ.device, ["Address": .string("nonsense"), "Name": .boolean(true)]),
        changed("/nobody", BlueZ.device, ["RSSI": .int16(-1)]),
        changed(device, "org.example.Unknown", ["RSSI": .int16(-1)]),
        signal(device, BlueZ.properties, "PropertiesChanged", []),
        signal(device, BlueZ.properties, "PropertiesChanged", [.byte(1), .byte(2), .byte(3)]),
        signal("/", BlueZ.objectManager, "InterfacesAdded", [.string("path")]),
        signal("/", BlueZ.objectManager, "InterfacesRemoved", [.objectPath(device)]),
        signal("/nobody", BlueZ.device, "Disconnected", [.string("org.bluez.Reason.Remote")]),
        signal("/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged", [.string("org.bluez")]),
    ])
    func `invalid signals leave the tree unchanged`(signal: DBusMessage) {
        var tree = Self.loaded()
        let before = tree
        _ = tree.apply(signal)
        #expect(tree == before)
    }

    @Test func `a value is converted exactly, and nothing leaks`() {
        var tree = Self.loaded()
        let path = Self.device + "/service000a/char000b"
        _ = tree.apply(Self.added(path, [BlueZ.characteristic: [:]]))
        let before = tree
        let value = Self.changed(path, BlueZ.characteristic, ["Value": .bytes([0, 60])])
        #expect(tree.apply(value) == [.value(path, [0, 60])])
        #expect(tree == before)
    }

    @Test(arguments: [("/org/bluez/hci2", "/org/bluez/hci10"), ("/org/bluez/hci0", "/org/bluez/hci1")])
    func `adapters are ordered by number`(first: String, second: String) {
        #expect(BlueZObjectTree.isBefore(first, second))
        #expect(!BlueZObjectTree.isBefore(second, first))
    }
}
