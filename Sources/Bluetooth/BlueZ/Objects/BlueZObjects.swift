#if Bluetooth
import GATT
import DBus

/// The properties of BlueZ's objects that are used here.
///
/// Most properties are optional. A value of the wrong type is ignored, and the property keeps its last value.
protocol BlueZObject: Sendable, Equatable {
    init()
    /// Sets a property; nil for one that was invalidated.
    mutating func set(_ property: String, _ value: DBusValue?)
}

extension BlueZObject {
    init(_ properties: [String: DBusValue]) {
        self.init()
        for (property, value) in properties { set(property, value) }
    }
}

struct BlueZAdapterObject: BlueZObject {
    var address: DeviceAddress?
    var isPowered = false
    var powerState: String?
    var isDiscovering = false
    var roles: [String]?

    mutating func set(_ property: String, _ value: DBusValue?) {
        switch property {
        case "Address": address = value?.asString.flatMap { DeviceAddress($0) } ?? address
        case "Powered": isPowered = value?.asBool ?? isPowered
        case "PowerState": powerState = value?.asString ?? powerState
        case "Discovering": isDiscovering = value?.asBool ?? isDiscovering
        case "Roles": roles = value?.asStrings ?? roles
        default: break
        }
    }
}

struct BlueZDeviceObject: BlueZObject {
    var address: DeviceAddress?
    var addressKind = DeviceAddress.Kind.public
    var adapter: String?
    var name: String?
    var services: Set<BluetoothUUID> = []
    var signal: Int?
    var manufacturerData: [UInt16: [UInt8]] = [:]
    var isConnected = false
    var isPaired = false
    var isTrusted = false
    var isResolved = false

    mutating func set(_ property: String, _ value: DBusValue?) {
        switch property {
        case "Address": address = value?.asString.flatMap { DeviceAddress($0) } ?? address
        case "AddressType": addressKind = value?.asString.flatMap { .init(rawValue: $0) } ?? addressKind
        case "Adapter": adapter = value?.asPath ?? adapter
        case "Name": name = value?.asString ?? name
        case "UUIDs": services = value?.asStrings.map { Set($0.compactMap { BluetoothUUID($0) }) } ?? services
        case "RSSI":
            // Invalidated when a scan ends.
            if let value { signal = value.asInt16.map { Int($0) } ?? signal } else { signal = nil }
        case "ManufacturerData":
            guard let entries = value?.entries else { return }
            manufacturerData = entries.reduce(into: [:]) { result, entry in
                guard let company = entry.key.asUInt16, let bytes = entry.value.unwrapped.asBytes else { return }
                result[company] = bytes
            }
        case "Connected": isConnected = value?.asBool ?? isConnected
        case "Paired": isPaired = value?.asBool ?? isPaired
        case "Trusted": isTrusted = value?.asBool ?? isTrusted
        case "ServicesResolved": isResolved = value?.asBool ?? isResolved
        default: break
        }
    }
}

struct BlueZServiceObject: BlueZObject {
    var uuid: BluetoothUUID?
    var device: String?

    mutating func set(_ property: String, _ value: DBusValue?) {
        switch property {
        case "UUID": uuid = value?.asString.flatMap { BluetoothUUID($0) } ?? uuid
        case "Device": device = value?.asPath ?? device
        default: break
        }
    }
}

struct BlueZCharacteristicObject: BlueZObject {
    var uuid: BluetoothUUID?
    var service: String?
    var flags: [String] = []
    var isNotifying = false
    /// The handle of its declaration, from BlueZ 5.69 on.
    var handle: UInt16?

    mutating func set(_ property: String, _ value: DBusValue?) {
        switch property {
        case "UUID": uuid = value?.asString.flatMap { BluetoothUUID($0) } ?? uuid
        case "Service": service = value?.asPath ?? service
        case "Flags": flags = value?.asStrings ?? flags
        case "Notifying": isNotifying = value?.asBool ?? isNotifying
        case "Handle": handle = value?.asUInt16 ?? handle
        default: break
        }
    }
}

struct BlueZBatteryObject: BlueZObject {
    /// The level in percent.
    var level: Int?

    mutating func set(_ property: String, _ value: DBusValue?) {
        if property == "Percentage", let percent = value?.asByte, percent <= 100 { level = Int(percent) }
    }
}
#endif
