#if Bluetooth
import GATT

/// Searches in the tree.
extension BlueZObjectTree {
    /// Returns the path of the adapter to use: the one with `address`. Without an address, an adapter that is on and
    /// can open links, or else the one with the lowest number.
    func adapterPath(_ address: DeviceAddress?) -> String? {
        if let address { return adapters.first { $0.value.address == address }?.key }
        let paths = adapters.keys.sorted { Self.isBefore($0, $1) }
        return paths.first { adapters[$0].map { $0.isPowered && $0.isCentral } ?? false }
            ?? paths.first { adapters[$0]?.isCentral ?? false } ?? paths.first
    }

    /// Returns the path of the adapter to be a peripheral with: the one with `address`. Without an address, one that is
    /// on and has the role, or else the one with the lowest number.
    func peripheralAdapterPath(_ address: DeviceAddress?) -> String? {
        if let address { return adapters.first { $0.value.address == address }?.key }
        let paths = adapters.keys.sorted { Self.isBefore($0, $1) }
        return paths.first { adapters[$0].map { $0.isPowered && $0.isPeripheral } ?? false } ?? paths.first
    }

    /// `hci2` before `hci10`.
    static func isBefore(_ one: String, _ other: String) -> Bool {
        (one.utf8.count, one) < (other.utf8.count, other)
    }

    /// Returns the path of the device's object below this adapter.
    ///
    /// Pairing may change the address in an object while its path keeps the old one. This finds it by either.
    func devicePath(_ address: DeviceAddress, adapter: String) -> String? {
        let path = adapter + "/dev_" + address.description.split(separator: ":").joined(separator: "_")
        let named = devices.filter { $0.value.address == address && $0.key.hasPrefix(adapter + "/") }.keys.min()
        return named ?? (devices[path] != nil ? path : nil)
    }

    /// Returns a device's characteristics with their paths, in the order of their handles.
    func characteristics(of device: String) -> [(path: String, characteristic: GATTCharacteristic)] {
        let prefix = device + "/"
        return characteristics.compactMap { path, object in
            guard path.hasPrefix(prefix), let uuid = object.uuid, let service = object.service,
                let serviceUUID = services[service]?.uuid
            else { return nil }
            let notifies = object.flags.contains("notify") || object.flags.contains("indicate")
            // The path ends with the declaration's handle; the value has the next one.
            let declaration = UInt16(path.suffix(4), radix: 16) ?? object.handle ?? 0
            return (
                path,
                GATTCharacteristic(
                    uuid: uuid, service: serviceUUID, handle: declaration &+ 1, notifies: notifies)
            )
        }.sorted { ($0.1.handle, $0.0) < ($1.1.handle, $1.0) }
    }
}

extension BlueZAdapterObject {
    /// Old versions do not report roles; all their adapters can open links.
    var isCentral: Bool { roles.map { $0.contains("central") } ?? true }
    /// Old versions report it when the adapter is used.
    var isPeripheral: Bool { roles.map { $0.contains("peripheral") } ?? true }
}
#endif
