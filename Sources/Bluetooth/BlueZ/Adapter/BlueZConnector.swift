#if Bluetooth
import DBus
import Foundation

/// One attempt to connect, from the search for the device to a link whose characteristics are there.
///
/// bluetoothd's answer to `Connect` says little: it comes before the device's services are known, the link may go
/// again without a word, and every failure has the same name. What counts is what the tree of objects says.
@BusActor
final class BlueZConnector {
    private enum ConnectFailure: Error {
        /// May be different the next time.
        case passing(BluetoothError)
        /// The link came about, and went before it could be used.
        case dropped(LinkLoss)
        /// The device's object has gone.
        case vanished
        case final(BluetoothError)
    }

    private let address: BluetoothAddress
    private let daemon: BlueZDaemon
    private let person: (any PairingAgent)?
    private let timings: BlueZTimings
    private var wasConnected = false
    private var hasDropped = false
    private var reason: LinkLoss?

    /// - Parameter person: Who answers a device that wants to be paired; nil: nobody.
    init(_ address: BluetoothAddress, _ daemon: BlueZDaemon, answering person: (any PairingAgent)? = nil) {
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
                // Found a moment ago, and forgotten by bluetoothd since: worth another look.
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
        // From the start: bluetoothd itself asks a new link for its battery, and waits for long where that wants pairing
        // and nobody answers.
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
            // Else its object goes half a minute after the link, and the way back is a scan.
            _ = try? await mirror.set(path, BlueZ.device, "Trusted", .boolean(true))
        }
        // Nobody takes the link in a task that was cancelled.
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

    /// Tries, and tries again after what passes quickly.
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
                // A device that has forgotten its bond takes the link, and ends it when it is to be encrypted.
                if mirror.tree.devices[path]?.isPaired == true, drops >= 2 || loss == .authentication {
                    daemon.suspects.insert(address)
                    let reason = "the link broke \(drops) times before the services were known, as it does when the "
                    throw .final(.pairingFailed(address, reason + "device has forgotten this machine"))
                }
                setback = .passing(.connectionFailed(address, "the link broke at once (\(loss.explanation))"))
            }
            guard start.duration(to: .now) < timings.quickFailure, let pause = pauses.popFirst(), !Task.isCancelled
            else { throw setback }
            // Trying before bluetoothd has let go of the last link fails again.
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

    /// What an error of `Connect` is worth. Returns if the link is there nevertheless.
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
            // bluetoothd by itself, or another program, is connecting to it just now.
            let isDone = try? await mirror.wait(atMost: timings.connect) {
                mirror.tree.devices[path]?.isConnected != false ? true : nil
            }
            guard isDone != nil else { throw .final(.connectionFailed(address, error.text)) }
            return
        }
        let cause = BluetoothError(error, operation: "connecting to \(address)", device: address)
        switch cause {
        // The link was there, and goes: that it has gone is told before the answer, or (5.66, of a bond that the device
        // has forgotten: br-connection-canceled) after it.
        case .connectionFailed where hasDropped || wasConnected, .linkLost where hasDropped || wasConnected:
            throw .dropped(reason ?? .unknown)
        case .connectionFailed, .linkLost: throw .passing(cause)
        // Before 5.62 the text was that of errno.
        case .failed(_, let text) where error.is("Failed"): throw .passing(.connectionFailed(address, text))
        default: throw .final(cause)
        }
    }

    /// Waits until the characteristics are there, as long as the link is.
    private func awaitServices(_ path: String, _ adapter: String, _ mirror: BlueZMirror) async throws(ConnectFailure) {
        // The link is told before the answer to `Connect`, or soon after.
        guard try await holds(path, adapter, mirror, atMost: timings.objects, { $0.isConnected }) else {
            throw .dropped(reason ?? .unknown)
        }
        guard try await holds(path, adapter, mirror, atMost: timings.resolve, { $0.isResolved }) else {
            let limit = timings.resolve.components.seconds
            throw .final(.connectionFailed(address, "its services were not known after \(limit) s"))
        }
        // Some versions say so before the objects are there, and all say so when asking the device has failed.
        let hasMeasurement = try await holds(path, adapter, mirror, atMost: timings.objects) { _ in
            mirror.tree.characteristics(of: path).contains {
                BluetoothUUID.sensorMeasurements.contains($0.characteristic.uuid)
            }
        }
        if !hasMeasurement, mirror.tree.characteristics(of: path).isEmpty {
            throw .passing(
                .connectionFailed(address, "bluetoothd found none of its services; forget it if that stays so"))
        }
    }

    /// Waits for something of the device, and gives up when the link, the device or bluetoothd has gone. False: too late.
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

    /// Why the device's object is not there.
    private func absence(_ adapter: String, _ mirror: BlueZMirror) -> ConnectFailure {
        guard mirror.tree.isLoaded else { return .final(.serviceStopped) }
        return mirror.tree.adapters[adapter] == nil ? .final(.noAdapter) : .vanished
    }
}
#endif
