/// Why something about Bluetooth did not happen.
///
/// The cases are what a person, or the code that tries again, can tell apart and act on. `description` is one sentence
/// that says what was tried, what came back and what to do now.
public enum BluetoothError: Error, Sendable, Equatable {
    /// Neither bluetoothd nor Bluetooth sockets are to be had; the text says what was tried.
    case unavailable(String)
    /// bluetoothd does not run, or went away.
    case serviceStopped
    /// bluetoothd answered nothing in time.
    case serviceSilent(operation: String)
    /// This user may not talk to bluetoothd, or lacks a capability; the text is what came back.
    case notPermitted(String)
    /// The machine has no adapter, or not the one that was asked for.
    case noAdapter
    /// The adapter is off, and could not be switched on.
    case poweredOff
    /// The adapter is blocked by rfkill.
    case blocked
    /// Nobody of this address is in reach.
    case notFound(BluetoothAddress)
    /// No link came about in time, or it broke before it could be used; the text is what came back.
    case connectionFailed(BluetoothAddress, String)
    /// Another program of this machine holds the link.
    case busy(BluetoothAddress)
    /// The link is gone.
    case linkLost(BluetoothAddress, LinkLoss)
    /// The device wants to be paired first.
    case pairingRequired(BluetoothAddress)
    /// Pairing was refused or broken off, or the device has forgotten its bond; the text is what came back.
    case pairingFailed(BluetoothAddress, String)
    /// The device has no such characteristic.
    case noCharacteristic(BluetoothAddress, BluetoothUUID)
    /// The device answered with an error (Core Specification 5.4, volume 3, part F, section 3.4.1.1).
    case attribute(BluetoothAddress, code: UInt8)
    /// Anything else; the text is what came back.
    case failed(operation: String, String)
}

/// How a link ended, as far as it is known.
public enum LinkLoss: String, Sendable, Equatable, CaseIterable {
    /// Nothing was heard any more: out of range, or without power.
    case timeout
    /// The device hung up.
    case remote
    /// This side hung up.
    case local
    /// The keys did not fit.
    case authentication
    /// This machine slept.
    case suspend
    /// The adapter or bluetoothd went away.
    case adapterGone
    case unknown
}
