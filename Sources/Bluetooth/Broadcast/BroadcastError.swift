public import GATT

/// Why this machine cannot be a sensor for others. `description` states what was tried, what came back, and what to do.
public enum BroadcastError: Error, Sendable, Equatable {
    case bluetooth(BluetoothError)
    /// Broadcasting needs bluetoothd.
    case needsService
    /// The adapter, such as `hci0`, cannot be a peripheral.
    case notPeripheral(adapter: String)
    /// All advertising slots of the adapter are in use.
    case noSlot(adapter: String)
    /// The name does not fit into the advertisement.
    case nameTooLong(String)
    /// bluetoothd refused the services or the advertisement; the text is its answer.
    case refused(String)
}

extension BroadcastError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .bluetooth(let error): error.description
        case .needsService:
            "Broadcasting needs bluetoothd; install and start it (package bluez, “systemctl start bluetooth”)."
        case .notPeripheral(let adapter):
            "The adapter \(adapter) cannot be a sensor for other devices: it, or its driver, supports no peripheral role; "
                + "plug in another one (Bluetooth 4.1 or newer) and choose it with --adapter."
        case .noSlot(let adapter):
            "The adapter \(adapter) has no free advertising slot; end another program that advertises, or run "
                + "“systemctl restart bluetooth”."
        case .nameTooLong(let name):
            "The name “\(name)” does not fit into the advertisement; choose one of at most "
                + "\(BroadcastError.longestName) bytes with --name."
        case .refused(let reason):
            "bluetoothd refused to broadcast: \(reason); try again. If it happens again, see “journalctl -u bluetooth”."
        }
    }

    /// A scan response has 31 bytes, of which two introduce the name and four state the appearance.
    public static let longestName = 25
}

/// An event of a ``Broadcast``.
public enum BroadcastEvent: Sendable, Equatable {
    /// Devices can find it, on this adapter.
    case onAir(adapter: String)
    /// bluetoothd or the adapter is gone. The broadcast waits until it is back.
    case offAir(BroadcastError)
    /// A device has subscribed to a characteristic. bluetoothd may report each device or only the first.
    case subscribed(BluetoothUUID)
    /// A device, or the last one, has unsubscribed.
    case unsubscribed(BluetoothUUID)
    /// A device has reset the energy counter.
    case energyReset
    case sent(BroadcastState.Notification)
    case fault(BroadcastFault)
}
