#if Bluetooth
public import GATT
import DBus

/// Bluetooth through bluetoothd, over the system bus.
///
/// Needs libdbus-1, a running bluetoothd (BlueZ 5.50 or newer), and permission by the bus's policy. A program needs one
/// central; ``close()`` closes its links.
public final class BlueZCentral: Central {
    let daemon: BlueZDaemon

    /// - Parameters:
    ///   - adapter: The adapter to use; nil for one that is on, otherwise the first.
    ///   - busAddress: The address of the bus; nil for the system bus, which `DBUS_SYSTEM_BUS_ADDRESS` may name.
    public init(adapter: DeviceAddress? = nil, busAddress: String? = nil, timings: BlueZTimings = .init()) {
        daemon = BlueZDaemon(
            busAddress: busAddress ?? DBusAddress.system, adapter: adapter, timings: timings, traces: .ofUser)
    }

    /// Creates a central with another folder for traces of links.
    init(busAddress: String, adapter: DeviceAddress? = nil, timings: BlueZTimings, traces: LinkTraces?) {
        daemon = BlueZDaemon(busAddress: busAddress, adapter: adapter, timings: timings, traces: traces)
    }

    public func adapters() async throws(BluetoothError) -> [Adapter] {
        try await daemon.adapters()
    }

    public func releaseLeftovers() async throws(BluetoothError) {
        try await daemon.releaseLeftovers()
    }

    public func switchOn() async throws(BluetoothError) {
        _ = try await daemon.poweredAdapter(switchingOn: true)
    }

    public func advertisements(of services: Set<BluetoothUUID>) -> AsyncThrowingStream<Advertisement, any Error> {
        // A slow reader misses the oldest advertisements.
        let (stream, continuation) = AsyncThrowingStream<Advertisement, any Error>.makeStream(
            bufferingPolicy: .bufferingNewest(256))
        let daemon = daemon
        Task { @BusActor in
            let reader = BlueZScanner.Reader(of: services, continuation)
            continuation.onTermination = { _ in
                Task { @BusActor in daemon.scannerIfAny?.removeReader(reader) }
            }
            do throws(BluetoothError) {
                try await daemon.scanner().add(reader)
            } catch {
                continuation.finish(throwing: error)
            }
        }
        return stream
    }

    public func peripheral(_ address: DeviceAddress, kind: DeviceAddress.Kind?) -> any Peripheral {
        BlueZPeripheral(address: address, daemon: daemon)
    }

    public func forget(_ address: DeviceAddress) async throws(BluetoothError) {
        try await daemon.forget(address)
    }

    public func close() async {
        await daemon.close()
    }
}

/// A device through bluetoothd.
struct BlueZPeripheral: Peripheral {
    let address: DeviceAddress
    let daemon: BlueZDaemon

    func connect() async throws(BluetoothError) -> any PeripheralLink {
        try await BlueZConnector(address, daemon).connect()
    }

    func connect(answering agent: any PairingAgent) async throws(BluetoothError) -> any PeripheralLink {
        try await BlueZConnector(address, daemon, answering: agent).connect()
    }

    func pair(answering agent: any PairingAgent) async throws(BluetoothError) {
        try await BlueZPairing(address, daemon, agent).pair()
    }
}
#endif
