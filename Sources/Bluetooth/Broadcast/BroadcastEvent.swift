public import GATT

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
