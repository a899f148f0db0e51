#if Bluetooth
import GATT
import DBus
import Foundation

/// The state of a ``BlueZCentral`` about bluetoothd: the control connection with its mirror, the scan, the links.
///
/// The connection to the bus is opened when it is first needed, and again if it breaks.
@BusActor
final class BlueZDaemon {
    let busAddress: String
    /// The requested adapter.
    let adapterAddress: DeviceAddress?
    nonisolated let timings: BlueZTimings
    private(set) var mirror: BlueZMirror?
    private(set) var scannerIfAny: BlueZScanner?
    lazy var turns = BlueZConnectQueue()
    private var opening: Task<Result<BlueZMirror, BluetoothError>, Never>?
    private var isClosed = false
    private var links: [ObjectIdentifier: any PeripheralLink] = [:]
    /// Devices whose link was opened here. Links that bluetoothd opens to trusted devices by itself count too.
    private(set) var opened: Set<DeviceAddress> = []
    private var openedTraces: [DeviceAddress: LinkTrace] = [:]
    let traces: LinkTraces?
    /// Bonded devices whose links broke at once, probably because the device has lost the bond.
    var suspects: Set<DeviceAddress> = []

    nonisolated init(
        busAddress: String, adapter: DeviceAddress?, timings: BlueZTimings, traces: LinkTraces? = nil
    ) {
        self.busAddress = busAddress
        self.traces = traces
        adapterAddress = adapter
        self.timings = timings
    }

    /// Returns the connected mirror with bluetoothd's objects.
    func ready() async throws(BluetoothError) -> BlueZMirror {
        let mirror = try await connected()
        if mirror.tree.isLoaded { return mirror }
        guard mirror.tree.owner != nil else { throw .serviceStopped }
        // It has just started, and its objects are being read.
        let isRunning: Bool
        do throws(DBusCallError) {
            isRunning = try await mirror.wait(atMost: timings.call) {
                mirror.tree.isLoaded ? true : mirror.tree.owner == nil ? false : nil
            }
        } catch {
            throw BluetoothError(error, operation: "asking for adapters and devices")
        }
        guard isRunning else { throw .serviceStopped }
        return mirror
    }

    private func connected() async throws(BluetoothError) -> BlueZMirror {
        guard !isClosed else { throw .unavailable("this connection to Bluetooth was closed") }
        if let mirror, mirror.connection.isOpen { return mirror }
        let task =
            opening
            ?? Task {
                do throws(DBusCallError) {
                    let mirror = try await BlueZMirror(.everything, address: busAddress, timings: timings)
                    return .success(self.adopt(mirror))
                } catch {
                    return .failure(BluetoothError(error, operation: "connecting to the system bus"))
                }
            }
        opening = task
        let result = await task.value
        if opening == task { opening = nil }
        let mirror = try result.get()
        guard !isClosed else {
            mirror.close()
            throw .unavailable("this connection to Bluetooth was closed")
        }
        return mirror
    }

    private func adopt(_ mirror: BlueZMirror) -> BlueZMirror {
        self.mirror = mirror
        let scanner = scannerIfAny ?? BlueZScanner(daemon: self)
        scannerIfAny = scanner
        mirror.onEvent = { [weak scanner] event, date in scanner?.handle(event, date) }
        return mirror
    }

    func scanner() async throws(BluetoothError) -> BlueZScanner {
        _ = try await ready()
        guard let scanner = scannerIfAny else { throw .serviceStopped }
        return scanner
    }

    /// Notes that the link was opened here, and has to be closed here.
    func noteOpened(_ address: DeviceAddress) {
        opened.insert(address)
        if openedTraces[address] == nil { openedTraces[address] = traces?.leave(address) }
    }

    func noteHungUp(_ address: DeviceAddress) {
        opened.remove(address)
        openedTraces[address] = nil
    }

    /// Closes links that crashed programs of this user left open, unless another program uses them.
    func releaseLeftovers() async throws(BluetoothError) {
        let leftovers = traces?.leftovers().filter { !opened.contains($0.address) } ?? []
        guard !leftovers.isEmpty else { return }
        let mirror = try await ready()
        for (address, trace) in leftovers {
            for adapter in mirror.tree.adapters.keys.sorted() {
                guard let path = mirror.tree.devicePath(address, adapter: adapter),
                    mirror.tree.devices[path]?.isConnected == true,
                    !mirror.tree.characteristics(of: path).contains(where: {
                        BluetoothUUID.sensorMeasurements.contains($0.characteristic.uuid)
                            && mirror.tree.characteristics[$0.path]?.isNotifying == true
                    })
                else { continue }
                await mirror.hangUp(path)
            }
            trace.remove()
        }
    }

    var openLinks: Int { links.count }
    func add(_ link: any PeripheralLink & AnyObject) { links[ObjectIdentifier(link)] = link }
    func remove(_ link: any PeripheralLink & AnyObject) { links[ObjectIdentifier(link)] = nil }

    /// Returns the path of the adapter to use. Turns it on if requested.
    func poweredAdapter(switchingOn: Bool = false) async throws(BluetoothError) -> String {
        let mirror = try await ready()
        guard let path = mirror.tree.adapterPath(adapterAddress) else { throw .noAdapter }
        guard mirror.tree.adapters[path]?.isPowered == false else { return path }
        guard switchingOn else { throw power(of: path, mirror.tree) == .blocked ? .blocked : .poweredOff }
        do throws(DBusCallError) {
            try await mirror.set(path, BlueZ.adapter, "Powered", .boolean(true))
        } catch {
            // Another program is turning it on or off: wait for the result.
            guard error.is("Busy", "InProgress") else {
                let error = BluetoothError(error, operation: "switching the adapter on")
                guard case .failed = error else { throw error }
                throw power(of: path, mirror.tree) == .blocked ? .blocked : .poweredOff
            }
        }
        let isThere: Bool?
        do throws(DBusCallError) {
            isThere = try await mirror.wait(atMost: timings.power) {
                guard let adapter = mirror.tree.adapters[path] else { return false }
                return adapter.isPowered ? true : nil
            }
        } catch {
            if case .timedOut = error {
                throw power(of: path, mirror.tree) == .blocked ? .blocked : .poweredOff
            }
            throw BluetoothError(error, operation: "switching the adapter on")
        }
        guard isThere == true else { throw mirror.tree.isLoaded ? .noAdapter : .serviceStopped }
        return path
    }

    func power(of path: String, _ tree: BlueZObjectTree) -> Adapter.Power {
        guard let adapter = tree.adapters[path] else { return .off }
        if adapter.isPowered { return .on }
        if adapter.powerState == "off-blocked" { return .blocked }
        return RadioSwitch.isBlocked(adapter: String(path.split(separator: "/").last ?? "")) ? .blocked : .off
    }

    func adapters() async throws(BluetoothError) -> [Adapter] {
        let tree = try await ready().tree
        return tree.adapters.keys.sorted { BlueZObjectTree.isBefore($0, $1) }.compactMap { path in
            guard let adapter = tree.adapters[path], let address = adapter.address else { return nil }
            return Adapter(
                name: String(path.split(separator: "/").last ?? ""), address: address, power: power(of: path, tree),
                supportsCentral: adapter.isCentral)
        }
    }

    /// Returns the path of a device's object below `adapter`. Scans for the device if bluetoothd does not know it.
    func find(_ address: DeviceAddress, adapter: String) async throws(BluetoothError) -> String {
        let mirror = try await ready()
        if let path = mirror.tree.devicePath(address, adapter: adapter) { return path }
        let scanner = try await scanner()
        let reader = scanner.addReader(of: [])
        defer { scanner.removeReader(reader) }
        let found: Result<String, BluetoothError>
        do throws(DBusCallError) {
            found = try await mirror.wait(atMost: timings.find) {
                if let path = mirror.tree.devicePath(address, adapter: adapter) { return .success(path) }
                return reader.failure.map { .failure($0) }
            }
        } catch {
            if case .timedOut = error { throw .notFound(address) }
            throw BluetoothError(error, operation: "scanning for \(address)", device: address)
        }
        return try found.get()
    }

    func forget(_ address: DeviceAddress) async throws(BluetoothError) {
        let mirror = try await ready()
        suspects.remove(address)
        for adapter in mirror.tree.adapters.keys.sorted() {
            guard let path = mirror.tree.devicePath(address, adapter: adapter) else { continue }
            try await remove(path, of: address, adapter: adapter)
        }
    }

    /// Removes a device's object with its bond, and returns when it is gone.
    func remove(_ path: String, of address: DeviceAddress, adapter: String) async throws(BluetoothError) {
        let mirror = try await ready()
        let operation = "forgetting \(address)"
        do throws(DBusCallError) {
            try await mirror.call(adapter, BlueZ.adapter, "RemoveDevice", [.objectPath(path)], atMost: timings.call)
            _ = try await mirror.wait(atMost: timings.disconnect) { mirror.tree.devices[path] == nil ? true : nil }
        } catch {
            if error.is("DoesNotExist", "UnknownObject") { return }
            // The removal may be signalled late or never, but the call succeeded.
            if case .timedOut = error, mirror.tree.devices[path] == nil { return }
            throw BluetoothError(error, operation: operation, device: address)
        }
    }

    func close() async {
        isClosed = true
        await scannerIfAny?.close()
        await withTaskGroup { group in
            for link in links.values { group.addTask { await link.disconnect() } }
        }
        _ = await opening?.value
        openedTraces = [:]
        mirror?.close()
        mirror = nil
    }
}

/// Lets one caller at a time start to connect, in order.
@BusActor
final class BlueZConnectQueue {
    private let waiters = BusWaiters()
    private var holder: [String: Int] = [:]
    private var next = 0

    /// Waits for the turn at this adapter. The caller has to give it back.
    func acquire(_ adapter: String, atMost limit: Duration) async throws(DBusCallError) -> Int {
        try await waiters.wait(atMost: limit) { [self] in
            guard holder[adapter] == nil else { return nil }
            next += 1
            holder[adapter] = next
            return next
        }
    }

    /// Giving it back twice has no effect.
    func giveBack(_ turn: Int, _ adapter: String) {
        guard holder[adapter] == turn else { return }
        holder[adapter] = nil
        waiters.recheck()
    }
}
#endif
