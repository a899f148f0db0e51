public import GATT

/// An event of a ``Broadcast``.
public enum BroadcastEvent: Sendable, Equatable {
    /// Devices can find it, on this adapter.
    case onAir(adapter: String)
    /// bluetoothd or the adapter is gone. The broadcast waits until it is back.
    case offAir(BroadcastError)
    /// The first device has subscribed to a characteristic.
    case subscribed(BluetoothUUID)
    /// No device is subscribed to it any more.
    case unsubscribed(BluetoothUUID)
    /// A device has reset the energy counter.
    case energyReset
    case sent(BroadcastState.Notification)
    case fault(BroadcastFault)
}
