#if Bluetooth
import GATT
import Synchronization

/// Subscribing while a device is being paired.
extension ATTLink {
    /// Requests are repeated while a device is being paired, after this pause at first and after longer ones later.
    static let pairingPause = Duration.milliseconds(200)
    static let longestPairingPause = Duration.seconds(2)

    /// Subscribes during pairing, and gives up as soon as the kernel reports that pairing has failed.
    func subscribe(
        toPairing characteristic: GATTCharacteristic, until failing: Task<Bool, Never>
    ) async throws(BluetoothError) {
        let hasFailed = Atomic(false)
        let asking = Task { () -> Result<Void, BluetoothError> in
            do throws(BluetoothError) {
                try await subscribe(toPairing: characteristic)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        let watching = Task {
            guard await failing.value else { return }
            hasFailed.store(true, ordering: .relaxed)
            asking.cancel()
        }
        defer { watching.cancel() }
        let result = await withTaskCancellationHandler {
            await asking.value
        } onCancel: {
            asking.cancel()
        }
        if case .failure = result, hasFailed.load(ordering: .relaxed) {
            throw .pairingFailed(address, "the device asked for pairing and refused it")
        }
        try result.get()
    }

    /// Subscribes during pairing. The kernel passes messages before pairing is complete, and the device refuses them
    /// until then.
    private func subscribe(toPairing characteristic: GATTCharacteristic) async throws(BluetoothError) {
        let end = now + pairingLimit
        var pause = Self.pairingPause
        while true {
            do throws(BluetoothError) {
                _ = try await perform(.subscribe(characteristic.handle), on: characteristic)
                return
            } catch {
                guard case .pairingRequired = error, now < end, !Task.isCancelled else { throw error }
                try? await Task.sleep(for: pause)
                pause = min(pause + Self.pairingPause, Self.longestPairingPause)
            }
        }
    }
}
#endif
