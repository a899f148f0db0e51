public import GATT

/// An error of Bluetooth, or of ANT+.
///
/// There is one case for each error that users or retries handle differently. `description` states what was tried, what
/// the result was and what to do.
public enum BluetoothError: Error, Sendable, Equatable {
    /// Neither bluetoothd nor Bluetooth sockets are available; the text lists what was tried.
    case unavailable(String)
    /// bluetoothd is not running, or has ended.
    case serviceStopped
    /// bluetoothd did not answer in time.
    case serviceSilent(operation: String)
    /// This user may not use bluetoothd, or lacks a capability; the text is the answer.
    case notPermitted(String)
    /// The machine has no adapter, or not the requested one.
    case noAdapter
    /// The adapter is off, and can't be turned on.
    case poweredOff
    /// The adapter is blocked by rfkill.
    case blocked
    /// No device with this address is nearby.
    case notFound(DeviceAddress)
    /// Connecting failed or timed out; the text is the answer.
    case connectionFailed(DeviceAddress, String)
    /// The adapter holds as many links as it can, and did not connect to this device.
    case adapterFull(DeviceAddress)
    /// Another program of this machine is connected to the device.
    case busy(DeviceAddress)
    /// The link is lost.
    case linkLost(DeviceAddress, LinkLoss)
    /// The device requires pairing.
    case pairingRequired(DeviceAddress)
    /// Pairing was refused or interrupted, or the device has lost its bond; the text is the answer.
    case pairingFailed(DeviceAddress, String)
    /// The device has no such characteristic.
    case noCharacteristic(DeviceAddress, BluetoothUUID)
    /// The device answered with an error (Core Specification 5.4, volume 3, part F, section 3.4.1.1).
    case attribute(DeviceAddress, code: UInt8)
    /// The stick for ANT+ sensors cannot be used.
    case stick(StickFault)
    /// Anything else; the text is the answer.
    case failed(operation: String, String)
}
