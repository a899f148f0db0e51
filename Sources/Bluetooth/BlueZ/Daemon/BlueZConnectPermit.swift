#if Bluetooth
import GATT
import DBus

/// A permit to connect, for one caller at a time. Scans are paused meanwhile, because they keep links from being
/// opened.
@BusActor
final class BlueZConnectPermit {
    private let daemon: BlueZDaemon
    private let scanner: BlueZScanner
    private let adapter: String
    private let number: Int
    private var isGivenBack = false
    private var deadline: Int?

    private init(_ daemon: BlueZDaemon, _ scanner: BlueZScanner, _ adapter: String, _ number: Int) {
        self.daemon = daemon
        self.scanner = scanner
        self.adapter = adapter
        self.number = number
    }

    static func acquire(
        _ daemon: BlueZDaemon, _ adapter: String, for address: DeviceAddress
    ) async throws(BluetoothError) -> BlueZConnectPermit {
        let scanner = try await daemon.scanner()
        let number: Int
        do throws(DBusCallError) {
            number = try await daemon.turns.acquire(adapter, atMost: daemon.timings.connect)
        } catch {
            throw .connectionFailed(address, "other devices were being connected to: \(error.text)")
        }
        let turn = BlueZConnectPermit(daemon, scanner, adapter, number)
        await scanner.hold()
        return turn
    }

    /// Lets others start after a while, because the kernel waits long for an absent device.
    func limit(_ limit: Duration, unless isUnderWay: @escaping @BusActor () -> Bool) {
        guard !isGivenBack else { return }
        deadline = BusSchedule.shared.after(limit) { [weak self] in
            if !isUnderWay() { self?.giveBack() }
        }
    }

    func giveBack() {
        guard !isGivenBack else { return }
        isGivenBack = true
        if let deadline { BusSchedule.shared.cancel(deadline) }
        scanner.release()
        daemon.turns.giveBack(number, adapter)
    }
}
#endif
