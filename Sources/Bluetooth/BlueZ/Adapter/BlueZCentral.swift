#if Bluetooth
import DBus

/// Bluetooth by way of bluetoothd, over the system bus.
///
/// Needs libdbus-1 and a running bluetoothd (BlueZ 5.50 or newer), and a user whom the bus's policy lets talk to it. One
/// value serves a whole program; ``close()`` hangs up what it opened.
public final class BlueZCentral: Central {
    let daemon: BlueZDaemon

    /// - Parameters:
    ///   - adapter: The adapter to use. Nil: one that is on, else the first.
    ///   - busAddress: Where the bus is. Nil: the system's, which `DBUS_SYSTEM_BUS_ADDRESS` may name.
    public init(adapter: BluetoothAddress? = nil, busAddress: String? = nil, timings: BlueZTimings = .init()) {
        daemon = BlueZDaemon(
            busAddress: busAddress ?? DBusAddress.system, adapter: adapter, timings: timings, traces: .ofUser)
    }

    /// With traces of links in a folder of its own.
    init(busAddress: String, adapter: BluetoothAddress? = nil, timings: BlueZTimings, traces: LinkTraces?) {
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
        // Old news is no news: who reads slowly misses the oldest.
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

    public func peripheral(_ address: BluetoothAddress, kind: BluetoothAddress.Kind?) -> any Peripheral {
        BlueZPeripheral(address: address, daemon: daemon)
    }

    public func forget(_ address: BluetoothAddress) async throws(BluetoothError) {
        try await daemon.forget(address)
    }

    public func close() async {
        await daemon.close()
    }
}

/// A device by way of bluetoothd.
struct BlueZPeripheral: Peripheral {
    let address: BluetoothAddress
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
