#if Bluetooth
import DBus
import GATT

/// The objects with which a GATT server describes itself to bluetoothd: its services, their characteristics, and the
/// advertisement. Pure.
///
/// Source: BlueZ, doc/org.bluez.GattManager.rst, org.bluez.GattCharacteristic.rst, org.bluez.LEAdvertisement.rst.
struct BlueZServerObjects: Sendable {
    static let root = "/org/openhealthkit/broadcast"
    static let agentPath = "/org/openhealthkit/broadcast/agent"
    static let advertisementPath = "/org/openhealthkit/advertisement"
    /// "Heart rate sensor: heart rate belt" (SIG, Assigned Numbers, section 2.6.3).
    static let appearance: UInt16 = 0x0341

    let services: [LocalService]
    var name: String
    /// Whether the heart rate is only for devices that are paired.
    var demandsPairing = false
    private(set) var values: [BluetoothUUID: [UInt8]] = [:]
    private let paths: [(path: String, characteristic: LocalCharacteristic)]

    init(_ services: [LocalService], name: String) {
        self.services = services
        self.name = name
        paths = services.enumerated().flatMap { number, service in
            service.characteristics.enumerated().map { (Self.path(number) + "/char\($0)", $1) }
        }
        for (_, characteristic) in paths { values[characteristic.uuid] = characteristic.value }
    }

    private static func path(_ service: Int) -> String { "\(root)/service\(service)" }

    func path(of characteristic: BluetoothUUID) -> String? {
        paths.first { $0.characteristic.uuid == characteristic }?.path
    }

    func characteristic(at path: String?) -> LocalCharacteristic? {
        paths.first { $0.path == path }?.characteristic
    }

    /// Sets a value. False if there is no such characteristic.
    mutating func set(_ characteristic: BluetoothUUID, _ bytes: [UInt8]) -> Bool {
        guard values[characteristic] != nil else { return false }
        values[characteristic] = bytes
        return true
    }

    /// The answer to `GetManagedObjects`.
    var managed: DBusValue {
        var entries: [DBusValue.Entry] = []
        func add(_ path: String, _ interface: String, _ properties: [String: DBusValue]) {
            let interfaces = DBusValue.dictionary(
                key: "s", value: "a{sv}", [.init(key: .string(interface), value: .properties(properties))])
            entries.append(.init(key: .objectPath(path), value: interfaces))
        }
        for (number, service) in services.enumerated() {
            add(
                Self.path(number), BlueZ.gattService,
                ["UUID": .string(service.uuid.full), "Primary": .boolean(true)])
            for (place, characteristic) in service.characteristics.enumerated() {
                add(
                    Self.path(number) + "/char\(place)", BlueZ.characteristic,
                    [
                        "UUID": .string(characteristic.uuid.full), "Service": .objectPath(Self.path(number)),
                        "Flags": .strings(flags(of: characteristic)),
                    ])
            }
        }
        return .dictionary(key: "o", value: "a{sa{sv}}", entries)
    }

    /// bluetoothd refuses a read or a subscription over a link that is not encrypted if a flag asks for it.
    private func flags(of characteristic: LocalCharacteristic) -> [String] {
        let uses = characteristic.uses.map(\.rawValue)
        guard demandsPairing, characteristic.uuid == .heartRateMeasurement else { return uses }
        return uses + uses.map { "encrypt-" + $0 }
    }

    var advertisement: DBusValue {
        // What is measured; battery and device information are found after connecting.
        let uuids = services.map(\.uuid).filter { $0 != .batteryService && $0 != .deviceInformationService }
        return .properties([
            "Type": .string("peripheral"), "ServiceUUIDs": .strings(uuids.map(\.full)), "LocalName": .string(name),
            "Appearance": .uint16(Self.appearance), "Discoverable": .boolean(true),
        ])
    }
}
#endif
