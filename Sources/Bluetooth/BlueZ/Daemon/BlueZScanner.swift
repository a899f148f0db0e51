#if Bluetooth
import GATT
import DBus
import Foundation

/// The only scan of this process on the air, shared by all readers and all searches for a device.
///
/// bluetoothd gives the results of all programs to all, and remembers old devices. The scanner filters out devices that
/// were not requested or not received now.
@BusActor
final class BlueZScanner {
    /// A reader of the scan. It ends only once.
    @BusActor
    final class Reader {
        let services: Set<BluetoothUUID>
        fileprivate let continuation: AsyncThrowingStream<Advertisement, any Error>.Continuation?
        fileprivate var isEnded = false
        fileprivate(set) var failure: BluetoothError?

        nonisolated init(
            of services: Set<BluetoothUUID>,
            _ continuation: AsyncThrowingStream<Advertisement, any Error>.Continuation? = nil
        ) {
            self.services = services
            self.continuation = continuation
        }
    }

    /// A scan on the air: its adapter, and its services (all devices if empty).
    private struct Scan: Equatable {
        var adapter: String
        var services: Set<BluetoothUUID>
    }

    /// The daemon. This is a reference cycle, which closing the daemon breaks.
    private let daemon: BlueZDaemon
    private let timings: BlueZTimings
    private let waiters = BusWaiters()
    private var readers: [Reader] = []
    /// The number of callers that need the scan paused, because it keeps links from being opened.
    private var holds = 0
    private var running: Scan?
    /// The current or pending scan on the air.
    private var adapter: String?
    private var driver: Task<Void, Never>?
    private var wantsRestart = false
    /// Whether filters may have services. BlueZ 5.87 crashes on them, so after one crash no filter is used.
    private var usesServices = true
    private var awaitsDaemon = false
    private var filteredSince: ContinuousClock.Instant?
    private var lastReceived = ContinuousClock.now
    private var watchdog: Int?

    init(daemon: BlueZDaemon) {
        self.daemon = daemon
        timings = daemon.timings
    }

    var isScanning: Bool { running != nil }

    func addReader(of services: Set<BluetoothUUID>) -> Reader {
        let reader = Reader(of: services)
        add(reader)
        return reader
    }

    func add(_ reader: Reader) {
        guard !reader.isEnded else { return }
        readers.append(reader)
        // bluetoothd does not signal these again: devices that another scan has received, and connected ones, which are
        // silent.
        if let tree = daemon.mirror?.tree {
            for path in tree.devices.keys.sorted() { notify(path, tree, Date(), [reader]) }
        }
        drive()
    }

    func removeReader(_ reader: Reader) {
        reader.isEnded = true
        readers.removeAll { $0 === reader }
        drive()
    }

    /// Pauses the scan until ``release()``. Returns when it is paused, or after a while without an answer.
    func hold() async {
        holds += 1
        drive()
        _ = try? await waiters.wait(atMost: timings.call) { [self] in
            running == nil && driver == nil ? true : nil
        }
    }

    func release() {
        holds -= 1
        drive()
    }

    func close() async {
        fail(.unavailable("this connection to Bluetooth was closed"))
        drive()
        await driver?.value
    }

    // MARK: what happens

    func handle(_ event: BlueZObjectTree.Event, _ date: Date) {
        switch event {
        case .device(let path):
            guard !readers.isEmpty, let tree = daemon.mirror?.tree else { return }
            lastReceived = .now
            notify(path, tree, date, readers)
        case .adapter(let path):
            guard path == running?.adapter, let tree = daemon.mirror?.tree,
                tree.adapters[path]?.isPowered == false
            else { return }
            running = nil
            fail(daemon.power(of: path, tree) == .blocked ? .blocked : .poweredOff)
        case .adapterRemoved(let path):
            guard path == running?.adapter else { return }
            running = nil
            fail(.noAdapter)
        case .ended:
            running = nil
            if usesServices, let filteredSince, filteredSince.duration(to: .now) < timings.filterCrash {
                usesServices = false
                awaitsDaemon = true
                drive()
            } else if !awaitsDaemon {
                fail(.serviceStopped)
            }
        case .began, .deviceRemoved, .reason, .attributes, .value, .battery:
            break
        }
    }

    private func notify(_ path: String, _ tree: BlueZObjectTree, _ date: Date, _ readers: [Reader]) {
        // Only devices that are received now have a signal strength; others are remembered.
        guard let device = tree.devices[path], device.signal != nil || device.isConnected,
            let address = device.address
        else { return }
        guard let adapter = adapter ?? tree.adapterPath(daemon.adapterAddress), path.hasPrefix(adapter + "/") else {
            return
        }
        var advertisement: Advertisement?
        for reader in readers {
            guard let continuation = reader.continuation,
                reader.services.isEmpty || !reader.services.isDisjoint(with: device.services)
            else { continue }
            let current =
                advertisement
                ?? Advertisement(
                    address: address, addressKind: device.addressKind, name: device.name, services: device.services,
                    signalInDecibelMilliwatts: device.signal, manufacturerData: device.manufacturerData,
                    isConnected: device.isConnected, isBonded: device.isPaired,
                    adapter: device.adapter.flatMap { tree.adapters[$0]?.address }, date: date)
            advertisement = current
            continuation.yield(current)
        }
    }

    private func fail(_ error: BluetoothError) {
        let failed = readers
        readers = []
        for reader in failed {
            reader.isEnded = true
            reader.failure = error
            reader.continuation?.finish(throwing: error)
        }
        daemon.mirror?.recheckWaiters()
        drive()
    }

    // MARK: on the air

    /// The services to scan for; nil for no scan.
    private var wanted: Set<BluetoothUUID>? {
        guard holds == 0, !readers.isEmpty else { return nil }
        if readers.contains(where: \.services.isEmpty) { return [] }
        return readers.reduce(into: []) { $0.formUnion($1.services) }
    }

    /// Adjusts the scan on the air to the readers' requests, one step at a time.
    private func drive() {
        guard driver == nil else { return }
        guard wanted != running?.services || wantsRestart || awaitsDaemon else { return waiters.recheck() }
        driver = Task {
            await self.run()
            self.driver = nil
            // Requests may have changed meanwhile.
            self.drive()
        }
    }

    private func run() async {
        while true {
            if awaitsDaemon {
                await awaitDaemon()
                continue
            }
            let services = wanted
            if running != nil, running?.services != services || wantsRestart {
                await stop()
                continue
            }
            wantsRestart = false
            guard running == nil, let services else { return }
            do throws(BluetoothError) {
                try await start(services)
            } catch {
                if !awaitsDaemon { fail(error) }
            }
        }
    }

    private func awaitDaemon() async {
        defer { awaitsDaemon = false }
        guard !readers.isEmpty, let mirror = daemon.mirror else { return }
        let adapter = daemon.adapterAddress
        let isBack = try? await mirror.wait(atMost: timings.restart) {
            mirror.tree.isLoaded && mirror.tree.adapterPath(adapter) != nil ? true : nil
        }
        if isBack == nil { fail(.serviceStopped) }
    }

    private func start(_ services: Set<BluetoothUUID>) async throws(BluetoothError) {
        let mirror = try await daemon.ready()
        let adapter = try await daemon.poweredAdapter()
        self.adapter = adapter
        do throws(DBusCallError) {
            try await setFilter(services, mirror, adapter)
            try await startDiscovery(mirror, adapter)
        } catch {
            throw BluetoothError(error, operation: "starting a scan")
        }
        guard mirror.tree.adapters[adapter] != nil else { throw mirror.tree.isLoaded ? .noAdapter : .serviceStopped }
        running = Scan(adapter: adapter, services: services)
        lastReceived = .now
        watch()
    }

    private func setFilter(
        _ services: Set<BluetoothUUID>, _ mirror: BlueZMirror, _ adapter: String
    ) async throws(DBusCallError) {
        // Some versions don't know other keys, and then refuse all.
        var filter: [String: DBusValue] = ["Transport": .string("le")]
        filteredSince = nil
        if usesServices, !services.isEmpty {
            filter["UUIDs"] = .strings(services.map(\.full).sorted())
            filteredSince = .now
        }
        do throws(DBusCallError) {
            try await mirror.call(
                adapter, BlueZ.adapter, "SetDiscoveryFilter", [.properties(filter)], atMost: timings.call)
        } catch {
            guard error.is("InvalidArguments", "InvalidArgs", "NotSupported", "UnknownMethod") else { throw error }
            guard filter.removeValue(forKey: "UUIDs") != nil else { return }
            usesServices = false
            filteredSince = nil
            _ = try? await mirror.call(
                adapter, BlueZ.adapter, "SetDiscoveryFilter", [.properties(filter)], atMost: timings.call)
        }
    }

    private func startDiscovery(_ mirror: BlueZMirror, _ adapter: String) async throws(DBusCallError) {
        var pauses = timings.scanRetryPauses[...]
        while true {
            do throws(DBusCallError) {
                try await mirror.call(adapter, BlueZ.adapter, "StartDiscovery", atMost: timings.call)
                return
            } catch {
                // The controller or another program is busy; or it is stuck.
                guard error.is("InProgress", "Busy"), let pause = pauses.popFirst(), wanted != nil else { throw error }
                // Or our own scan is running, and its start was answered too late.
                _ = try? await mirror.call(adapter, BlueZ.adapter, "StopDiscovery", atMost: timings.call)
                await BusWaiters.pause(pause)
            }
        }
    }

    private func stop() async {
        guard let scan = running, let mirror = daemon.mirror else {
            running = nil
            return
        }
        if let watchdog { BusSchedule.shared.cancel(watchdog) }
        watchdog = nil
        // The error for a missing scan is fine.
        _ = try? await mirror.call(scan.adapter, BlueZ.adapter, "StopDiscovery", atMost: timings.call)
        running = nil
        filteredSince = nil
        wantsRestart = false
        waiters.recheck()
    }

    /// Restarts the scan after a long time without results: controllers sometimes stop silently.
    private func watch() {
        if let watchdog { BusSchedule.shared.cancel(watchdog) }
        let quiet = lastReceived.duration(to: .now)
        let wait = max(timings.quietScan - quiet, .milliseconds(1))
        watchdog = BusSchedule.shared.after(wait) { [weak self] in
            guard let self, running != nil else { return }
            watchdog = nil
            if lastReceived.duration(to: .now) >= timings.quietScan {
                wantsRestart = true
                drive()
            } else {
                watch()
            }
        }
    }
}
#endif
