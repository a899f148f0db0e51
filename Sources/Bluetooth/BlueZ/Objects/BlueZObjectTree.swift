#if Bluetooth
import GATT
import DBus

/// The current objects of BlueZ: it receives a snapshot and signals, and returns events. It has no I/O and no time.
///
/// Each run of bluetoothd (each owner of its name) is a generation. When it ends, all objects are gone, although
/// nothing signals the removal of each. Signals from other senders are ignored, and so are signals before the snapshot,
/// which already contains them.
struct BlueZObjectTree: Sendable, Equatable {
    enum Event: Sendable, Equatable {
        /// bluetoothd answered with its objects.
        case began
        /// bluetoothd ended.
        case ended
        case adapter(String)
        case adapterRemoved(String)
        /// A device was received, or a property of it changed.
        case device(String)
        case deviceRemoved(String)
        /// The reason for the end of a link, from BlueZ 5.83 on.
        case reason(String, LinkLoss)
        case attributes(String)
        case value(String, [UInt8])
        case battery(String, Int)
    }

    private(set) var generation = 0
    /// bluetoothd's name on the bus. Nil while it is not running.
    private(set) var owner: String?
    private(set) var isLoaded = false
    private(set) var adapters: [String: BlueZAdapterObject] = [:]
    private(set) var devices: [String: BlueZDeviceObject] = [:]
    private(set) var services: [String: BlueZServiceObject] = [:]
    private(set) var characteristics: [String: BlueZCharacteristicObject] = [:]
    private(set) var batteries: [String: BlueZBatteryObject] = [:]

    /// Handles a new owner of bluetoothd's name, or none.
    mutating func ownerChanged(to owner: String?) -> [Event] {
        let owner = owner?.isEmpty == true ? nil : owner
        guard owner != self.owner else { return [] }
        let hadOne = self.owner != nil
        self = BlueZObjectTree(generation: generation + 1, owner: owner)
        return hadOne ? [.ended] : []
    }

    /// Loads the answer to `GetManagedObjects` from `owner`.
    mutating func load(_ objects: DBusValue, from sender: String?) -> [Event] {
        guard let owner, sender == owner else { return [] }
        self = BlueZObjectTree(generation: generation, owner: owner)
        isLoaded = true
        var events: [Event] = [.began]
        for entry in objects.entries ?? [] {
            guard let path = entry.key.asPath else { continue }
            events += add(path, entry.value)
        }
        return events
    }

    /// Applies a signal. Unknown and invalid signals change nothing.
    mutating func apply(_ signal: DBusMessage) -> [Event] {
        guard signal.kind == .signal else { return [] }
        if signal.interface == "org.freedesktop.DBus", signal.member == "NameOwnerChanged" {
            guard signal.sender == "org.freedesktop.DBus", signal.body.count == 3,
                signal.body[0].asString == BlueZ.service
            else { return [] }
            return ownerChanged(to: signal.body[2].asString)
        }
        guard isLoaded, let owner, signal.sender == owner, let path = signal.path else { return [] }
        switch (signal.interface, signal.member) {
        case (BlueZ.objectManager, "InterfacesAdded"):
            guard signal.body.count == 2, let path = signal.body[0].asPath else { return [] }
            return add(path, signal.body[1])
        case (BlueZ.objectManager, "InterfacesRemoved"):
            guard signal.body.count == 2, let path = signal.body[0].asPath,
                let interfaces = signal.body[1].asStrings
            else { return [] }
            return interfaces.flatMap { remove(path, $0) }
        case (BlueZ.properties, "PropertiesChanged"):
            guard signal.body.count == 3, let interface = signal.body[0].asString,
                let changed = signal.body[1].asProperties
            else { return [] }
            return change(path, interface, changed, signal.body[2].asStrings ?? [])
        case (BlueZ.device, "Disconnected"):
            guard devices[path] != nil, let reason = signal.body.first?.asString else { return [] }
            return [.reason(path, Self.loss(reason))]
        default:
            return []
        }
    }

    private init(generation: Int, owner: String?) {
        self.generation = generation
        self.owner = owner
    }

    init() {}

    private mutating func add(_ path: String, _ interfaces: DBusValue) -> [Event] {
        var events: [Event] = []
        for entry in interfaces.entries ?? [] {
            guard let interface = entry.key.asString, let properties = entry.value.asProperties else { continue }
            switch interface {
            case BlueZ.adapter:
                Self.merge(properties, into: &adapters[path, default: .init()])
                events.append(.adapter(path))
            case BlueZ.device:
                Self.merge(properties, into: &devices[path, default: .init()])
                events.append(.device(path))
            case BlueZ.gattService:
                Self.merge(properties, into: &services[path, default: .init()])
                events.append(.attributes(path))
            case BlueZ.characteristic:
                Self.merge(properties, into: &characteristics[path, default: .init()])
                events.append(.attributes(path))
            case BlueZ.battery:
                Self.merge(properties, into: &batteries[path, default: .init()])
                if let level = batteries[path]?.level { events.append(.battery(path, level)) }
            default: break
            }
        }
        return events
    }

    private mutating func change(
        _ path: String, _ interface: String, _ changed: [String: DBusValue], _ withdrawn: [String]
    ) -> [Event] {
        func update<Object: BlueZObject>(_ object: inout Object?) -> Bool {
            guard object != nil else { return false }
            for name in withdrawn { object?.set(name, nil) }
            for (name, value) in changed { object?.set(name, value) }
            return true
        }
        switch interface {
        case BlueZ.adapter:
            return update(&adapters[path]) ? [.adapter(path)] : []
        case BlueZ.device:
            let wasConnected = devices[path]?.isConnected
            guard update(&devices[path]) else { return [] }
            // The services of a lost link, and of a new one, are not resolved.
            if devices[path]?.isConnected == false, wasConnected == true, changed["ServicesResolved"] == nil {
                devices[path]?.isResolved = false
            }
            return [.device(path)]
        case BlueZ.gattService:
            return update(&services[path]) ? [.attributes(path)] : []
        case BlueZ.characteristic:
            // Values are ten thousand times as frequent as other changes.
            if let bytes = changed["Value"]?.asBytes, changed.count == 1 { return [.value(path, bytes)] }
            guard update(&characteristics[path]) else { return [] }
            return [.attributes(path)] + (changed["Value"]?.asBytes.map { [.value(path, $0)] } ?? [])
        case BlueZ.battery:
            guard update(&batteries[path]), let level = batteries[path]?.level else { return [] }
            return [.battery(path, level)]
        default:
            return []
        }
    }

    private mutating func remove(_ path: String, _ interface: String) -> [Event] {
        switch interface {
        case BlueZ.adapter:
            guard adapters.removeValue(forKey: path) != nil else { return [] }
            // The removal of its children may be signalled later, or never.
            return removeAll(below: path) + [.adapterRemoved(path)]
        case BlueZ.device:
            guard devices.removeValue(forKey: path) != nil else { return [] }
            batteries[path] = nil
            return removeAll(below: path) + [.deviceRemoved(path)]
        case BlueZ.gattService:
            services[path] = nil
            return removeAll(below: path) + [.attributes(path)]
        case BlueZ.characteristic:
            characteristics[path] = nil
            return [.attributes(path)]
        case BlueZ.battery:
            batteries[path] = nil
            return []
        default:
            return []
        }
    }

    private mutating func removeAll(below path: String) -> [Event] {
        // `hci1` is a prefix of `hci10`, but not its parent.
        let prefix = path + "/"
        let gone = devices.keys.filter { $0.hasPrefix(prefix) }.sorted()
        for key in gone { devices[key] = nil }
        for key in batteries.keys where key.hasPrefix(prefix) { batteries[key] = nil }
        for key in services.keys where key.hasPrefix(prefix) { services[key] = nil }
        for key in characteristics.keys where key.hasPrefix(prefix) { characteristics[key] = nil }
        return gone.map { .deviceRemoved($0) }
    }

    private static func merge(_ properties: [String: DBusValue], into object: inout some BlueZObject) {
        for (name, value) in properties { object.set(name, value) }
    }

    private static func loss(_ reason: String) -> LinkLoss {
        switch reason {
        case "org.bluez.Reason.Timeout": .timeout
        case "org.bluez.Reason.Remote": .remote
        case "org.bluez.Reason.Local": .local
        case "org.bluez.Reason.Authentication": .authentication
        case "org.bluez.Reason.Suspend": .suspend
        default: .unknown
        }
    }
}
#endif
