#if Bluetooth
import GATT
import DBus
import Foundation

/// One attempt to connect, from the search for the device to a link with known characteristics.
///
/// bluetoothd's answer to `Connect` is not enough: it arrives before the device's services are known, the link may end
/// again silently, and all failures have the same name. So the connector follows the tree of objects.
@BusActor
final class BlueZConnector {
    private enum ConnectFailure: Error {
        /// Another attempt may succeed.
        case passing(BluetoothError)
        /// The link was opened, and lost before it could be used.
        case dropped(LinkLoss)
        /// The device's object is gone.
        case vanished
        case final(BluetoothError)
    }

    private let address: DeviceAddress
    private let daemon: BlueZDaemon
    private let person: (any PairingAgent)?
    private let timings: BlueZTimings
    private var wasConnected = false
    private var hasDropped = false
    private var reason: LinkLoss?

    /// - Parameter person: Answers a device that requires pairing; nil for nobody.
    init(_ address: DeviceAddress, _ daemon: BlueZDaemon, answering person: (any PairingAgent)? = nil) {
        self.address = address
        self.daemon = daemon
        self.person = person
        timings = daemon.timings
    }

    func connect() async throws(BluetoothError) -> BlueZLink {
        let start = ContinuousClock.now
        do throws(ConnectFailure) {
            do throws(ConnectFailure) {
                return try await connectOnce()
            } catch {
                // bluetoothd has just removed a device that was found: search again.
                guard case .vanished = error, start.duration(to: .now) < timings.quickFailure else { throw error }
                return try await connectOnce()
            }
        } catch {
            if Task.isCancelled { throw .connectionFailed(address, "given up") }
            switch error {
            case .passing(let cause), .final(let cause): throw cause
            case .dropped(let loss): throw .linkLost(address, loss)
            case .vanished: throw .notFound(address)
            }
        }
    }

    private func connectOnce() async throws(ConnectFailure) -> BlueZLink {
        let adapter: String
        let path: String
        let turn: BlueZConnectPermit
        let mirror: BlueZMirror
        do throws(BluetoothError) {
            adapter = try await daemon.poweredAdapter()
            path = try await daemon.find(address, adapter: adapter)
            turn = try await BlueZConnectPermit.acquire(daemon, adapter, for: address)
        } catch {
            throw .final(error)
        }
        defer { turn.giveBack() }
        do throws(DBusCallError) {
            mirror = try await BlueZMirror(.device(path), address: daemon.busAddress, timings: timings)
        } catch {
            throw .final(BluetoothError(error, operation: "connecting to \(address)", device: address))
        }
        mirror.onEvent = { [weak self, unowned mirror] event, _ in self?.handle(event, path, mirror.tree) }
        let isConnected = { @BusActor in mirror.tree.devices[path]?.isConnected == true }
        let isAdopted = isConnected() && !daemon.opened.contains(address) && daemon.traces?.isLeftover(address) != true
        turn.limit(timings.connectTurn, unless: isConnected)
        // The agent answers from the start: bluetoothd reads the battery on each new link, and waits long if that
        // requires pairing and nobody answers.
        var agent: BlueZAgent?
        if let person { agent = try? await BlueZAgent(address, path, mirror, timings, person: person) }
        do throws(ConnectFailure) {
            try await reach(path, adapter, mirror, isAdopted: isAdopted)
        } catch {
            if !isAdopted { await mirror.hangUp(path) }
            mirror.close()
            throw error
        }
        if mirror.tree.devices[path]?.isTrusted == false {
            // Otherwise its object is removed half a minute after the link, and connecting needs another scan.
            _ = try? await mirror.set(path, BlueZ.device, "Trusted", .boolean(true))
        }
        // In a cancelled task, nobody uses the link.
        guard !Task.isCancelled else {
            if !isAdopted { await mirror.hangUp(path) }
            mirror.close()
            throw .final(.connectionFailed(address, "given up"))
        }
        if !isAdopted { daemon.noteOpened(address) }
        daemon.suspects.remove(address)
        return BlueZLink(address, path: path, mirror: mirror, daemon: daemon, hangsUp: !isAdopted, agent: agent)
    }

    private func handle(_ event: BlueZObjectTree.Event, _ path: String, _ tree: BlueZObjectTree) {
        switch event {
        case .device(path):
            if tree.devices[path]?.isConnected == true {
                wasConnected = true
            } else if wasConnected {
                hasDropped = true
            }
        case .reason(path, let loss):
            reason = loss
        default:
            break
        }
    }

    /// Connects, and tries again after short-lived errors.
    private func reach(
        _ path: String, _ adapter: String, _ mirror: BlueZMirror, isAdopted: Bool
    ) async throws(ConnectFailure) {
        var pauses = timings.retryPauses[...]
        var drops = 0
        while true {
            let start = ContinuousClock.now
            var setback: ConnectFailure
            do throws(ConnectFailure) {
                return try await tryOnce(path, adapter, mirror)
            } catch {
                setback = error
            }
            switch setback {
            case .final, .vanished:
                throw setback
            case .passing:
                break
            case .dropped(let loss):
                drops += 1
                // A device that has lost its bond accepts the link, and ends it when it should be encrypted.
                if mirror.tree.devices[path]?.isPaired == true, drops >= 2 || loss == .authentication {
                    daemon.suspects.insert(address)
                    let reason = "the link broke \(drops) times before the services were known, as it does when the "
                    throw .final(.pairingFailed(address, reason + "device has forgotten this machine"))
                }
                // Pairing was offered, and perhaps refused: the caller decides whether to offer it again.
                if person != nil, drops >= 2 { throw .final(.linkLost(address, loss)) }
                setback = .passing(.connectionFailed(address, "the link broke at once (\(loss.explanation))"))
            }
            guard start.duration(to: .now) < timings.quickFailure, let pause = pauses.popFirst(), !Task.isCancelled
            else { throw setback }
            // Another attempt fails until bluetoothd has released the last link.
            if mirror.tree.devices[path]?.isConnected == true {
                guard !isAdopted else { throw setback }
                await mirror.hangUp(path)
            }
            await BusWaiters.pause(pause)
        }
    }

    private func tryOnce(_ path: String, _ adapter: String, _ mirror: BlueZMirror) async throws(ConnectFailure) {
        wasConnected = mirror.tree.devices[path]?.isConnected == true
        hasDropped = false
        reason = nil
        do throws(DBusCallError) {
            try await mirror.call(path, BlueZ.device, "Connect", atMost: timings.connect)
        } catch {
            try await judge(error, path, adapter, mirror)
        }
        try await awaitServices(path, adapter, mirror)
    }

    /// Evaluates an error of `Connect`. Returns if the link exists nevertheless.
    private func judge(
        _ error: DBusCallError, _ path: String, _ adapter: String, _ mirror: BlueZMirror
    ) async throws(ConnectFailure) {
        if case .timedOut = error {
            throw .final(.connectionFailed(address, "no answer within \(timings.connect.components.seconds) s"))
        }
        if case .cancelled = error { throw .final(.connectionFailed(address, "given up")) }
        if mirror.tree.devices[path] == nil || error.is("UnknownObject") { throw absence(adapter, mirror) }
        if error.is("AlreadyConnected") { return }
        if error.is("InProgress") || error.text.contains("already in progress") {
            // bluetoothd itself, or another program, is connecting to it.
            let isDone = try? await mirror.wait(atMost: timings.connect) {
                mirror.tree.devices[path]?.isConnected != false ? true : nil
            }
            guard isDone != nil else { throw .final(.connectionFailed(address, error.text)) }
            return
        }
        let cause = BluetoothError(error, operation: "connecting to \(address)", device: address)
        switch cause {
        // The link was opened, and is ending. Its end is signalled before the answer or, in 5.66 for a lost bond
        // (br-connection-canceled), after it.
        case .connectionFailed where hasDropped || wasConnected, .linkLost where hasDropped || wasConnected:
            throw .dropped(reason ?? .unknown)
        case .connectionFailed, .linkLost: throw .passing(cause)
        // Before 5.62 the text is that of errno.
        case .failed(_, let text) where error.is("Failed"): throw .passing(.connectionFailed(address, text))
        default: throw .final(cause)
        }
    }

    /// Waits for the characteristics as long as the link is up.
    private func awaitServices(_ path: String, _ adapter: String, _ mirror: BlueZMirror) async throws(ConnectFailure) {
        // The link is signalled before the answer to `Connect`, or soon after.
        guard try await holds(path, adapter, mirror, atMost: timings.objects, { $0.isConnected }) else {
            throw .dropped(reason ?? .unknown)
        }
        guard try await holds(path, adapter, mirror, atMost: timings.resolve, { $0.isResolved }) else {
            let limit = timings.resolve.components.seconds
            throw .final(.connectionFailed(address, "its services were not known after \(limit) s"))
        }
        // Some versions signal this before the objects exist, and all do if reading the services failed.
        let hasMeasurement = try await holds(path, adapter, mirror, atMost: timings.objects) { _ in
            mirror.tree.characteristics(of: path).contains {
                BluetoothUUID.sensorMeasurements.contains($0.characteristic.uuid)
            }
        }
        if !hasMeasurement, mirror.tree.characteristics(of: path).isEmpty {
            throw .passing(
                .connectionFailed(address, "bluetoothd found none of its services; if that happens again, forget it"))
        }
    }

    /// Waits for a condition of the device until the link, the device or bluetoothd is gone. Returns false after the
    /// limit.
    private func holds(
        _ path: String, _ adapter: String, _ mirror: BlueZMirror, atMost limit: Duration,
        _ condition: @escaping @BusActor (BlueZDeviceObject) -> Bool
    ) async throws(ConnectFailure) -> Bool {
        let result: Result<Bool, ConnectFailure>
        do throws(DBusCallError) {
            result = try await mirror.wait(atMost: limit) { [self] in
                guard let device = mirror.tree.devices[path] else { return .failure(absence(adapter, mirror)) }
                if hasDropped { return .failure(.dropped(reason ?? .unknown)) }
                return condition(device) ? .success(true) : nil
            }
        } catch {
            if case .timedOut = error { return false }
            if case .cancelled = error { throw .final(.connectionFailed(address, "given up")) }
            throw .final(BluetoothError(error, operation: "connecting to \(address)", device: address))
        }
        return try result.get()
    }

    /// Returns why the device's object does not exist.
    private func absence(_ adapter: String, _ mirror: BlueZMirror) -> ConnectFailure {
        guard mirror.tree.isLoaded else { return .final(.serviceStopped) }
        return mirror.tree.adapters[adapter] == nil ? .final(.noAdapter) : .vanished
    }
}
#endif
