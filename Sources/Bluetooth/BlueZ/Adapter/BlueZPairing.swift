#if Bluetooth
import GATT
import DBus
import Foundation

/// One pairing with a device, which ends with a bond and without a link.
@BusActor
final class BlueZPairing {
    private let address: DeviceAddress
    private let daemon: BlueZDaemon
    private let timings: BlueZTimings
    private let person: any PairingAgent

    init(_ address: DeviceAddress, _ daemon: BlueZDaemon, _ person: any PairingAgent) {
        self.address = address
        self.daemon = daemon
        self.person = person
        timings = daemon.timings
    }

    func pair() async throws(BluetoothError) {
        let adapter = try await daemon.poweredAdapter()
        var path = try await daemon.find(address, adapter: adapter)
        let mirror = try await daemon.ready()
        if mirror.tree.devices[path]?.isPaired == true {
            if try await isBondGood() { return }
            // The device has lost the bond. `Pair` would wait forever as long as this side has it.
            try await daemon.remove(path, of: address, adapter: adapter)
            daemon.suspects.remove(address)
            path = try await daemon.find(address, adapter: adapter)
        }
        try await bond(path, adapter)
    }

    /// Whether a bonded device accepts the link.
    private func isBondGood() async throws(BluetoothError) -> Bool {
        guard !daemon.suspects.contains(address) else { return false }
        do throws(BluetoothError) {
            let link = try await BlueZConnector(address, daemon).connect()
            await link.disconnect()
            return true
        } catch {
            if case .pairingFailed = error { return false }
            throw error
        }
    }

    private func bond(_ path: String, _ adapter: String) async throws(BluetoothError) {
        let turn = try await BlueZConnectPermit.acquire(daemon, adapter, for: address)
        defer { turn.giveBack() }
        let mirror: BlueZMirror
        do throws(DBusCallError) {
            mirror = try await BlueZMirror(.device(path), address: daemon.busAddress, timings: timings)
        } catch {
            throw BluetoothError(error, operation: "pairing with \(address)", device: address)
        }
        defer { mirror.close() }
        let wasConnected = mirror.tree.devices[path]?.isConnected == true && !daemon.opened.contains(address)
        do throws(DBusCallError) {
            let agent = try await BlueZAgent(address, path, mirror, timings, person: person)
            defer { agent.withdraw() }
            try await pair(path, mirror)
            _ = try? await mirror.set(path, BlueZ.device, "Trusted", .boolean(true))
        } catch {
            await undo(path, mirror, wasConnected)
            throw meaning(of: error)
        }
        if !wasConnected { await mirror.hangUp(path) }
    }

    /// Pairs. Ends early if the link is lost and nothing more arrives.
    private func pair(_ path: String, _ mirror: BlueZMirror) async throws(DBusCallError) {
        let limit = timings.pair
        let call = Task { () -> Result<Void, DBusCallError> in
            do throws(DBusCallError) {
                try await mirror.call(path, BlueZ.device, "Pair", atMost: limit)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        var wasConnected = false
        var silence: Int?
        mirror.onEvent = { [timings, unowned mirror] event, _ in
            guard event == .device(path) || event == .deviceRemoved(path) else { return }
            if mirror.tree.devices[path]?.isConnected == true {
                wasConnected = true
                if let pending = silence { BusSchedule.shared.cancel(pending) }
                silence = nil
            } else if wasConnected, silence == nil {
                silence = BusSchedule.shared.after(timings.pairSilence) { call.cancel() }
            }
        }
        let result = await withTaskCancellationHandler {
            await call.value
        } onCancel: {
            call.cancel()
        }
        mirror.onEvent = nil
        if let silence { BusSchedule.shared.cancel(silence) }
        do throws(DBusCallError) {
            try result.get()
        } catch {
            if error.is("AlreadyExists") { return }
            // bluetoothd may have bonded by itself, at the device's request.
            if mirror.tree.devices[path]?.isPaired == true { return }
            throw error
        }
    }

    private func undo(_ path: String, _ mirror: BlueZMirror, _ wasConnected: Bool) async {
        let timings = timings
        await Task {
            _ = try? await mirror.call(path, BlueZ.device, "CancelPairing", atMost: timings.disconnect)
        }.value
        if !wasConnected { await mirror.hangUp(path) }
    }

    private func meaning(of error: DBusCallError) -> BluetoothError {
        switch error {
        case .timedOut: return .pairingFailed(address, "no answer within \(timings.pair.components.seconds) s")
        case .cancelled:
            return .pairingFailed(address, Task.isCancelled ? "given up" : "the link broke")
        default: break
        }
        let meaning = BluetoothError(error, operation: "pairing with \(address)", device: address)
        if case .failed(_, let reason) = meaning { return .pairingFailed(address, reason) }
        return meaning
    }
}
#endif
