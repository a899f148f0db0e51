#if Bluetooth
import DBus
import Foundation
import GATT

/// A GATT server and its advertisement, through bluetoothd.
///
/// Both belong to the connection to the bus: bluetoothd removes them when it closes, also if the process is killed.
/// After a restart of bluetoothd, or of the adapter, they are registered again.
@BusActor
final class BlueZServer {
    private var objects: BlueZServerObjects
    private let adapterAddress: DeviceAddress?
    private let busAddress: String
    private let timings: BlueZTimings
    private var mirror: BlueZMirror?
    private var registering: Task<Void, Never>?
    /// The adapter with which the server is registered.
    private(set) var adapter: String?
    private var lastFailure: BroadcastError?

    var onEvent: ((BroadcastEvent) -> Void)?
    /// Handles a write. Returns the attribute protocol's error, or nil.
    var onWrite: ((BluetoothUUID, [UInt8]) -> UInt8?)?
    /// Called once if the connection to the bus is lost.
    var onLost: (() -> Void)?

    init(
        _ services: [LocalService], name: String, adapter: DeviceAddress?, busAddress: String, timings: BlueZTimings
    ) {
        objects = BlueZServerObjects(services, name: name)
        adapterAddress = adapter
        self.busAddress = busAddress
        self.timings = timings
    }

    /// Registers for the first time.
    func open() async throws(BroadcastError) {
        let mirror: BlueZMirror
        do throws(DBusCallError) {
            mirror = try await BlueZMirror(.everything, address: busAddress, timings: timings)
        } catch {
            throw .bluetooth(BluetoothError(error, operation: "connecting to the system bus"))
        }
        self.mirror = mirror
        mirror.connection.onCall = { [weak self] call in self?.handle(call) ?? false }
        try await register(mirror)
        mirror.onEvent = { [weak self] event, _ in self?.handle(event) }
    }

    /// Removes the services and the advertisement. Closing the connection removes them too, if bluetoothd does not answer.
    func close() async {
        registering?.cancel()
        await registering?.value
        guard let mirror else { return }
        mirror.onEvent = nil
        await withdraw(mirror)
        mirror.close()
        self.mirror = nil
    }

    /// Sends a value to all subscribers.
    func notify(_ notification: BroadcastState.Notification) {
        guard objects.set(notification.characteristic, notification.bytes), adapter != nil,
            let path = objects.path(of: notification.characteristic)
        else { return }
        try? mirror?.connection.send(
            .signal(
                path, BlueZ.properties, "PropertiesChanged", .string(BlueZ.characteristic),
                .properties(["Value": .bytes(notification.bytes)]), .strings([])))
    }

    /// Advertises another name. Devices that are connected keep the old one.
    func rename(_ name: String) async {
        objects.name = name
        guard let mirror, let adapter else { return }
        await unregister(
            BlueZ.advertisingManager, "UnregisterAdvertisement", BlueZServerObjects.advertisementPath, mirror)
        do throws(BroadcastError) {
            try await advertise(mirror, adapter)
        } catch {
            fail(error)
        }
    }

    /// Gives the heart rate only to devices that are paired, and refuses to pair; or ends that. Devices have to connect again.
    func demandPairing(_ isDemanded: Bool, sparing spared: Set<DeviceAddress>) async {
        objects.demandsPairing = isDemanded
        guard let mirror, let adapter else { return }
        await unregister(BlueZ.gattManager, "UnregisterApplication", BlueZServerObjects.root, mirror)
        do throws(DBusCallError) {
            try await registerApplication(adapter, mirror)
            if isDemanded {
                try await callAgentManager(
                    "RegisterAgent", [.string(PairingCapability.noInputNoOutput.rawValue)], mirror)
                // The default agent is asked if a device begins the pairing.
                try await callAgentManager("RequestDefaultAgent", [], mirror)
            } else {
                try await callAgentManager("UnregisterAgent", [], mirror)
            }
        } catch {
            fail(Self.meaning(of: error, adapter: Self.name(of: adapter)))
        }
        await disconnect(except: spared)
    }

    /// Ends the links to all devices except these.
    func disconnect(except spared: Set<DeviceAddress>) async {
        guard let mirror, let adapter else { return }
        let devices = mirror.tree.devices.filter { path, device in
            path.hasPrefix(adapter + "/") && device.isConnected && !spared.contains { $0 == device.address }
        }
        for path in devices.keys.sorted() { await mirror.hangUp(path) }
    }

    // MARK: Registering

    private func register(_ mirror: BlueZMirror) async throws(BroadcastError) {
        guard mirror.tree.owner != nil else { throw .needsService }
        do throws(DBusCallError) {
            _ = try await mirror.wait(atMost: timings.call) { mirror.tree.isLoaded ? true : nil }
        } catch {
            throw .bluetooth(BluetoothError(error, operation: "asking for adapters"))
        }
        guard let path = mirror.tree.peripheralAdapterPath(adapterAddress), let found = mirror.tree.adapters[path]
        else { throw .bluetooth(.noAdapter) }
        let name = Self.name(of: path)
        guard found.isPowered else {
            let isBlocked = found.powerState == "off-blocked" || RadioSwitch.isBlocked(adapter: name)
            throw .bluetooth(isBlocked ? .blocked : .poweredOff)
        }
        guard found.isPeripheral else { throw .notPeripheral(adapter: name) }
        do throws(DBusCallError) {
            try await registerApplication(path, mirror)
        } catch {
            if !error.is("AlreadyExists") { throw Self.meaning(of: error, adapter: name) }
        }
        try await advertise(mirror, path)
        adapter = path
        lastFailure = nil
        onEvent?(.onAir(adapter: name))
    }

    private func registerApplication(_ adapter: String, _ mirror: BlueZMirror) async throws(DBusCallError) {
        try await mirror.call(
            adapter, BlueZ.gattManager, "RegisterApplication",
            [.objectPath(BlueZServerObjects.root), .properties([:])], atMost: timings.call)
    }

    private func callAgentManager(
        _ member: String, _ arguments: [DBusValue], _ mirror: BlueZMirror
    ) async throws(DBusCallError) {
        try await mirror.call(
            "/org/bluez", BlueZ.agentManager, member, [.objectPath(BlueZServerObjects.agentPath)] + arguments,
            atMost: timings.call)
    }

    private func advertise(_ mirror: BlueZMirror, _ adapter: String) async throws(BroadcastError) {
        guard objects.name.utf8.count <= BroadcastError.longestName else { throw .nameTooLong(objects.name) }
        do throws(DBusCallError) {
            try await mirror.call(
                adapter, BlueZ.advertisingManager, "RegisterAdvertisement",
                [.objectPath(BlueZServerObjects.advertisementPath), .properties([:])], atMost: timings.call)
        } catch {
            if error.is("AlreadyExists") { return }
            if error.is("InvalidLength") { throw .nameTooLong(objects.name) }
            // "Maximum advertisements reached" (BlueZ, src/advertising.c).
            if error.is("NotPermitted") { throw .noSlot(adapter: Self.name(of: adapter)) }
            throw Self.meaning(of: error, adapter: Self.name(of: adapter))
        }
    }

    private static func meaning(of error: DBusCallError, adapter: String) -> BroadcastError {
        // bluetoothd offers the interfaces only on adapters that can be peripherals.
        if error.is("UnknownMethod", "UnknownInterface") { return .notPeripheral(adapter: adapter) }
        let meaning = BluetoothError(error, operation: "registering a broadcast")
        if case .failed = meaning { return .refused(error.text) }
        return .bluetooth(meaning)
    }

    private static func name(of path: String) -> String { String(path.split(separator: "/").last ?? "") }

    private func handle(_ event: BlueZObjectTree.Event) {
        switch event {
        case .ended:
            adapter = nil
            if mirror?.isLost == true {
                onLost?()
            } else {
                fail(.bluetooth(.serviceStopped))
            }
        case .adapterRemoved(adapter):
            adapter = nil
            fail(.bluetooth(.noAdapter))
        case .adapter(let path):
            if path == adapter, mirror?.tree.adapters[path]?.isPowered == false {
                adapter = nil
                fail(.bluetooth(.poweredOff))
            } else if adapter == nil {
                registerAgain()
            }
        case .began:
            registerAgain()
        default:
            break
        }
    }

    private func registerAgain() {
        guard registering == nil, let mirror else { return }
        registering = Task {
            // bluetoothd may still have them, if only the adapter was off.
            await self.withdraw(mirror)
            do throws(BroadcastError) {
                try await self.register(mirror)
            } catch {
                if !Task.isCancelled { self.fail(error) }
            }
            registering = nil
        }
    }

    private func fail(_ error: BroadcastError) {
        guard error != lastFailure else { return }
        lastFailure = error
        onEvent?(.offAir(error))
    }

    private func withdraw(_ mirror: BlueZMirror) async {
        await unregister(
            BlueZ.advertisingManager, "UnregisterAdvertisement", BlueZServerObjects.advertisementPath, mirror)
        await unregister(BlueZ.gattManager, "UnregisterApplication", BlueZServerObjects.root, mirror)
    }

    private func unregister(_ interface: String, _ member: String, _ object: String, _ mirror: BlueZMirror) async {
        let path = adapter ?? mirror.tree.peripheralAdapterPath(adapterAddress)
        guard let path, mirror.connection.isOpen else { return }
        let limit = timings.disconnect
        // Also in a cancelled task.
        await Task { _ = try? await mirror.call(path, interface, member, [.objectPath(object)], atMost: limit) }.value
    }

    // MARK: Answering bluetoothd

    private func handle(_ call: DBusMessage) -> Bool {
        guard let mirror, call.sender == mirror.tree.owner else { return false }
        switch (call.interface, call.member) {
        case (BlueZ.objectManager, "GetManagedObjects"):
            guard call.path == BlueZServerObjects.root else { return false }
            answer(call.reply(objects.managed))
        case (BlueZ.properties, "GetAll"):
            guard call.path == BlueZServerObjects.advertisementPath else { return false }
            answer(call.reply(objects.advertisement))
        case (BlueZ.agent, let member?) where call.path == BlueZServerObjects.agentPath:
            answer(
                ["Release", "Cancel"].contains(member)
                    ? call.reply() : call.error("org.bluez.Error.Rejected", "This strap pairs with nobody"))
        case (BlueZ.advertisement, "Release"):
            answer(call.reply())
        case (BlueZ.characteristic, let member?):
            guard let characteristic = objects.characteristic(at: call.path) else { return false }
            return handle(call, member, characteristic)
        default:
            return false
        }
        return true
    }

    private func handle(_ call: DBusMessage, _ member: String, _ characteristic: LocalCharacteristic) -> Bool {
        switch member {
        case "ReadValue":
            let value = objects.values[characteristic.uuid] ?? []
            let offset = Int(call.body.first?.asProperties?["offset"]?.asUInt16 ?? 0)
            guard offset <= value.count else {
                answer(call.error("org.bluez.Error.InvalidOffset", "The value has \(value.count) bytes"))
                return true
            }
            answer(call.reply(.bytes(Array(value.dropFirst(offset)))))
        case "WriteValue":
            let code = onWrite?(characteristic.uuid, call.body.first?.asBytes ?? [])
            // bluetoothd passes on codes of applications that are the text of this error.
            answer(
                code.map { call.error("org.bluez.Error.Failed", "0x" + String($0, radix: 16)) } ?? call.reply())
        case "StartNotify":
            answer(call.reply())
            onEvent?(.subscribed(characteristic.uuid))
        case "StopNotify":
            answer(call.reply())
            onEvent?(.unsubscribed(characteristic.uuid))
        case "Confirm":
            answer(call.reply())
        default:
            return false
        }
        return true
    }

    private func answer(_ message: DBusMessage) {
        guard message.destination != nil else { return }
        // If the connection has ended, nobody waits for the answer.
        try? mirror?.connection.send(message)
    }
}
#endif
