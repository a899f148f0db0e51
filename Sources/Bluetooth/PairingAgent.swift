public import GATT

/// Answers a device's questions during pairing: the user at a terminal, or a program.
///
/// Source: Core Specification 5.4, volume 3, part H, section 2.3.5.1.
public protocol PairingAgent: Sendable {
    /// The agent's abilities, which decide how the devices authenticate each other.
    var capability: PairingCapability { get }
    /// Returns the six digits that the device shows. Nil refuses.
    func passkey(for device: DeviceAddress) async -> UInt32?
    /// Shows six digits that the user types on the device.
    func show(passkey: UInt32, for device: DeviceAddress) async
    /// Returns whether the device shows the same six digits.
    func confirms(passkey: UInt32, for device: DeviceAddress) async -> Bool
    /// Returns whether to pair a device that has neither display nor keys.
    func allowsJustWorks(for device: DeviceAddress) async -> Bool
}

public enum PairingCapability: String, Sendable, CaseIterable {
    case noInputNoOutput = "NoInputNoOutput"
    case displayOnly = "DisplayOnly"
    case displayYesNo = "DisplayYesNo"
    case keyboardOnly = "KeyboardOnly"
    case keyboardDisplay = "KeyboardDisplay"
}
