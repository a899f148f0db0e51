/// Who answers a device's questions while it is being paired: a person at a terminal, or a program.
///
/// Source: Core Specification 5.4, volume 3, part H, section 2.3.5.1.
public protocol PairingAgent: Sendable {
    /// What it can do, which decides how the devices make sure of each other.
    var capability: PairingCapability { get }
    /// The six digits that the device shows. Nil refuses.
    func passkey(for device: BluetoothAddress) async -> UInt32?
    /// Shows six digits that are to be typed on the device.
    func show(passkey: UInt32, for device: BluetoothAddress) async
    /// Whether the device shows these six digits too.
    func confirms(passkey: UInt32, for device: BluetoothAddress) async -> Bool
    /// Whether a device that can neither show nor type anything may be paired.
    func allowsJustWorks(for device: BluetoothAddress) async -> Bool
}

public enum PairingCapability: String, Sendable, CaseIterable {
    case noInputNoOutput = "NoInputNoOutput"
    case displayOnly = "DisplayOnly"
    case displayYesNo = "DisplayYesNo"
    case keyboardOnly = "KeyboardOnly"
    case keyboardDisplay = "KeyboardDisplay"
}
